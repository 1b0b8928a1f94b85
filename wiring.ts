import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { pino, type Logger } from 'pino';
import { companyZone } from './actors/company/index.js';
import { actorModules } from './actors/modules.js';
import { defaultSettlement, type SettlementPort, tellReturns } from './actors/loan/index.js';
import { type ActorModule, type Blobs, ClusterClient, clusterPart, clusterReport, Engine, type EngineParts, type Journal, type KeyStore, LeaseHolder, NotHeld, type OpenedUnit, OwnersLook, type ProcessStatus, processStatus, recompute, recordsStored, reportOfProcess, RUNTIME_LIMITS, serveStatus, SHARED_SHARD, type ShardHead, type ShardsReport, type SharedKeyValue, SNAPSHOT_FORMAT, Turns, type Unit, UNITS, unitsOfOwners, type UnitStatus, Worker, workerKey } from './actors/index.js';
import { addressesOf, blobsOf, clusterWorkshop, documentsFolder, type Door, type GatewayHouse, type House, lookupsOf, rateLimitOf, readSettings, reportRecovery, type Serving, type Settings, UsageError, walkFolder, type WorkerHouse, type Workshop } from './bench/index.js';
import { AddressRules, clusterEventSource, Deliveries, type DeliveriesOptions, type DeliveryMeasure, DeliveryStore, type Engine as GatewayEngine, engineEventSource, HttpOutgoing, type EventSource, logSender, MemoryRateLimiter, openDesks, ProcessMetrics, rateLimitsFor, type Readiness, recently, RedisRateLimiter, resourceRoutes, startGateway, startOperatorServer } from './gateway/index.js';
import { arriveWithSnapshots, ClusterIdentity, connectNats, folderAdapters, folderBytes, freeBytes, inFolderOrBeside, insistently, loadIdKey, loadMasterKey, lockFolder, NatsBus, NatsEventStream, openJournal, openKeyStore, type OpenedSnapshots, openSnapshots, openSource, openStreamJournal, openStreamKeyStore, openStreamKeyValue, openTarget, OutboxStream, type PlaceOptions, streamBytes, StreamBlobs, StreamOutbox, systemClock, ThreadPulse } from './persistence/index.js';

/** Who moves the money: the default settles by the calendar. A bank's own part stands here instead. */
const settlement: SettlementPort = defaultSettlement;

/** What subcommands ask for, of parts that are wired together here and nowhere else. */
export const door: Door = {
  open: async (flags) => openHouse(checkedSettings(flags)),
  openWorkshop: async (flags, { checkRecords }) => flags['nats'] === undefined
    ? openWorkshop(checkedSettings(flags), checkRecords ? 'checkingRecords' : 'quickly')
    : clusterWorkshop({ settings: checkedSettings(flags), source: await openSource(placeOf(flags)), clock: systemClock, modules: actorModules({ settlement }) }),
  openWorker: async (flags) => openWorker(checkedSettings(flags)),
  openGateway: async (flags) => openGateway(checkedSettings(flags)),
  askShards: async (flags) => askShards(checkedSettings(flags)),
  openSource: async (flags) => openSource(placeOf(flags)),
  openTarget: async (flags) => openTarget(placeOf(flags)),
};

/** Where an export comes from or goes: a data folder that is named is meant, whatever cluster the environment knows. */
function placeOf(flags: Readonly<Record<string, unknown>>): PlaceOptions {
  const { masterKey: masterKeyText, ...settings } = checkedSettings(flags);
  const isFolder = flags['dataFolder'] !== undefined && flags['nats'] === undefined;
  return { ...settings, masterKeyText, nats: isFolder ? null : settings.nats, shards: RUNTIME_LIMITS.shards, units: UNITS.map(({ name }) => name), unitsOf: unitsOfOwners };
}

function checkedSettings(flags: Readonly<Record<string, unknown>>): Settings {
  const { settings, faults } = readSettings(flags, process.env);
  if (faults.length > 0) throw new UsageError(faults.map(({ name, message }) => `${name}: ${message}`).join('\n'));
  return settings;
}

async function openHouse(settings: Settings): Promise<House> {
  const { parts, deliveries, metrics, log, release } = await openParts(settings, 'quickly');
  const engine = await Engine.open(parts);
  settlement.connect?.(tellReturns(engine));
  const units = (): readonly UnitStatus[] => [{ unit: 'all', ...engine.status }];
  metrics.readUnits(units);
  return {
    settings,
    engine,
    async serve() {
      const events = engineEventSource(engine);
      return serve(settings, { engine, blobs: await blobsOf(settings, () => documentsFolder(settings)), events, here: engine, caughtUp: null, deliveries: deliveries.start({ engine, source: events }), metrics, shards: () => Promise.resolve(reportOfProcess(processStatus('this process', units(), null))) }, log);
    },
    async close() {
      await engine.close();
      await release();
    },
  };
}

