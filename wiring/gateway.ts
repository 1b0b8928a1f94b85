import { join } from 'node:path';
import { ClusterClient, clusterReport, OwnersLook } from '../actors/index.js';
import type { GatewayHouse, Settings } from '../bench/index.js';
import { clusterEventSource, recently } from '../gateway/index.js';
import { joinCluster } from './membership.js';
import { serve } from './serve.js';

/** Joins the cluster as a gateway, which owns no unit and follows what all share. */
export async function openGateway(settings: Settings): Promise<GatewayHouse> {
  const member = await joinCluster(settings, 'gateway');
  const folder = join(settings.dataFolder, 'gateways', member.name);
  const { engine, release } = await member.open({ name: 'none', shards: [] }, folder, { isHeld: () => true, acknowledged: new Map() });
  const client = new ClusterClient({
    bus: member.bus,
    modules: member.modules(),
    idKey: member.idKey,
    sharedKnown: (sequence) => engine.sharedFacts.known(sequence),
  });
  const owners = new OwnersLook(member.records);
  const seen = recently(() => owners.look());
  member.metrics.read({
    tenor_units_without_owner: async () => (await seen())?.unowned ?? null,
    tenor_workers: async () => (await seen())?.workers ?? null,
  });
  return {
    settings,
    companies: {
      tenants: () => engine.tenants(),
      stateOf: (tenant, kind, id) => engine.stateOf(tenant, kind, id),
      newSharedId: (prefix) => client.newSharedId(prefix),
      execute: (request) => client.execute(request),
    },
    async serve() {
      return serve(
        settings,
        {
          engine: client,
          blobs: await member.blobs(),
          events: clusterEventSource(client.events),
          here: engine,
          caughtUp: () => client.sharedNow(),
          metrics: member.metrics,
          shards: () => clusterReport(member.records, member.bus),
          isConnected: () => member.bus.isConnected,
        },
        member.log,
      );
    },
    async close() {
      await engine.close();
      await release();
      await member.close();
    },
  };
}
