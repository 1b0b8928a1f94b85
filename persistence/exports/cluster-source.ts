import { jetstreamManager } from '@nats-io/jetstream';
import { PlaceMissing, StreamDamaged } from '../errors.js';
import { openNatsStream } from '../jetstream/nats-stream.js';
import { endOf, readWhole } from '../jetstream/read.js';
import type { JournalStream } from '../jetstream/stream.js';
import { ClusterIdentity } from '../keys/cluster-identity.js';
import { readStreamKeys } from '../keys/stream-key-store.js';
import { openStreamKeyValue } from '../key-values/stream.js';
import { limits } from '../limits.js';
import { connectNats } from '../nats/connect.js';
import type { ExportSource } from './places.js';

/** Where a cluster lies, and what it is made of. */
export interface ClusterPlace {
  readonly nats: string;
  /** Its name. */
  readonly cluster: string;
  readonly masterKey: Uint8Array;
  readonly shards: number;
  /** What has a bucket of data keys each. */
  readonly units: readonly string[];
  /** Which unit an owner of data keys belongs to. */
  unitsOf(idKey: Uint8Array): (owner: string) => string;
}

export const streamOf = (cluster: string): JournalStream => ({ name: `${cluster}-journal`, subjects: `${cluster}.journal` });
export const membersOf = (cluster: string): string => `${cluster}-members`;
export const keysBucketOf = (cluster: string, unit: string): string => `${cluster}-keys-${unit}`;

/**
 * A cluster, which may run meanwhile: all messages up to the newest one of this moment. Whatever was decided on something durable came to
 * the stream behind it, so that nothing up to there refers to what comes later.
 */
export async function openClusterSource({ nats, cluster, masterKey, shards, units }: ClusterPlace): Promise<ExportSource> {
  const connection = await connectNats(nats, `${cluster} export`);
  try {
    const records = await openStreamKeyValue({ connection, bucket: membersOf(cluster), mustBeThere: true });
    const identity = await ClusterIdentity.open({ records, masterKey, shards, mustBeThere: true });
    const { idKey } = identity;
    const stream = streamOf(cluster);
    const { state } = await (await jetstreamManager(connection)).streams.info(stream.name);
    if (state.messages !== state.last_seq)
      throw new StreamDamaged(
        stream.name,
        0,
        state.first_seq,
        `${state.last_seq - state.messages} of its ${state.last_seq} messages are gone`,
      );
    const server = await openNatsStream({ connection, stream, replicas: 1, ackMs: limits.journalAckMs });
    const ends = await Promise.all(Array.from({ length: shards + 1 }, (_, shard) => endOf(server, stream, shard)));
    return {
      kind: 'cluster',
      shards,
      idKey,
      masterKey,
      records: ends.reduce((sum, { head }) => sum + head.lastSequence, 0),
      blocks: () => readWhole(server, stream, state.last_seq),
      async *keys() {
        for (const unit of units) yield* readStreamKeys({ connection, bucket: keysBucketOf(cluster, unit) }, identity.ring);
      },
      rotate: (masterKey) => identity.rotate(masterKey),
      close: () => connection.close(),
    };
  } catch (cause) {
    await connection.close();
    throw isUnknown(cause) ? new PlaceMissing(`There is no cluster ${cluster} at ${nats}.`, { cause }) : cause;
  }
}

/** The server has no such bucket or stream. */
const isUnknown = (cause: unknown): boolean => cause instanceof Error && /not found/.test(`${cause.message} ${String(cause.cause)}`);