async function openWorkshop(settings: Settings, how: 'quickly' | 'checkingRecords'): Promise<Workshop> {
  if (!existsSync(join(settings.dataFolder, 'journal'))) throw new UsageError(`There is no data in ${settings.dataFolder}.`);
  const { parts, setAside, masterKeyFile, release } = await openParts(settings, how);
  let journal: Promise<Journal> | null = null;
  return {
    settings,
    rotateKeys: (key) => parts.keys.rotate(key),
    walkJournal: () => walkFolder(join(settings.dataFolder, 'journal')),
    servesSnapshots: true,
    masterKeyFile,
    setAside,
    async recompute(from) {
      journal ??= parts.openJournal(new Map());
      return recompute(parts, await journal, from === 'served' ? parts.stores : null);
    },
    async close() {
      await (await journal?.catch(() => null))?.close(); // whoever asked was told why it did not open
      await parts.stores.close();
      await parts.keys.close();
      await release();
    },
  };
}

interface OpenedParts {
  readonly parts: EngineParts;
  readonly deliveries: Deliveries;
  readonly metrics: ProcessMetrics;
  readonly log: Logger;
  readonly setAside: Workshop['setAside'];
  readonly masterKeyFile: string | null;
  release(): Promise<void>;
}

async function openParts(settings: Settings, how: 'quickly' | 'checkingRecords'): Promise<OpenedParts> {
  const { dataFolder } = settings;
  const log = pino({ level: settings.logLevel }, pino.destination(2));
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(dataFolder);
  const file = settings.masterKeyFile ?? join(dataFolder, 'master.key');
  const masterKey = loadMasterKey({ text: settings.masterKey, file });
  const stores = openSnapshots({ folder: join(dataFolder, 'snapshots'), checkRecords: how === 'checkingRecords' });
  const keys = await openKeyStore({ folder: join(dataFolder, 'keys'), masterKey });
  const metrics = new ProcessMetrics();
  const deliveries = deliveriesOf(settings, { stores, keys, measure: metrics.deliveries() }, log);
  metrics.read({ tenor_journal_bytes: () => folderBytes(join(dataFolder, 'journal')), tenor_disk_free_bytes: () => freeBytes(dataFolder) });
  const parts: EngineParts = {
    clock: systemClock,
    async openJournal() {
      const journal = await openJournal({ folder: join(dataFolder, 'journal') });
      reportRecovery(journal.report, log);
      return journal;
    },
    stores,
    keys,
    idKey: loadIdKey(dataFolder),
    modules: actorModules({ settlement }),
    services: deliveries.services,
    companyZone,
    residentActors: () => settings.residentActors,
    measure: metrics.measure(),
    turns: new Turns(),
    report: (level, message, details) => log[level](details ?? {}, message),
  };
  return { parts, deliveries, metrics, log, setAside: stores.setAside, masterKeyFile: settings.masterKey === null ? file : null, release: () => lock.release() };
}

