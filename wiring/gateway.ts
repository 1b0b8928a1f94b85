import { join } from 'node:path';
import { actorModules, ClusterClient, clusterReport, OwnersLook, RUNTIME_LIMITS, UNITS, unitsOfOwners } from '../actors/index.js';
import { clusterOfflineStore, type Access, type GatewayService, type Settings } from '../bench/index.js';
import { clusterEventSource, recently } from '../gateway/index.js';
import { openSource, openTarget, type LocationOptions, systemClock } from '../persistence/index.js';
import { arrangeCollection } from './garbage-collection.js';
import { askShards, joinCluster } from './membership.js';
import { openService, openOfflineStore } from './one-process.js';
import { serve } from './serve.js';
import { checkedSettings } from './settings.js';
import { settlement } from './settlement.js';
import { openWorker } from './worker.js';

/** Joins the cluster as a gateway, which owns no unit and follows the shared shard. */
async function openGateway(settings: Settings): Promise<GatewayService> {
  arrangeCollection();
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

/** How commands reach services and stores, from the parts that only this folder wires together. */
export const access: Access = {
  open: async (flags) => openService(checkedSettings(flags)),
  openOfflineStore: async (flags, { checkRecords }) =>
    flags['nats'] === undefined
      ? openOfflineStore(checkedSettings(flags), checkRecords ? 'checkingRecords' : 'quickly')
      : clusterOfflineStore({
          settings: checkedSettings(flags),
          source: await openSource(locationOf(flags)),
          clock: systemClock,
          modules: actorModules({ settlement }),
        }),
  openWorker: async (flags) => openWorker(checkedSettings(flags)),
  openGateway: async (flags) => openGateway(checkedSettings(flags)),
  askShards: async (flags) => askShards(checkedSettings(flags)),
  openSource: async (flags) => openSource(locationOf(flags)),
  openTarget: async (flags) => openTarget(locationOf(flags)),
};

/** Source or target of an export: the data folder where a flag names one, even if the environment names a cluster. */
function locationOf(flags: Readonly<Record<string, unknown>>): LocationOptions {
  const { masterKey: masterKeyText, ...settings } = checkedSettings(flags);
  const isFolder = flags['dataFolder'] !== undefined && flags['nats'] === undefined;
  return {
    ...settings,
    masterKeyText,
    nats: isFolder ? null : settings.nats,
    shards: RUNTIME_LIMITS.shards,
    units: UNITS.map(({ name }) => name),
    unitsOf: unitsOfOwners,
  };
}
