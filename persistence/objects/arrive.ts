import type { NatsConnection } from '@nats-io/transport-node';
import { describe } from '../errors.js';
import { type JournalStream, openNatsStream } from '../jetstream/nats-stream.js';
import { misfitOf } from '../jetstream/read.js';
import type { StreamKeyStore } from '../keys/stream-key-store.js';
import { limits } from '../limits.js';
import type { Bus, KeyValue, ShardHead } from '../ports.js';
import type { OpenedSnapshots } from '../snapshots/open-snapshots.js';
import { UnitObjects } from './unit-objects.js';
import { UnitSnapshots } from './unit-snapshots.js';

interface SnapshotUploaderOptions {
  /** Milliseconds between two snapshots; 0 = only on request. */
  readonly everyMs: number;
  /** Changes when there is something that no stored snapshot holds. */
  readonly position: () => number;
  /** Stores one; calls `copied` when it no longer needs the engine and its environments. */
  readonly store: (signal: AbortSignal, copied: () => void) => Promise<void>;
  report(level: 'info' | 'warn', message: string, details: Readonly<Record<string, unknown>>): void;
}

/** Stores the snapshots of a unit from time to time, one unit of a process after the other. */
class SnapshotUploader {
  /** The last upload of all units of this process: one runs at a time. */
  static #last: Promise<void> = Promise.resolve();
  readonly #ending = new AbortController();
  readonly #timer: NodeJS.Timeout | null;
  #copying: Promise<void> = Promise.resolve();
  #stored = 0;

  constructor(private readonly options: SnapshotUploaderOptions) {
    this.#timer = options.everyMs === 0 ? null : setInterval(() => void this.#takeIfNew(), options.everyMs);
    this.#timer?.unref();
  }

  /** Takes one now, after those of other units that are under way. */
  take(): Promise<void> {
    const result = SnapshotUploader.#last.then(() => this.#take());
    SnapshotUploader.#last = result.catch(() => undefined); // the caller gets the failure
    return result;
  }

  /** Resolves when the environments are no longer used; an upload under way is abandoned. */
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
    this.options.report('info', 'A snapshot was stored in the object store.', { tookMs: Math.round(performance.now() - begunMs) });
  }
}

/** The address on the bus at which the owner of a unit is asked for a snapshot. */
const addressOf = (unit: string): string => `snapshots.${unit}`;

export const snapshotsBucketOf = (cluster: string, unit: string): string => `${cluster}-snapshots-${unit}`;

/** Resolves when the owner has stored one. Throws `Unanswered`, and the owner's failure. */
export async function askForSnapshot(bus: Bus, unit: string): Promise<void> {
  const failure = Buffer.from(await bus.ask(addressOf(unit), new Uint8Array(0), limits.snapshotAskMs)).toString();
  if (failure !== '') throw new Error(failure);
}

/** The snapshots of a unit that is being opened. */
export interface Arrived {
  /** Stores them from time to time. */
  keep(unit: KeptUnit): Promise<{ stop(): Promise<void> }>;
}

interface KeptUnit extends Pick<SnapshotUploaderOptions, 'everyMs'> {
  readonly stores: Pick<OpenedSnapshots, 'copyTo'>;
  /** The durable heads of the unit's shards. */
  readonly heads: () => ReadonlyMap<number, ShardHead>;
  /** Writes the environments up to the heads. */
  readonly snapshot: () => Promise<void>;
  /** The data keys, which are kept beside the snapshots. */
  readonly keys: Pick<StreamKeyStore, 'needsImage' | 'storeImage'>;
  readonly takenBy: string;
  /** The bus on which the owner serves requests for a snapshot. */
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
  readonly recordsIn: (store: KeyValue) => number;
  readonly report: (level: 'info' | 'warn', message: string, details: Readonly<Record<string, unknown>>) => void;
}

/** Stores images of the keys between the snapshots: where keys are created or destroyed, a takeover must not wait for a snapshot. */
function keptImages(keys: KeptUnit['keys'], report: ArriveOptions['report']): { stop(): void } {
  let isStoring = false;
  const timer = setInterval(() => {
    if (isStoring || !keys.needsImage) return;
    isStoring = true;
    keys
      .storeImage()
      .catch((cause: unknown) =>
        report('warn', 'An image of the data keys could not be stored; a takeover reads them one by one.', { cause: describe(cause) }),
      )
      .finally(() => (isStoring = false));
  }, limits.keyImageLookMs).unref();
  return { stop: () => clearInterval(timer) };
}

/**
 * Fetches the snapshots that the former owner of a unit has stored, where they are newer than those in the folder. A failure is reported,
 * and the journal is then read from an earlier record. A snapshot that is ahead of its stream is fetched, too: the opening refuses it, as
 * it refuses any such snapshot.
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
      const uploader = new SnapshotUploader({
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
      const silence = await bus.serve(addressOf(unit), async () => Buffer.from(await uploader.take().then(() => '', describe)));
      const images = keptImages(keys, report);
      return {
        async stop() {
          images.stop();
          await uploader.stop();
          await silence();
        },
      };
    },
  };
}
