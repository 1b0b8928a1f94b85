import type { Tenant } from '../runtime/fact.js';
import { BORROWER_UNITS } from './units.js';
import type { UnitsClient } from './units-client.js';

/** The object of a borrower's unit that has an external id; undefined when none has. All units are asked: none knows of another's. */
export async function holderOf(client: UnitsClient, tenant: Tenant, kind: string, externalId: string): Promise<string | undefined> {
  const found = await client.askAll<'findExternal'>(BORROWER_UNITS, { type: 'findExternal', tenant, kind, externalId });
  return found.find((id) => id !== null) ?? undefined;
}
