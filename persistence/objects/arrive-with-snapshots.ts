import type { NatsConnection } from '@nats-io/transport-node';
import { describe } from '../errors.js';
import { type JournalStream, openNatsStream } from '../jetstream/nats-stream.js';
import { misfitOf } from '../jetstream/read.js';
import type { StreamKeyStore } from '../keys/stream-key-store.js';
import { limits } from '../limits.js';
import type { Bus, KeyValue, ShardHead } from '../ports.js';
import type { OpenedSnapshots } from '../snapshots/open-snapshots.js';
import { SnapshotUploader, type SnapshotUploaderOptions } from './snapshot-uploader.js';
import { UnitObjects } from './unit-objects.js';
import { UnitSnapshots } from './unit-snapshots.js';

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
