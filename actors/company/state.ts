import { applyRow } from '../kernel/fact-table.js';
import type { tags } from 'typia';
import { addDays, day, type Day, type IndexValue, must } from '../../engine/index.js';
import type { Fact, Mode, Tenant } from '../kernel/fact.js';
import { type Declaration, evolveResources, recordsOf, type ResourceHost, type ResourceRecord } from '../kernel/resources/index.js';
import { APPLY_TO_SIGN_INS, type SignInFacts, type TokenKey } from './access/sign-ins.js';
import type { LoanTypeSettings } from './loan-type-settings.js';
import type { CompanyProfile } from './profile.js';
import type { RemindersOrdered, TimeSetBack } from './reminders.js';
import type { SignIn } from './sign-in.js';
import { APPLY_TO_WEBHOOKS, type WebhookFacts } from './webhooks/facts.js';

/** A domain of one of the company's web applications. */
export interface AppDomain {
  readonly domain: string;
  readonly type: 'borrower' | 'agent' | 'help' | 'admin';
}

export interface AppDomainBody {
  readonly domain: string & tags.Pattern<'^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$'> & tags.MaxLength<253>;
  readonly type: 'borrower' | 'agent' | 'help' | 'admin';
}

export const APP_DOMAIN: Declaration<AppDomainBody, AppDomainBody, AppDomain> = {
  type: 'appDomain',
  prefix: 'AD',
  param: 'appDomainId',
  unique: [{ name: 'domain', of: ({ domain }) => domain }],
  create: ({ domain, type }) => ({ domain, type }),
  change: (_before, { domain, type }) => ({ domain, type }),
  view: (stored) => stored,
};

export const appDomainsOf = (host: ResourceHost): readonly (AppDomain & { readonly id: string })[] =>
  [...recordsOf<AppDomain>(host, APP_DOMAIN.type).values()].map(({ id, stored }) => ({ id, ...stored }));

/** The index of a loan type after a change. Loans apply the editions one after the other, so the result does not depend on when they do. */
export interface IndexEdition {
  /** Stamp of the fact that made it. */
  readonly stamp: number;
  readonly values: readonly IndexValue[];
}

/**
 * A company in one mode: settings, keys, products and declared resources, including users. Changes replace maps and records
 * and never write into them, so a shallow copy is independent.
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
  /** By user; users who have never signed in have none. */
  signIns: ReadonlyMap<string, SignIn>;
  /** The keys that sign tokens of sessions, the newest last. */
  tokenKeys: readonly TokenKey[];
  loanTypes: ReadonlyMap<string, LoanType>;
  /** For each loan type with an index: the editions after its newest changes, in order. */
  indexEditions: Readonly<Record<string, readonly IndexEdition[]>>;
  /** The day in Los Angeles whose reminders were ordered last. */
  remindedOn: Day | null;
}

