import {
  DiscardPolicy,
  type JetStreamManager,
  JetStreamApiError,
  JetStreamApiCodes,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { limits } from '../limits.js';

/** Where the journal of a cluster lies: one stream, one subject a shard. */
export interface JournalStream {
  /** Name of the stream. */
  readonly name: string;
  /** What its subjects begin with. */
  readonly subjects: string;
}

export const subjectOf = ({ subjects }: JournalStream, shard: number): string => `${subjects}.${shard}`;

/** All of it, for a reader of several shards. */
export const everySubject = ({ subjects }: JournalStream): string => `${subjects}.*`;

/**
 * Nothing in it is ever removed or overwritten by the server, what does not fit is refused, and a message can be asked for by its subject.
 */
const NEVER_LOSES = {
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  discard: DiscardPolicy.New,
  deny_delete: true,
  deny_purge: true,
  allow_direct: true,
  max_age: 0,
  max_msgs: -1,
  max_msgs_per_subject: -1,
} as const satisfies Partial<StreamConfig>;

/** A stream of the name is there that could lose what was written to it. */
export class UnsafeStream extends Error {
  override readonly name = 'UnsafeStream';
}

/** Makes the stream where it is missing, and refuses one that could lose what it has acknowledged. */
export async function makeStream(manager: JetStreamManager, stream: JournalStream, replicas: number): Promise<void> {
  const known = await configOf(manager, stream.name);
  if (known === undefined) {
    await manager.streams.add({
      ...NEVER_LOSES,
      name: stream.name,
      subjects: [everySubject(stream)],
      num_replicas: replicas,
      duplicate_window: limits.duplicateWindowMs * 1_000_000,
    });
    return;
  }
  const wrong = Object.entries(NEVER_LOSES).filter(([name, value]) => known[name as keyof StreamConfig] !== value);
  if (wrong.length === 0) return;
  throw new UnsafeStream(
    `the stream ${stream.name} could lose what it has acknowledged: ${wrong.map(([name, value]) => `${name} must be ${value}`).join(', ')}`,
  );
}

async function configOf(manager: JetStreamManager, name: string): Promise<StreamConfig | undefined> {
  try {
    return (await manager.streams.info(name)).config;
  } catch (cause) {
    if (cause instanceof JetStreamApiError && cause.code === JetStreamApiCodes.StreamNotFound) return undefined;
    throw cause;
  }
}

/** What the stream takes on the disk of its server; null while that cannot be asked. */
export async function streamBytes(connection: NatsConnection, { name }: JournalStream): Promise<number | null> {
  try {
    const manager = await jetstreamManager(connection, { timeout: limits.keyValueMs, checkAPI: false });
    return (await manager.streams.info(name)).state.bytes;
  } catch {
    return null;
  }
}
