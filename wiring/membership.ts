import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import {
  type ActorModule,
  actorModules,
  type Blobs,
  clusterReport,
  type OpenedUnit,
  RUNTIME_LIMITS,
  type ShardsReport,
  type SharedKeyValue,
  Scheduler,
  type Unit,
} from '../actors/index.js';
import { blobsOf, type Settings } from '../bench/index.js';
import { ProcessMetrics } from '../gateway/index.js';
import {
  atPath,
  ClusterIdentity,
  connectNats,
  freeBytes,
  inFolderOrBeside,
  insistently,
  loadMasterKey,
  NatsBus,
  openStreamKeyValue,
  streamBytes,
  StreamBlobs,
} from '../persistence/index.js';
import { logOf, natsOf } from './settings.js';
import { settlement } from './settlement.js';
import { type Ownership, UnitOpener } from './unit.js';

/** A process of a cluster, with the parts that its units share. */
export interface Membership {
  readonly name: string;
  readonly log: Logger;
  readonly bus: NatsBus;
  modules(): readonly ActorModule[];
  readonly idKey: Uint8Array;
  readonly records: SharedKeyValue;
  readonly metrics: ProcessMetrics;
  blobs(): Promise<Blobs>;
  /** Opens an engine of the unit in the folder, or beside it while another process of this machine holds the folder. */
  open(unit: Unit, folder: string, ownership: Ownership): Promise<OpenedUnit>;
  close(): Promise<void>;
}

export async function joinCluster(settings: Settings, role: 'worker' | 'gateway'): Promise<Membership> {
  const { cluster, dataFolder } = settings;
  const log = logOf(settings);
  const name =
    settings.node ??
    `${hostname()
      .replace(/[^A-Za-z0-9_-]/g, '-')
      .slice(0, 30)}-${role}`;
  await atPath('the data folder', dataFolder, () => mkdir(dataFolder, { recursive: true, mode: 0o700 }));
  const masterKey = loadMasterKey({ text: settings.masterKey, file: settings.masterKeyFile ?? join(dataFolder, 'master.key') });
  const connection = await connectNats(natsOf(settings), `${cluster} ${role} ${name}`);
  const { records, stamps, identity } = await insistently(() => sharedBy(connection, cluster, masterKey)).catch(async (cause: unknown) => {
    await connection.close();
    throw cause;
  });
  const bus = new NatsBus(connection, cluster);
  const modules = (): readonly ActorModule[] => actorModules({ settlement });
  const stream = { name: `${cluster}-journal`, subjects: `${cluster}.journal` };
  const metrics = ProcessMetrics.withNode();
  metrics.read({
    tenor_nats_connected: () => Number(bus.isConnected),
    tenor_bus_asks_waiting: () => bus.waiting,
    tenor_bus_asks_unanswered_total: () => Object.entries(bus.unanswered).map(([reason, count]) => [{ reason }, count]),
    tenor_journal_bytes: () => streamBytes(connection, stream),
    tenor_disk_free_bytes: () => freeBytes(dataFolder),
  });
  const blobs = async (): Promise<Blobs> => blobsOf(settings, () => StreamBlobs.open(connection, `${cluster}-documents`));
  const scheduler = new Scheduler();
  const opener = new UnitOpener({
    settings,
    blobs,
    name,
    log,
    connection,
    bus,
    stream,
    stamps,
    identity,
    modules,
    scheduler,
    measure: metrics.measure(),
    deliveryMeasure: metrics.deliveries(),
    messageMeasure: metrics.messages(),
    lateWorkMeasure: metrics.lateWork(),
    campaignMeasure: metrics.campaigns(),
  });
  return {
    name,
    log,
    bus,
    modules,
    records,
    metrics,
    idKey: identity.idKey,
    blobs,
    open: (unit, wanted, ownership) =>
      scheduler.opening(() => inFolderOrBeside(wanted, name, (folder, unlock) => opener.open(unit, folder, ownership, unlock))),
    async close() {
      await bus.close();
      await connection.close();
    },
  };
}

/** The state of the shards, without joining the cluster. */
export async function askShards(settings: Settings): Promise<ShardsReport> {
  const connection = await connectNats(natsOf(settings), `${settings.cluster} tool`);
  try {
    const records = await openStreamKeyValue({ connection, bucket: membersOf(settings.cluster), mustBeThere: true });
    return await clusterReport(records, new NatsBus(connection, settings.cluster));
  } finally {
    await connection.close();
  }
}

/** The bucket of leases and of the status that processes report. */
export const membersOf = (cluster: string): string => `${cluster}-members`;

interface Shared {
  readonly records: SharedKeyValue;
  readonly stamps: SharedKeyValue;
  readonly identity: ClusterIdentity;
}

/** What the first process of a cluster created for all. */
async function sharedBy(connection: NatsConnection, cluster: string, masterKey: Uint8Array): Promise<Shared> {
  const opened = (bucket: string): Promise<SharedKeyValue> => openStreamKeyValue({ connection, bucket });
  const [records, stamps] = await Promise.all([opened(membersOf(cluster)), opened(`${cluster}-stamps`)]);
  return { records, stamps, identity: await ClusterIdentity.open({ records, masterKey, shards: RUNTIME_LIMITS.shards }) };
}