/** An API key. Only the hash of the secret is known. */
export interface ApiKey {
  readonly id: string;
  readonly userId: string;
  /** SHA-256 of the key's text, lower-case hexadecimal. */
  readonly hash: string;
  readonly description: string | null;
  readonly whitelistedIPs: readonly string[];
  /** Whether unknown fields and parameters are refused or ignored; absent: refused. */
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
  /** In the order of recording, numbered from 1. A version is valid from its day until the day of the next one. */
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
    remindedOn: null,
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

/** Converts maps to arrays, since only plain values can be stored. */
export function packCompany(state: CompanyState): unknown {
  return {
    ...state,
    keys: [...state.keys.values()],
    signIns: [...state.signIns],
    loanTypes: [...state.loanTypes.values()],
    resources: [...state.resources].map(([type, records]) => [type, [...records.values()]]),
  };
}

export function unpackCompany(stored: Packed): CompanyState {
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

/** What can happen to a company. Bodies by the fact's type; declared resources have facts of their own. */
export interface CompanyFacts extends WebhookFacts, SignInFacts {
  readonly CompanyCreated: { readonly profile: CompanyProfile };
  readonly CompanyUpdated: { readonly profile: CompanyProfile };
  readonly RemindersOrdered: RemindersOrdered;
  readonly TimeSetBack: TimeSetBack;
  readonly ApiKeyCreated: Pick<ApiKey, 'id' | 'userId' | 'hash' | 'description' | 'whitelistedIPs' | 'unknownFields'>;
  readonly ApiKeyUpdated: Pick<ApiKey, 'id' | 'description' | 'whitelistedIPs' | 'unknownFields' | 'status'>;
  readonly ApiKeyRevoked: { readonly id: string };
  readonly LoanTypeCreated: { readonly id: string; readonly fields: LoanTypeFields; readonly settings: LoanTypeSettings };
  /** `settings` is null when only descriptive fields changed; `from` is the first day of the new settings. */
  readonly LoanTypeUpdated: {
    readonly id: string;
    readonly fields: LoanTypeFields;
    readonly settings: LoanTypeSettings | null;
    readonly from: Day;
  };
}

/** The fields of a loan type that have no history. */
export type LoanTypeFields = Omit<LoanType, 'id' | 'createdAt' | 'updatedAt' | 'versions'>;

/** First day of a loan type's first settings: 0001-01-01, earlier than any date of a loan. */
export const EVER = day(-719_162);

type Apply = { [Type in keyof CompanyFacts]: (state: CompanyState, body: CompanyFacts[Type], fact: Fact) => void };

const APPLY: Apply = {
  ...APPLY_TO_SIGN_INS,
  ...APPLY_TO_WEBHOOKS,
  CompanyCreated(state, { profile }, fact) {
    state.createdAt = fact.businessAt;
    state.createdStamp = fact.stamp;
    state.profile = profile;
  },
  CompanyUpdated(state, { profile }, fact) {
    state.profile = profile;
    state.updatedAt = fact.businessAt;
  },
  RemindersOrdered(state, { day: today }) {
    state.remindedOn = today;
  },
  TimeSetBack(state, { today }) {
    state.remindedOn = addDays(today, -1);
  },
  ApiKeyCreated(state, body, fact) {
    const key = { ...body, status: 'active', createdAt: fact.businessAt, updatedAt: null, deletedAt: null } as const;
    state.keys = new Map(state.keys).set(body.id, key);
  },
  ApiKeyUpdated(state, body, fact) {
    const before = must(state.keys.get(body.id), `an update of the unknown key ${body.id}`);
    state.keys = new Map(state.keys).set(body.id, { ...before, ...body, updatedAt: fact.businessAt });
  },
  ApiKeyRevoked(state, { id }, fact) {
    const before = must(state.keys.get(id), `the unknown key ${id} was revoked`);
    const at = fact.businessAt;
    state.keys = new Map(state.keys).set(id, { ...before, status: 'inactive', updatedAt: at, deletedAt: at });
  },
  LoanTypeCreated(state, { id, fields, settings }, fact) {
    const recordedAt = fact.businessAt;
    const loanType: LoanType = {
      id,
      ...fields,
      createdAt: recordedAt,
      updatedAt: null,
      versions: [{ version: 1, from: EVER, recordedAt, settings }],
    };
    state.loanTypes = new Map(state.loanTypes).set(id, loanType);
  },
  LoanTypeUpdated(state, { id, fields, settings, from }, fact) {
    const before = must(state.loanTypes.get(id), `an update of the unknown loan type ${id}`);
    const version = { version: before.versions.length + 1, from, recordedAt: fact.businessAt, settings };
    const versions = settings === null ? before.versions : [...before.versions, { ...version, settings }];
    state.loanTypes = new Map(state.loanTypes).set(id, { ...before, ...fields, updatedAt: fact.businessAt, versions });
  },
};

/** Applies a fact to a company. The contract has no events for companies. */
export function evolveCompany(state: CompanyState, fact: Fact): void {
  if (!evolveResources(state, fact)) applyRow(APPLY, state, fact);
  state.updatedStamp = fact.stamp;
}
