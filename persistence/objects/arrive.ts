import type { NatsConnection } from '@nats-io/transport-node';
import { describe } from '../errors.js';
import { openNatsStream } from '../jetstream/nats-stream.js';
import { misfitOf } from '../jetstream/read.js';
import type { JournalStream } from '../jetstream/stream.js';
import { limits } from '../limits.js';
import type { Bus, KeyValue, ShardHead } from '../ports.js';
import type { OpenedSnapshots } from '../snapshots/open-snapshots.js';
import { SnapshotKeeper, type SnapshotKeeperOptions } from './snapshot-keeper.js';
import { UnitObjects } from './unit-objects.js';
import { UnitSnapshots } from './unit-snapshots.js';

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
