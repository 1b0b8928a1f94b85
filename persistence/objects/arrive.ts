import type { NatsConnection } from '@nats-io/transport-node';
import { describe } from '../errors.js';
import { type JournalStream, openNatsStream } from '../jetstream/nats-stream.js';
import { misfitOf } from '../jetstream/read.js';
import { limits } from '../limits.js';
import type { Bus, KeyValue, ShardHead } from '../ports.js';
import type { OpenedSnapshots } from '../snapshots/open-snapshots.js';
import { UnitObjects } from './unit-objects.js';
import { UnitSnapshots } from './unit-snapshots.js';

interface SnapshotKeeperOptions {
  /** Milliseconds between two of them; 0 = none but those that are asked for. */
  readonly everyMs: number;
  /** Changes when there is something that no stored snapshot has. */
  readonly position: () => number;
  /** Stores one; `copied` is to be called when it needs the engine and its environments no more. */
  store(signal: AbortSignal, copied: () => void): Promise<void>;
  report(level: 'info' | 'warn', message: string, details: Readonly<Record<string, unknown>>): void;
}

/** Stores the snapshots of a unit from time to time, one unit of a process after the other. */
class SnapshotKeeper {
  /** Of all units of this process: each copies and sends alone. */
  static #turn: Promise<void> = Promise.resolve();
  readonly #ending = new AbortController();
  readonly #timer: NodeJS.Timeout | null;
  #copying: Promise<void> = Promise.resolve();
  #stored = 0;

  constructor(private readonly options: SnapshotKeeperOptions) {
    this.#timer = options.everyMs === 0 ? null : setInterval(() => void this.#takeIfNew(), options.everyMs);
    this.#timer?.unref();
  }

  /** Takes one now, behind those of other units. */
  take(): Promise<void> {
    const turn = SnapshotKeeper.#turn.then(() => this.#take());
    SnapshotKeeper.#turn = turn.catch(() => undefined); // whoever asked is told
    return turn;
  }

  /** Resolves when the environments are left alone; what is being sent is given up. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#ending.abort();
    await this.#copying;
  }

  async #takeIfNew(): Promise<void> {
    if (this.options.position() === this.#stored) return;
    try {
      await this.take();
    } catch (cause) {
      if (!this.#ending.signal.aborted)
        this.options.report('warn', 'A snapshot could not be put into the object store; the journal holds everything.', {
          cause: describe(cause),
        });
    }
  }

  async #take(): Promise<void> {
    const { position, store } = this.options;
    if (this.#ending.signal.aborted) return;
    const at = position();
    const begunMs = performance.now();
    let copied: () => void = () => undefined;
    this.#copying = new Promise((resolve) => (copied = resolve));
    await store(this.#ending.signal, copied).finally(copied);
    this.#stored = at;
    this.options.report('info', 'A snapshot lies in the object store.', { tookMs: Math.round(performance.now() - begunMs) });
  }
}

/** Where the owner of a unit is asked for a snapshot. */
const addressOf = (unit: string): string => `snapshots.${unit}`;

export const snapshotsBucketOf = (cluster: string, unit: string): string => `${cluster}-snapshots-${unit}`;

/** Resolves when the owner has stored one. Throws `Unanswered`, and what kept it from it. */
export async function askForSnapshot(bus: Bus, unit: string): Promise<void> {
  const failure = Buffer.from(await bus.ask(addressOf(unit), new Uint8Array(0), limits.snapshotAskMs)).toString();
  if (failure !== '') throw new Error(failure);
}

/** The snapshots of a unit, from its opening on. */
export interface Arrived {
  /** Stores them from time to time. */
  keep(unit: KeptUnit): Promise<{ stop(): Promise<void> }>;
}

interface KeptUnit extends Pick<SnapshotKeeperOptions, 'everyMs'> {
  readonly stores: Pick<OpenedSnapshots, 'copyTo'>;
  /** Of the unit's shards, as they are durable. */
  heads(): ReadonlyMap<number, ShardHead>;
  /** Brings the environments as far as the heads are. */
  snapshot(): Promise<void>;
  /** The data keys, which are kept beside the snapshots. */
  readonly keys: { storeImage(): Promise<void> };
  readonly takenBy: string;
  /** On which the owner can be asked for one. */
  readonly bus: Bus;
}

export interface ArriveOptions {
  readonly connection: NatsConnection;
  readonly cluster: string;
  readonly unit: string;
  readonly stream: JournalStream;
  /** Of the unit's environments, none of which is open. */
  readonly folder: string;
  readonly format: number;
  recordsIn(store: KeyValue): number;
  report(level: 'info' | 'warn', message: string, details: Readonly<Record<string, unknown>>): void;
}

/**
 * Brings what the owner before has stored of a unit's snapshots, where that is newer than what lies here. Whatever keeps it from that is
 * said, and the journal is read from further back instead. One that is ahead of its stream is taken: the opening stops at it, as at any
 * snapshot that is.
 */
export async function arriveWithSnapshots({
  connection,
  cluster,
  unit,
  stream,
  folder,
  format,
  recordsIn,
  report,
}: ArriveOptions): Promise<Arrived> {
  const objects = await UnitObjects.open({ connection, bucket: snapshotsBucketOf(cluster, unit) });
  const snapshots = new UnitSnapshots(objects);
  const server = await openNatsStream({ connection, stream, replicas: 1, ackMs: limits.journalAckMs });
  try {
    const fetched = await snapshots.fetch({ folder, format, recordsIn, misfit: (heads) => misfitOf(server, stream, heads) });
    for (const { environment, outcome, reason } of fetched) {
      if (outcome === 'fetched') report('info', 'A snapshot was taken over from the object store.', { environment });
      if (outcome === 'refused')
        report('warn', 'A snapshot in the object store is not used; the journal holds everything.', { environment, reason });
    }
  } catch (cause) {
    report('warn', 'The object store gives no snapshots; the journal holds everything.', { cause: describe(cause) });
  }
  return {
    async keep({ everyMs, stores, keys, heads, snapshot, takenBy, bus }) {
      const keeper = new SnapshotKeeper({
        everyMs,
        report,
        position: () => [...heads().values()].reduce((sum, { lastSequence }) => sum + lastSequence, 0),
        async store(signal, copied) {
          const description = { format, heads: new Map(heads()), takenBy };
          await snapshot();
          await snapshots.store(stores, `${folder}.leaving`, description, signal, copied);
          await keys.storeImage();
        },
      });
      const silence = await bus.serve(addressOf(unit), async () => Buffer.from(await keeper.take().then(() => '', describe)));
      return {
        async stop() {
          await keeper.stop();
          await silence();
        },
      };
    },
  };
}
