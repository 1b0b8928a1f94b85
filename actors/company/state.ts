import type { Day, IndexValue } from '../../engine/index.js';
import type { ResourceHost, ResourceRecord } from '../kernel/resources/index.js';
import type { Mode, Tenant } from '../kernel/fact.js';
import type { SignIn } from './sign-in/index.js';
import type { TokenKey } from './access/token-keys.js';
import type { CompanyProfile } from './profile.js';
import type { LoanTypeSettings } from './loan-type-settings.js';

/** The index of a loan type after a change: loans take one after the other, so that it does not matter when they do. */
export interface IndexEdition {
  /** Stamp of the fact that made it. */
  readonly stamp: number;
  readonly values: readonly IndexValue[];
}

/**
 * A company in one mode: settings, keys, products and declared resources, users among them. Its maps are replaced and its
 * records are never changed, so that a shallow copy is an independent one.
 */
export interface CompanyState extends ResourceHost {
  readonly id: string;
  readonly mode: Mode;
  createdAt: number;
  updatedAt: number | null;
  /** Microseconds; 0 before the company exists. */
  createdStamp: number;
  updatedStamp: number;
  profile: CompanyProfile | null;
  keys: ReadonlyMap<string, ApiKey>;
  /** By user; of one who has never come there is none. */
  signIns: ReadonlyMap<string, SignIn>;
  /** What signs the tokens of sessions, the newest last. */
  tokenKeys: readonly TokenKey[];
  loanTypes: ReadonlyMap<string, LoanType>;
  /** Of each loan type with an index: how it stood after each of its newest changes, in their order. */
  indexEditions: Readonly<Record<string, readonly IndexEdition[]>>;
}

/** An API key without its secret: only the hash of its text is known. */
export interface ApiKey {
  readonly id: string;
  readonly userId: string;
  /** SHA-256 of the key's text, lower-case hexadecimal. */
  readonly hash: string;
  readonly description: string | null;
  readonly whitelistedIPs: readonly string[];
  /** What becomes of fields and parameters that the interface does not know; absent: they are refused. */
  readonly unknownFields?: 'refuse' | 'ignore';
  readonly status: 'active' | 'inactive';
  readonly createdAt: number;
  readonly updatedAt: number | null;
  readonly deletedAt: number | null;
}

/** A lender product. */
export interface LoanType {
  readonly id: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly type: 'installment' | 'lineOfCredit';
  readonly assetType: string;
  readonly assetDisplayName: string;
  readonly status: 'active' | 'inactive';
  /** Product time zone; null = the company's. */
  readonly timezone: string | null;
  readonly currency: string;
  readonly managedByService: boolean;
  readonly extraFields: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly updatedAt: number | null;
  /** In the order of recording, numbered from 1. A version holds from its day on until the next one's. */
  readonly versions: readonly LoanTypeVersion[];
}

export interface LoanTypeVersion {
  readonly version: number;
  readonly from: Day;
  readonly recordedAt: number;
  readonly settings: LoanTypeSettings;
}

export function newCompany(id: string, tenant: Tenant): CompanyState {
  return {
    id,
    mode: tenant.mode,
    createdAt: 0,
    updatedAt: null,
    createdStamp: 0,
    updatedStamp: 0,
    profile: null,
    keys: new Map(),
    signIns: new Map(),
    tokenKeys: [],
    loanTypes: new Map(),
    indexEditions: {},
    resources: new Map(),
  };
}

export function cloneCompany(state: CompanyState): CompanyState {
  return { ...state, resources: new Map(state.resources) };
}

interface Packed extends Omit<CompanyState, 'keys' | 'signIns' | 'loanTypes' | 'resources'> {
  readonly keys: readonly ApiKey[];
  readonly signIns: readonly (readonly [string, SignIn])[];
  readonly loanTypes: readonly LoanType[];
  readonly resources: readonly (readonly [string, readonly ResourceRecord[]])[];
}

/** Maps become arrays: what is stored holds plain values alone. */
export function packCompany(state: CompanyState): unknown {
  return {
    ...state,
    keys: [...state.keys.values()],
    signIns: [...state.signIns],
    loanTypes: [...state.loanTypes.values()],
    resources: [...state.resources].map(([type, records]) => [type, [...records.values()]]),
  };
}

export function unpackCompany(packed: unknown): CompanyState {
  const stored = packed as Packed;
  return {
    ...stored,
    keys: byId(stored.keys),
    signIns: new Map(stored.signIns),
    loanTypes: byId(stored.loanTypes),
    resources: new Map(stored.resources.map(([type, records]) => [type, byId(records)])),
  };
}

const byId = <Item extends { readonly id: string }>(items: readonly Item[]): Map<string, Item> =>
  new Map(items.map((item) => [item.id, item]));
