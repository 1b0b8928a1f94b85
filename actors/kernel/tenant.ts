/** Test data and live data never meet: the mode is part of every key, index, subject and cursor. */
export type Mode = 'test' | 'live';

/** The owner of data: a company in one mode. Everything that is stored, listed or streamed lies under one. */
export interface Tenant {
  readonly company: string;
  readonly mode: Mode;
}

/** The texts under which a tenant's things are looked up, many times a command: each is made once. */
interface Keys {
  readonly own: string;
  readonly below: Map<string, string>;
}

const KEYS = Symbol('keys');
interface Keyed extends Tenant {
  readonly [KEYS]?: Keys;
}

/** The one object that stands for a tenant; a plain object serves as well, but makes its keys anew each time. */
export function tenantOf(company: string, mode: Mode): Tenant {
  const known = knownTenants[mode].get(company);
  if (known !== undefined) return known;
  const tenants = knownTenants[mode];
  if (tenants.size >= MAX_KNOWN) tenants.clear();
  const tenant: Tenant = { company, mode };
  const keys: Keys = { own: keyText(tenant), below: new Map() };
  Object.defineProperty(tenant, KEYS, { value: keys }); // not enumerable: it is no part of what the tenant is
  tenants.set(company, tenant);
  return tenant;
}

/** Companies whose keys are kept ready, in each mode. */
const MAX_KNOWN = 10_000;
const knownTenants: Readonly<Record<Mode, Map<string, Tenant>>> = { test: new Map(), live: new Map() };

export const tenantKey = (tenant: Tenant): string => (tenant as Keyed)[KEYS]?.own ?? keyText(tenant);

/** The key of what a tenant has of a kind or in a zone: names of a small, fixed number. */
export function keyBelow(tenant: Tenant, name: string): string {
  const keys = (tenant as Keyed)[KEYS];
  if (keys === undefined) return `${keyText(tenant)}/${name}`;
  const known = keys.below.get(name);
  if (known !== undefined) return known;
  const key = `${keys.own}/${name}`;
  keys.below.set(name, key);
  return key;
}

const keyText = (tenant: Tenant): string => `${tenant.company}/${tenant.mode}`;
