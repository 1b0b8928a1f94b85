import { hash as hashOnce, timingSafeEqual } from 'node:crypto';
import {
  type ApiKey,
  type CompanyState,
  employeesOf,
  investorsSeenBy,
  type Mode,
  permissionsOf,
  Refusal,
  rolesOf,
  type Tenant,
  usersOf,
} from '../../actors/index.js';
import type { Caller, RateLimit } from '../routing/route.js';
import { isWithin } from './addresses.js';
import type { Authenticator, Credential } from './credential.js';

/** An API key as it is stored: never its text. */
export interface ApiKeyRecord {
  /** SHA-256 of the key's text, in hex. */
  readonly hash: string;
  readonly keyId: string;
  readonly company: string;
  readonly mode: Mode;
  readonly userId: string | null;
  readonly isActive: boolean;
  readonly permissions: ReadonlySet<string>;
  /** Addresses and blocks that may use it; empty = all. */
  readonly whitelistedIPs: readonly string[];
  readonly rateLimit?: RateLimit | null;
  readonly unknownFields?: 'refuse' | 'ignore' | undefined;
  /** Its user sees only the loans of these investors; absent: all loans. */
  readonly investorIds?: readonly string[] | undefined;
}

const KEY_TEXT = /^(test|live)_[A-Za-z0-9_-]{16,200}$/;

export const hashOfKey = (text: string): string => hashOnce('sha256', text);

export const isKeyText = (text: string): boolean => KEY_TEXT.test(text);

/** The mode that a key's text names. */
export const modeOfKey = (text: string): Mode => (text.startsWith('live_') ? 'live' : 'test');

/** Authenticates API keys that `find` looks up by their hash. */
export function apiKeyAuthenticator(find: (hash: string) => ApiKeyRecord | undefined): Authenticator {
  return {
    authenticate: ({ text, address }: Credential): Caller => {
      const hash = hashOfKey(text);
      const record = isKeyText(text) ? find(hash) : undefined;
      // One message for all of these: the caller must not learn which it was.
      if (!record || !isSame(record.hash, hash) || !record.isActive || record.mode !== modeOfKey(text)) {
        throw new Refusal('unauthenticated', 'The API key is not valid.');
      }
      const { company, mode, keyId, userId, permissions, whitelistedIPs, rateLimit, unknownFields, investorIds } = record;
      if (whitelistedIPs.length > 0 && !isWithin(whitelistedIPs, address)) {
        throw new Refusal('ipNotAllowed', 'The API key may not be used from this address. See `whitelistedIPs` of the key.');
      }
      return {
        company,
        mode,
        keyId,
        userId,
        permissions,
        address,
        ...(investorIds === undefined ? {} : { investorIds }),
        ...(rateLimit === undefined ? {} : { rateLimit }),
        ...(unknownFields === undefined ? {} : { unknownFields }),
      };
    },
  };
}

/** Of a hash in hex. */
const HASH_LENGTH = 64;
const storedBytes = Buffer.alloc(HASH_LENGTH);
const shownBytes = Buffer.alloc(HASH_LENGTH);

function isSame(stored: string, shown: string): boolean {
  if (stored.length !== HASH_LENGTH || shown.length !== HASH_LENGTH) return false;
  storedBytes.write(stored, 'latin1');
  shownBytes.write(shown, 'latin1');
  return timingSafeEqual(storedBytes, shownBytes);
}

/** Finds companies; the engine does. */
export interface Companies {
  /** All companies, each in its modes. */
  tenants(): readonly Tenant[];
  stateOf<State>(tenant: Tenant, kind: string, id: string): State | undefined;
}

interface Read {
  /** The maps that were read: a company replaces them when a key, a user, a role or an employee changes. */
  readonly keys: CompanyState['keys'];
  readonly users: ReturnType<typeof usersOf>;
  readonly roles: ReturnType<typeof rolesOf>;
  readonly employees: ReturnType<typeof employeesOf>;
  readonly profile: CompanyState['profile'];
  readonly records: ReadonlyMap<string, ApiKeyRecord>;
}

/**
 * The keys of all companies by their hashes, for `apiKeyAuthenticator`. A company is read again when its keys have changed, so that a
 * revoked key fails with the next request.
 */
export function keyDirectory(companies: Companies): (hash: string) => ApiKeyRecord | undefined {
  const read = new Map<string, Read>();
  const owners = new Map<string, Tenant>();

  function recordsOf(tenant: Tenant): ReadonlyMap<string, ApiKeyRecord> {
    const name = `${tenant.company}/${tenant.mode}`;
    const company = companies.stateOf<CompanyState>(tenant, 'company', tenant.company);
    if (!company) return NONE;
    const { keys, profile } = company;
    const [users, roles, employees] = [usersOf(company), rolesOf(company), employeesOf(company)];
    const known = read.get(name);
    if (
      known &&
      known.keys === keys &&
      known.users === users &&
      known.roles === roles &&
      known.employees === employees &&
      known.profile === profile
    )
      return known.records;
    const records = new Map([...keys.values()].map((key) => [key.hash, recordOf(company, tenant, key)]));
    read.set(name, { keys, users, roles, employees, profile, records });
    for (const hash of records.keys()) owners.set(hash, tenant);
    return records;
  }

  return (hash) => {
    const owner = owners.get(hash);
    if (owner) return recordsOf(owner).get(hash);
    // An unknown key may be a new one: companies that changed are read again, the others cost a comparison.
    for (const tenant of companies.tenants()) {
      const found = recordsOf(tenant).get(hash);
      if (found) return found;
    }
    return undefined;
  };
}

const NONE: ReadonlyMap<string, ApiKeyRecord> = new Map();

function recordOf(state: CompanyState, { company, mode }: Tenant, key: ApiKey): ApiKeyRecord {
  const user = usersOf(state).get(key.userId)?.stored;
  return {
    hash: key.hash,
    keyId: key.id,
    company,
    mode,
    userId: key.userId,
    isActive: key.status === 'active' && user?.status === 'active' && state.profile?.status === 'active',
    permissions: user ? permissionsOf(state, user) : new Set(),
    whitelistedIPs: key.whitelistedIPs,
    unknownFields: key.unknownFields,
    investorIds: investorsSeenBy(state, key.userId),
  };
}

/** Refusals that a change which has not arrived here yet may lift: a new key or user, a session of a newer generation. */
const MAY_CHANGE: ReadonlySet<string> = new Set(['unauthenticated', 'tokenRevoked']);

/**
 * For gateways of a cluster, which follow the companies with their keys and users: a key or session that is unknown or revoked here may
 * have changed through another gateway just now. It is checked once more when everything written before has arrived.
 */
export function withNewestKeys(authenticator: Authenticator, caughtUp: () => Promise<void>): Authenticator {
  return {
    authenticate(credential: Credential): Caller | Promise<Caller> {
      const again = (cause: unknown): Promise<Caller> => {
        if (!(cause instanceof Refusal) || !MAY_CHANGE.has(cause.errorType)) throw cause;
        return caughtUp().then(() => authenticator.authenticate(credential));
      };
      try {
        const caller = authenticator.authenticate(credential);
        return caller instanceof Promise ? caller.catch(again) : caller;
      } catch (cause) {
        return again(cause);
      }
    },
  };
}