/** What the processes of a cluster share. */
async function joinCluster(settings: Settings, role: string): Promise<Membership> {
  const log = pino({ level: settings.logLevel }, pino.destination(2));
  const name = settings.node ?? `${hostname().replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 30)}-${role}`;
  await mkdir(settings.dataFolder, { recursive: true, mode: 0o700 });
  const masterKey = loadMasterKey({ text: settings.masterKey, file: settings.masterKeyFile ?? join(settings.dataFolder, 'master.key') });
  const connection = await connectNats(natsOf(settings), `${settings.cluster} ${role} ${name}`);
  const { records, stamps, identity } = await insistently(() => sharedBy(connection, settings.cluster, masterKey)).catch(async (cause: unknown) => {
    await connection.close();
    throw cause;
  });
  const { idKey } = identity;
  const bus = new NatsBus(connection, settings.cluster);
  const modules = (): readonly ActorModule[] => actorModules({ settlement });
  const turns = new Turns();
  const stream = { name: `${settings.cluster}-journal`, subjects: `${settings.cluster}.journal` };
  const metrics = new ProcessMetrics();
  const measure = metrics.measure();
  const deliveryMeasure = metrics.deliveries();
  metrics.read({
    tenor_nats_connected: () => Number(bus.isConnected),
    tenor_bus_asks_waiting: () => bus.waiting,
    tenor_bus_asks_unanswered_total: () => Object.entries(bus.unanswered).map(([reason, count]) => [{ reason }, count]),
    tenor_journal_bytes: () => streamBytes(connection, stream),
    tenor_disk_free_bytes: () => freeBytes(settings.dataFolder),
  });
  const openUnits = new Set<string>();
  return {
    name, log, bus, modules, idKey, records, metrics,
    blobs: async () => blobsOf(settings, () => StreamBlobs.open(connection, `${settings.cluster}-documents`)),
    open: (unit, wanted, { isHeld, acknowledged: before }) => inFolderOrBeside(wanted, name, async (folder, unlock) => {
      openUnits.add(unit.name);
      const own = modules(); // the index of a search is one engine's
      const report = (level: 'info' | 'warn', message: string, details: object): void => log[level]({ ...details, unit: unit.name }, message);
      const snapshots = unit.shards.length === 0 ? null : await arriveWithSnapshots({
        connection, stream, report, cluster: settings.cluster, unit: unit.name, folder: join(folder, 'snapshots'), format: SNAPSHOT_FORMAT,
        recordsIn: (store) => recordsStored(store, unit.shards),
      });
      const stores = openSnapshots({ folder: join(folder, 'snapshots'), checkRecords: false });
      const keys = await openStreamKeyStore({ connection, bucket: `${settings.cluster}-keys-${unit.name}`, imageBucket: `${settings.cluster}-keyimages-${unit.name}`, identity }).catch(closing(stores));
      const deliveries = unit.shards.includes(SHARED_SHARD) ? sharedDeliveries(settings, connection, { stores, keys, measure: deliveryMeasure, owner: name, isHeld }, log) : null;
      let journal: Journal | null = null;
      const engine = await Engine.open({
        clock: systemClock,
        async openJournal(acknowledged) {
          if (!isHeld()) throw new NotHeld(unit.name);
          const opened = await openStreamJournal({ connection, stream, shards: unit.shards, followed: unit.shards.includes(SHARED_SHARD) ? [] : [SHARED_SHARD], owner: name, isHeld, acknowledged: new Map([...before, ...acknowledged]) });
          await keys.load().catch(closing(opened)); // behind the fence
          return (journal = opened);
        },
        stores, keys, idKey, companyZone,
        modules: own,
        ...(deliveries ? { services: deliveries.services } : {}),
        residentActors: () => Math.ceil(settings.residentActors / openUnits.size),
        measure,
        turns,
        part: clusterPart({ bus, unit, stamps, modules: own, idKey }),
        report: (level, message, details) => log[level]({ ...details, unit: unit.name }, message),
      }).catch(closing(stores));
      const heads = (): ReadonlyMap<number, ShardHead> => new Map([...(journal?.heads() ?? [])].filter(([shard]) => unit.shards.includes(shard)));
      const keeper = await snapshots?.keep({ everyMs: settings.snapshotSeconds * 1000, stores, keys, heads, snapshot: () => engine.snapshot(), takenBy: name, bus }).catch(closing(engine));
      const client = new ClusterClient({ bus, modules: own, idKey, sharedKnown: (sequence) => engine.sharedFacts.known(sequence) });
      deliveries?.start({ engine, source: clusterEventSource(client.events), objects: client });
      const release = async (): Promise<void> => {
        openUnits.delete(unit.name);
        await unlock();
      };
      return { engine, heads, retire: async () => void (await Promise.all([deliveries?.close(), keeper?.stop()])), release };
    }),
    async close() {
      await bus.close();
      await connection.close();
    },
  };
}

/** For what failed, of which something was opened. */
const closing = (opened: { close(): Promise<void> }) => async (cause: unknown): Promise<never> => {
  await opened.close();
  throw cause;
};

/** Those of a cluster, by whoever owns the unit of what all share. */
function sharedDeliveries(
  settings: Settings, connection: NatsConnection, { stores, keys, measure, owner, isHeld }: { readonly stores: OpenedSnapshots; readonly keys: KeyStore; readonly measure: DeliveryMeasure; readonly owner: string; readonly isHeld: () => boolean }, log: Logger,
): Deliveries {
  const outbox = new StreamOutbox({
    openStream: () => OutboxStream.open({ connection, name: `${settings.cluster}-deliveries`, subjects: `${settings.cluster}.deliveries` }),
    local: stores, owner, isHeld, isShared: DeliveryStore.isShared, entriesOf: DeliveryStore.entriesOf, report: (message, details) => log.warn(details, message),
  });
  return deliveriesOf(settings, { stores: { outbox, rebuild: (environment) => outbox.rebuild(environment) }, shared: outbox, holds: () => outbox.isOpen && isHeld(), keys, measure }, log);
}

