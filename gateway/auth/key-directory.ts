import {
  type ApiKey,
  type CompanyState,
  employeesOf,
  investorsSeenBy,
  permissionsOf,
  rolesOf,
  type Tenant,
  usersOf,
} from '../../actors/index.js';
import type { ApiKeyRecord } from './api-keys.js';

/** Where companies are found; the engine is one. */
export interface Companies {
  /** All companies, each in its modes. */
  tenants(): readonly Tenant[];
  stateOf<State>(tenant: Tenant, kind: string, id: string): State | undefined;
}

interface Read {
  /** The very maps that were read: a company replaces them when a key, a user, a role or an employee changes. */
  readonly keys: CompanyState['keys'];
  readonly users: ReturnType<typeof usersOf>;
  readonly roles: ReturnType<typeof rolesOf>;
  readonly employees: ReturnType<typeof employeesOf>;
  readonly profile: CompanyState['profile'];
  readonly records: ReadonlyMap<string, ApiKeyRecord>;
}

/**
 * The keys of all companies by their hashes, for `apiKeyAuthenticator`. A company is read again when its keys are no
 * longer those that were read, so that a revoked key fails with the next request.
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
