import { createHash } from 'node:crypto';
import { must } from '../../../engine/index.js';
import type { ExternalClaim } from '../shard/cluster-part.js';
import { type Tenant, tenantKey } from '../fact.js';
import { BORROWER_UNITS, type Unit } from './units.js';
import type { UnitsClient } from './units-client.js';

/** The object of a borrower's unit that has an external id; undefined when none has. All units are asked: none knows of another's. */
export async function holderOf(client: UnitsClient, tenant: Tenant, kind: string, externalId: string): Promise<string | undefined> {
  const found = await client.askAll<'findExternal'>(BORROWER_UNITS, { type: 'findExternal', tenant, kind, externalId });
  return found.find((id) => id !== null) ?? undefined;
}

/** The unit that keeps the claims of an external id. */
export function claimUnitOf({ tenant, kind, externalId }: Pick<ExternalClaim, 'tenant' | 'kind' | 'externalId'>): Unit {
  const hash = createHash('sha256')
    .update(`${tenantKey(tenant)}/${kind}/${externalId}`)
    .digest()
    .readUInt32LE(0);
  return must(BORROWER_UNITS[hash % BORROWER_UNITS.length], 'a unit for each hash');
}
