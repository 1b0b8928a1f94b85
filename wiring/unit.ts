import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { companyZone } from '../actors/company/index.js';
import {
  type ActorModule,
  type Blobs,
  ClusterClient,
  clusterPart,
  Engine,
  type EngineParts,
  type LateWorkMeasure,
  type MessageMeasure,
  NotHeld,
  type OpenedUnit,
  recordsStored,
  type ShardHead,
  SHARED_SHARD,
  type SharedKeyValue,
  SNAPSHOT_FORMAT,
  type Scheduler,
  type Unit,
} from '../actors/index.js';
import type { Settings } from '../bench/index.js';
import { clusterEventSource, type DeliveryMeasure, type RunnerMeasure } from '../gateway/index.js';
import {
  arriveWithSnapshots,
  type ClusterIdentity,
  type NatsBus,
  openSnapshotsBeside,
  openStreamJournal,
  openStreamKeyStore,
  systemClock,
} from '../persistence/index.js';
import { sharedDeliveries } from './deliveries.js';

export interface Ownership {
  /** The journal is opened, and opened again, only while this process owns the unit. */
  readonly isHeld: () => boolean;
  /** The ends of shards that were acknowledged when this process owned the unit before. */
  readonly acknowledged: ReadonlyMap<number, ShardHead>;
}

interface OpenerParts {
  readonly settings: Settings;
  /** Of the process, in the cluster. */
  readonly name: string;
  readonly log: Logger;
  readonly connection: NatsConnection;
  readonly bus: NatsBus;
  readonly stream: { readonly name: string; readonly subjects: string };
  readonly stamps: SharedKeyValue;
  readonly identity: ClusterIdentity;
  readonly modules: () => readonly ActorModule[];
  readonly scheduler: Scheduler;
  readonly measure: NonNullable<EngineParts['measure']>;
  readonly deliveryMeasure: DeliveryMeasure;
  readonly messageMeasure: MessageMeasure;
  readonly lateWorkMeasure: LateWorkMeasure;
  readonly campaignMeasure: RunnerMeasure;
  readonly blobs: () => Promise<Blobs>;
}

/** Opens engines of the units that a process of a cluster owns, side by side. */
export class UnitOpener {
  readonly #open = new Set<string>();

  constructor(private readonly parts: OpenerParts) {}

  /** `unlock` releases the folder once the engine is closed. */
  async open(unit: Unit, folder: string, ownership: Ownership, unlock: () => Promise<void>): Promise<OpenedUnit> {
    const { settings, name, log, connection, bus, identity } = this.parts;
    const { cluster } = settings;
    this.#open.add(unit.name);
    const modules = this.parts.modules(); // its own: the index of a search is one engine's
    const snapshotFolder = join(folder, 'snapshots');
    const snapshots = unit.shards.length === 0 ? null : await this.#snapshotsOf(unit, snapshotFolder);
    const stores = await openSnapshotsBeside({ folder: snapshotFolder });
    const buckets = { bucket: `${cluster}-keys-${unit.name}`, imageBucket: `${cluster}-keyimages-${unit.name}` };
    const keys = await openStreamKeyStore({ connection, ...buckets, identity }).catch(closing(stores));
    const { deliveryMeasure: measure, messageMeasure, lateWorkMeasure, campaignMeasure } = this.parts;
    const deliveries = isShared(unit)
      ? sharedDeliveries(
          settings,
          connection,
          { stores, keys, measure, messageMeasure, lateWorkMeasure, campaignMeasure, owner: name, isHeld: ownership.isHeld, folder },
          log,
        )
      : null;
    let journal: OpenedJournal | null = null;
    const engine = await Engine.open({
      ...this.#partsOf(unit, modules),
      stores,
      keys,
      openJournal: async (acknowledged) => {
        const opened = await this.#journalOf(unit, ownership, acknowledged);
        await keys.load().catch(closing(opened)); // behind the fence
        return (journal = opened);
      },
      ...(deliveries ? { services: deliveries.services } : {}),
    }).catch(closing(stores));
    const heads = (): ReadonlyMap<number, ShardHead> =>
      new Map([...(journal?.heads() ?? [])].filter(([shard]) => unit.shards.includes(shard)));
    const everyMs = settings.snapshotSeconds * 1000;
    const uploads = await snapshots
      ?.keep({ everyMs, stores, keys, heads, snapshot: () => engine.snapshot(), takenBy: name, bus })
      .catch(closing(engine));
    const client = new ClusterClient({
      bus,
      modules,
      idKey: identity.idKey,
      sharedKnown: (sequence) => engine.sharedFacts.known(sequence),
    });
    const blobs = deliveries && (await this.parts.blobs().catch(closing(engine)));
    if (deliveries && blobs) deliveries.start({ engine, source: clusterEventSource(client.events), objects: client, blobs });
    return {
      engine,
      heads,
      retire: async () => void (await Promise.all([deliveries?.close(), uploads?.stop()])),
      release: async () => {
        this.#open.delete(unit.name);
        await unlock();
      },
    };
  }

  /** The snapshots of the former owner, where they are newer than those of the folder. */
  #snapshotsOf(unit: Unit, folder: string): ReturnType<typeof arriveWithSnapshots> {
    const {
      settings: { cluster },
      connection,
      stream,
      log,
    } = this.parts;
    return arriveWithSnapshots({
      connection,
      stream,
      cluster,
      folder,
      unit: unit.name,
      format: SNAPSHOT_FORMAT,
      report: (level, message, details) => log[level]({ ...details, unit: unit.name }, message),
      recordsIn: (store) => recordsStored(store, unit.shards),
    });
  }

  async #journalOf(
    unit: Unit,
    { isHeld, acknowledged: before }: Ownership,
    acknowledged: ReadonlyMap<number, ShardHead>,
  ): Promise<OpenedJournal> {
    if (!isHeld()) throw new NotHeld(unit.name);
    const { connection, stream, name } = this.parts;
    return openStreamJournal({
      connection,
      stream,
      isHeld,
      shards: unit.shards,
      followed: isShared(unit) ? [] : [SHARED_SHARD],
      owner: name,
      acknowledged: new Map([...before, ...acknowledged]),
    });
  }

  /** The parts of an engine except those that are opened for it. */
  #partsOf(unit: Unit, modules: readonly ActorModule[]): Omit<EngineParts, 'openJournal' | 'stores' | 'keys'> {
    const {
      settings,
      log,
      bus,
      stamps,
      identity: { idKey },
      scheduler,
      measure,
    } = this.parts;
    return {
      clock: systemClock,
      idKey,
      companyZone,
      modules,
      cachedActors: () => Math.ceil(settings.cachedActors / this.#open.size),
      measure,
      scheduler,
      part: clusterPart({ bus, unit, stamps, modules, idKey }),
      report: (level, message, details) => log[level]({ ...details, unit: unit.name }, message),
    };
  }
}

type OpenedJournal = Awaited<ReturnType<typeof openStreamJournal>>;

/** Whether it is the unit of companies and other shared objects. */
const isShared = ({ shards }: Unit): boolean => shards.includes(SHARED_SHARD);

/** Closes what was opened before a failure, and throws the failure. */
const closing =
  (opened: { close(): Promise<void> }) =>
  async (cause: unknown): Promise<never> => {
    await opened.close();
    throw cause;
  };
