import type { Tenant } from '../../actors/index.js';
import type { CompanyState } from '../../actors/company/index.js';
import type { ApiKeyRecord } from './api-keys.js';
import { ALL_PERMISSIONS } from './credential.js';

/** Where the companies' states are read; they hold the hashes of their keys. */
export interface Companies {
  tenants(): readonly Tenant[];
  stateOf<State>(tenant: Tenant, kind: string, id: string): State | undefined;
}

/**
 * Finds keys by their hash over the companies of this process. Where a key was found is remembered; what it may
 * do is read anew each time, so that a revoked key stops at once.
 */
export function keyDirectory(companies: Companies): (hash: string) => ApiKeyRecord | undefined {
  const places = new Map<string, { readonly tenant: Tenant; readonly keyId: string }>();

  const read = (tenant: Tenant, keyId: string): ApiKeyRecord | undefined => {
    const company = companies.stateOf<CompanyState>(tenant, 'company', tenant.company);
    const key = company?.keys.get(keyId);
    const user = key && company?.users.get(key.userId);
    return key && {
      hash: key.hash, keyId, company: tenant.company, mode: tenant.mode, userId: key.userId,
      isActive: key.status === 'active' && key.deletedAt === null && user?.status === 'active',
      permissions: ALL_PERMISSIONS, whitelistedIPs: key.whitelistedIPs,
    };
  };

  return (hash) => {
    const place = places.get(hash);
    if (place) {
      const record = read(place.tenant, place.keyId);
      if (record?.hash === hash) return record;
      places.delete(hash);
    }
    for (const tenant of companies.tenants()) {
      const company = companies.stateOf<CompanyState>(tenant, 'company', tenant.company);
      for (const key of company?.keys.values() ?? []) {
        if (key.hash !== hash) continue;
        places.set(hash, { tenant, keyId: key.id });
        return read(tenant, key.id);
      }
    }
    return undefined;
  };
}