/** What the first process of a cluster has made for all. */
async function sharedBy(connection: NatsConnection, cluster: string, masterKey: Uint8Array): Promise<{ readonly records: SharedKeyValue; readonly stamps: SharedKeyValue; readonly identity: ClusterIdentity }> {
  const [records, stamps] = await Promise.all([openStreamKeyValue({ connection, bucket: membersOf(cluster) }), openStreamKeyValue({ connection, bucket: `${cluster}-stamps` })]);
  return { records, stamps, identity: await ClusterIdentity.open({ records, masterKey, shards: RUNTIME_LIMITS.shards }) };
}

interface Ownership {
  /** The journal is opened, and opened again, only while this process owns the unit. */
  readonly isHeld: () => boolean;
  /** What this process was acknowledged when it had the unit before. */
  readonly acknowledged: ReadonlyMap<number, ShardHead>;
}

interface Membership {
  readonly name: string;
  readonly log: Logger;
  readonly bus: NatsBus;
  modules(): readonly ActorModule[];
  readonly idKey: Uint8Array;
  readonly records: SharedKeyValue;
  readonly metrics: ProcessMetrics;
  blobs(): Promise<Blobs>;
  open(unit: Unit, folder: string, ownership: Ownership): Promise<OpenedUnit>;
  close(): Promise<void>;
}

async function openWorker(settings: Settings): Promise<WorkerHouse> {
  const member = await joinCluster(settings, 'worker');
  const report: EngineParts['report'] = (level, message, details) => member.log[level](details ?? {}, message);
  const worker: Worker = new Worker({
    bus: member.bus, report, isHeld: (unit) => leases.isHeld(unit),
    open: (unit, acknowledged) => member.open(unit, join(settings.dataFolder, 'units', unit.name), { isHeld: () => leases.isHeld(unit.name), acknowledged }),
  });
  const id = `${member.name}-${randomBytes(4).toString('hex')}`;
  const pulse = await ThreadPulse.start({
    nats: natsOf(settings), name: `${settings.cluster} pulse of ${id}`, bucket: membersOf(settings.cluster), key: workerKey(id), beatMs: RUNTIME_LIMITS.leaseBeatMs, stallMs: RUNTIME_LIMITS.workerStallMs,
  });
  const leases: LeaseHolder = await LeaseHolder.join({ records: member.records, worker: id, address: member.name, units: UNITS.map(({ name }) => name), owner: worker, pulse, report });
  const status = (): ProcessStatus => processStatus(member.name, worker.status(), leases.beatAgeMs / 1000);
  const { metrics } = member;
  const readiness = (): Readiness => ({ ready: leases.isAwake && worker.isWritable, parts: { leases: leases.isAwake ? 'held' : 'late', units: worker.isWritable ? 'writable' : 'readOnly' } });
  metrics.readUnits(() => worker.status());
  metrics.read({
    tenor_ready: () => Number(readiness().ready),
    tenor_leases_held: () => leases.leases.size,
    tenor_lease_beat_age_seconds: () => leases.beatAgeMs / 1000,
    tenor_lease_beats_missed_total: () => leases.beatsMissed,
  });
  const silence = await serveStatus(member.bus, leases.worker, status);
  const pages = settings.operatorPort === null ? null : await startOperatorServer({
    host: settings.host, port: settings.operatorPort, operators: addressesOf(settings.operators), trustedProxies: addressesOf(settings.trustedProxies),
    registry: metrics.registry,
    readiness,
    shards: () => Promise.resolve(reportOfProcess(status())),
    onFailure: (cause) => member.log.error({ err: cause }, 'a page failed'),
  });
  leases.run();
  return {
    name: member.name,
    operatorUrl: pages && `http://${settings.host}:${pages.port}`,
    ended: leases.ended,
    async close() {
      await leases.leave();
      await worker.settled();
      await silence();
      await pages?.close();
      await member.close();
    },
  };
}

