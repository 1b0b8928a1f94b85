import type { ClusterPart } from '../runtime/cluster-part.js';
import type { Bus } from '../runtime/ports.js';
import { SHARED_UNIT, type Unit } from './units.js';
import { UnitsClient } from './units-client.js';

/** What the engine of a unit asks of the others. A gateway's own engine has no shards. */
export function clusterPart(bus: Bus, { shards }: Pick<Unit, 'shards'>): ClusterPart {
  const client = new UnitsClient(bus);
  return {
    shards: new Set(shards),
    async recordShared(tenant, type, body) {
      await client.ask<'recordShared'>(SHARED_UNIT, { type: 'recordShared', tenant, fact: type, body });
    },
  };
}
