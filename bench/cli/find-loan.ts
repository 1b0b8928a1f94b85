import type { LoanState, Recomputed, Tenant } from '../../actors/index.js';
import { must } from '../../engine/index.js';

/** What reading a loan may know. */
type Scope = ReturnType<Recomputed['scope']>;

export interface FoundLoan {
  readonly tenant: Tenant;
  readonly state: LoanState;
  readonly scope: Scope;
}

/** The loans of a data folder that a service id or an `ext-` id names: an external id is unique in a company's mode only. */
export function findLoans({ world, scope }: Recomputed, anyId: string): readonly FoundLoan[] {
  return world.catalog.tenantsOf('loan').flatMap((tenant) => {
    const id = anyId.startsWith('ext-') ? world.catalog.findExternal(tenant, 'loan', anyId.slice(4)) : anyId;
    const actor = id === undefined ? undefined : world.find(tenant, 'loan', id);
    if (actor === undefined) return [];
    return [{ tenant, state: actor.state as LoanState, scope: scope(tenant, must(world.shardOf(actor.id), actor.id)) }];
  });
}