async function openGateway(settings: Settings): Promise<GatewayHouse> {
  const member = await joinCluster(settings, 'gateway');
  const { engine, release } = await member.open({ name: 'none', shards: [] }, join(settings.dataFolder, 'gateways', member.name), { isHeld: () => true, acknowledged: new Map() });
  const client = new ClusterClient({ bus: member.bus, modules: member.modules(), idKey: member.idKey, sharedKnown: (sequence) => engine.sharedFacts.known(sequence) });
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
      return serve(settings, { engine: client, blobs: await member.blobs(), events: clusterEventSource(client.events), here: engine, caughtUp: () => client.sharedNow(), metrics: member.metrics, shards: () => clusterReport(member.records, member.bus), isConnected: () => member.bus.isConnected }, member.log);
    },
    async close() {
      await engine.close();
      await release();
      await member.close();
    },
  };
}

async function askShards(settings: Settings): Promise<ShardsReport> {
  const connection = await connectNats(natsOf(settings), `${settings.cluster} tool`);
  try {
    const records = await openStreamKeyValue({ connection, bucket: membersOf(settings.cluster), mustBeThere: true });
    return await clusterReport(records, new NatsBus(connection, settings.cluster));
  } finally {
    await connection.close();
  }
}

const membersOf = (cluster: string): string => `${cluster}-members`;

function natsOf({ nats }: Settings): string {
  if (nats === null) throw new UsageError('nats (TENOR_NATS): a cluster needs the address of its server');
  return nats;
}

const outgoingRules = ({ outgoingAllowed }: Settings): AddressRules => new AddressRules(addressesOf(outgoingAllowed));

const deliveriesOf = (settings: Settings, parts: Pick<DeliveriesOptions, 'stores' | 'keys' | 'holds' | 'shared' | 'measure'>, log: Logger): Deliveries =>
  new Deliveries({
    ...parts, outgoing: new HttpOutgoing(outgoingRules(settings)), publishTo: settings.eventsNats === null ? null : new NatsEventStream(settings.eventsNats),
    adapters: folderAdapters(settings.messages ?? join(settings.dataFolder, 'messages')),
    report: (level, message, details) => log[level](details, message),
  });

interface Served {
  readonly engine: GatewayEngine;
  readonly events: EventSource;
  readonly blobs: Blobs;
  /** The engine of this process, which knows companies with their keys and users. */
  readonly here: Engine;
  readonly caughtUp: (() => Promise<void>) | null; // see `openDesks`
  readonly deliveries?: Deliveries;
  readonly shards: () => Promise<ShardsReport>;
  readonly metrics: ProcessMetrics;
  /** Whether there is a way to what this process cannot do itself. */
  readonly isConnected?: () => boolean;
}

async function serve(settings: Settings, { engine, events, blobs, here, caughtUp, deliveries, shards, metrics, isConnected = () => true }: Served, log: Logger): Promise<Serving> {
  const rateLimits = { test: rateLimitsFor(rateLimitOf(settings.testRateLimit) ?? null), live: rateLimitsFor(rateLimitOf(settings.liveRateLimit) ?? null) };
  const redis = settings.redis === null ? null : new RedisRateLimiter({ url: settings.redis, limits: rateLimits, nowMs: Date.now, report: (message) => log.warn(message) });
  if (redis) metrics.read({ tenor_redis_connected: () => Number(redis.isConnected) });
  const rateLimiter = redis ?? new MemoryRateLimiter(rateLimits, Date.now);
  const onFailure = (cause: unknown, where?: object): void => log.error({ err: cause, where }, 'a request failed');
  const codes = logSender(({ destination: _personal, ...message }) => log.info(message, 'a code for the test mode: nothing sends it'));
  const { desks, authenticator } = openDesks({ engine, companies: here, nowMs: Date.now, codes, limiter: rateLimiter, onFailure, caughtUp });
  const gateway = await startGateway({
    host: settings.host,
    port: settings.port,
    routes: resourceRoutes(lookupsOf(settings), outgoingRules(settings), { desks, blobs, codes, callbackSecret: settings.callbackSecret }),
    engine,
    events,
    readiness: () => readinessOf(here, isConnected()),
    authenticator,
    rateLimiter,
    registry: metrics.registry,
    shards,
    operators: addressesOf(settings.operators),
    publicOrigin: settings.publicUrl,
    trustedProxies: addressesOf(settings.trustedProxies),
    onFailure,
  });
  return {
    url: `http://${settings.host}:${gateway.port}`,
    async close() {
      await gateway.close();
      await deliveries?.close();
      redis?.close();
    },
  };
}

const readinessOf = ({ isWritable }: Engine, isConnected: boolean): Readiness =>
  ({ ready: isWritable && isConnected, parts: { journal: isWritable ? 'writable' : 'readOnly', ...(isConnected ? {} : { nats: 'away' }) } });
