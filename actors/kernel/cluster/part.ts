import { must } from '../../../engine/index.js';
import type { ActorModule } from '../actor.js';
import type { ClusterPart } from '../shard/cluster-part.js';
import { Ids } from '../ids.js';
import type { Bus, SharedKeyValue } from '../ports.js';
import { claimUnitOf, holderOf } from './external-ids.js';
import { getOperation } from './operations.js';
import { ToldStamps } from './published-watermark.js';
import { BORROWER_UNITS, SHARED_UNIT, type Unit, unitOf } from './units.js';
import { UnitsClient } from './units-client.js';

export interface PartOptions {
  readonly bus: Bus;
  /** That of a gateway's own engine has no shards. */
  readonly unit: Unit;
  /** Where all parts keep how far they have told. */
  readonly stamps: SharedKeyValue;
  readonly modules: readonly ActorModule[];
  readonly idKey: Uint8Array;
}

/** What the engine of a unit asks of the others. */
export function clusterPart({ bus, unit: { name, shards }, stamps, modules, idKey }: PartOptions): ClusterPart {
  const client = new UnitsClient(bus);
  const told = shards.length === 0 ? null : new ToldStamps(stamps, name);
  const ids = new Ids(idKey);
  const definitions = new Map(modules.map(({ definition }) => [definition.kind, definition]));
  return {
    shards: new Set(shards),
    toldStamp: async () => (await told?.begin()) ?? 0,
    mayTell: async (stamp) => told?.mayTell(stamp),
    tellsNoMore: async () => told?.end(),
    async recordShared(tenant, type, body) {
      await client.ask<'recordShared'>(SHARED_UNIT, { type: 'recordShared', tenant, fact: type, body });
    },
    async actorOf(tenant, kind, id) {
      const unit = unitOf(ids.shardOf(id) ?? -1);
      const packed = unit ? await client.ask<'actor'>(unit, { type: 'actor', tenant, kind, id }) : null;
      return packed === null ? undefined : must(definitions.get(kind), kind).unpack(packed.state, (name) => packed.parts[name]);
    },
    async countOf(tenant, selection) {
      const counts = await client.askAll<'count'>(BORROWER_UNITS, { type: 'count', tenant, selection });
      return counts.reduce((sum, count) => sum + count, 0);
    },
    operation: ({ company, mode }, operationId) =>
      getOperation(client, { company, mode, type: 'operation.get', target: null, params: { operationId }, query: {}, permissions: NONE }),
    holderOf: (tenant, kind, externalId) => holderOf(client, tenant, kind, externalId),
    claim: async (claim) => (await client.ask<'claim'>(claimUnitOf(claim), { type: 'claim', claim })) ?? undefined,
  };
}

/** The engine asks for itself. */
const NONE: ReadonlySet<string> = new Set();
