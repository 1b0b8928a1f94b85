import {
  type ConsumerMessages,
  DeliverPolicy,
  DiscardPolicy,
  jetstream,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  jetstreamManager,
  type JetStreamManager,
  type JsMsg,
  RetentionPolicy,
  StorageType,
  type StoredMsg,
  type StreamConfig,
} from '@nats-io/jetstream';
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { namesOf } from '../../engine/basics/index.js';
import { describe } from '../errors.js';
import { limits } from '../limits.js';
import { CONSUMER, CONSUMING } from '../nats.js';
import { streamMade } from './make-missing.js';

/** Another message was appended to the subject meanwhile. */
export function isOvertaken(cause: unknown): boolean {
  return (
    cause instanceof JetStreamApiError &&
    (cause.code === JetStreamApiCodes.StreamWrongLastSequence || cause.code === JetStreamApiCodes.StreamWrongLastSequenceUnknown)
  );
}

/*
 * The stream as the journal uses it: of JetStream (`nats-stream.ts`), or of a simulation.
 */

/** A message of the stream. */
export interface StreamMessage {
  readonly subject: string;
  /** Its sequence in the stream. */
  readonly sequence: number;
  readonly headers: MsgHdrs | undefined;
  readonly bytes: Uint8Array;
}

export interface NewMessage {
  readonly subject: string;
  readonly bytes: Uint8Array;
  readonly headers: MsgHdrs;
  /** Sequence of the subject's last message; 0 while it has none. The message is refused where it is another one. */
  readonly follows: number;
  /** A message that is sent again under the same id is stored once. */
  readonly messageId?: string;
}

export interface StreamServer {
  /** The largest payload that the server accepts. */
  readonly payloadBytes: number;
  /**
   * Returns the sequence of the message. Throws `Overtaken`, or `NotTaken` for a message that is certainly not in the stream; after any
   * other error it may be there, or arrive later.
   */
  publish(message: NewMessage): Promise<number>;
  /**
   * Bytes that the stream has left, and its limit; infinite where it has none. Absent: limits are unknown.
   */
  room?(): Promise<{ readonly leftBytes: number; readonly ofBytes: number }>;
  /** The last message of the subject. */
  last(subject: string): Promise<StreamMessage | null>;
  /** The first message of the subject at the sequence or behind it. */
  next(subject: string, sequence: number): Promise<StreamMessage | null>;
  /** Messages of the subject (one or many, `journal.*`) from the sequence on, as they come; until the signal. */
  follow(subject: string, sequence: number, signal: AbortSignal): AsyncIterable<StreamMessage>;
}

/** Another message was appended to the subject meanwhile. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** The server has refused the message. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';
}

/** The stream of a cluster's journal, with one subject a shard. */
export interface JournalStream {
  /** Name of the stream. */
  readonly name: string;
  /** What its subjects begin with. */
  readonly subjects: string;
}

export const subjectOf = ({ subjects }: JournalStream, shard: number): string => `${subjects}.${shard}`;

/** The subject of all shards. */
export const everySubject = ({ subjects }: JournalStream): string => `${subjects}.*`;

/**
 * The server never removes or overwrites messages of the stream, refuses what does not fit, and finds a message by its subject.
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

/** A stream of the name exists that could lose messages. */
export class UnsafeStream extends Error {
  override readonly name = 'UnsafeStream';
}

/** Makes the stream where it is missing, and refuses one that could lose what it has acknowledged. */
export async function makeStream(manager: JetStreamManager, stream: JournalStream, replicas: number): Promise<void> {
  const config = await streamMade(manager, stream.name, () =>
    manager.streams.add({
      ...NEVER_LOSES,
      name: stream.name,
      subjects: [everySubject(stream)],
      num_replicas: replicas,
      duplicate_window: limits.duplicateWindowMs * 1_000_000,
    }),
  );
  const wrong = namesOf(NEVER_LOSES).filter((name) => config[name] !== NEVER_LOSES[name]);
  if (wrong.length === 0) return;
  const needed = wrong.map((name) => `${name} must be ${NEVER_LOSES[name]}`);
  throw new UnsafeStream(`the stream ${stream.name} could lose what it has acknowledged: ${needed.join(', ')}`);
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

export interface NatsStreamOptions {
  readonly connection: NatsConnection;
  readonly stream: JournalStream;
  /** Copies that the servers keep. */
  readonly replicas: number;
  /** How long any answer of the server is waited for, in milliseconds. */
  readonly ackMs: number;
}

/** A stream of JetStream, made where it is missing. */
export async function openNatsStream({ connection, stream, replicas, ackMs }: NatsStreamOptions): Promise<StreamServer> {
  const manager = await jetstreamManager(connection, { timeout: ackMs, checkAPI: false });
  await makeStream(manager, stream, replicas);
  return new NatsStream(connection, jetstream(connection, { timeout: ackMs }), manager, stream.name, connection.info?.max_payload ?? 0);
}

class NatsStream implements StreamServer {
  constructor(
    private readonly connection: NatsConnection,
    private readonly client: JetStreamClient,
    private readonly manager: JetStreamManager,
    private readonly name: string,
    readonly payloadBytes: number,
  ) {}

  async publish({ subject, bytes, headers, follows, messageId }: NewMessage): Promise<number> {
    const options = { headers, expect: { lastSubjectSequence: follows }, ...(messageId === undefined ? {} : { msgID: messageId }) };
    try {
      return (await this.client.publish(subject, bytes, options)).seq;
    } catch (cause) {
      if (isOvertaken(cause)) throw new Overtaken(describe(cause), { cause });
      if (cause instanceof JetStreamApiError) throw new NotTaken(describe(cause), { cause });
      throw cause;
    }
  }

  /** By the limit of the stream, and by that of its account. */
  async room(): Promise<{ readonly leftBytes: number; readonly ofBytes: number }> {
    const [{ config, state }, account] = await Promise.all([this.manager.streams.info(this.name), this.manager.getAccountInfo()]);
    const limited = [
      [config.max_bytes, state.bytes],
      [account.limits.max_storage, account.storage],
    ].filter(([most = -1]) => most > 0);
    const rooms = limited.map(([ofBytes = 0, used = 0]) => ({ leftBytes: ofBytes - used, ofBytes }));
    return rooms.sort((one, other) => one.leftBytes - other.leftBytes)[0] ?? { leftBytes: Infinity, ofBytes: Infinity };
  }

  async last(subject: string): Promise<StreamMessage | null> {
    return asStored(await this.manager.streams.getMessage(this.name, { last_by_subj: subject }));
  }

  async next(subject: string, sequence: number): Promise<StreamMessage | null> {
    return asStored(await this.manager.direct.getMessage(this.name, { seq: sequence, next_by_subj: subject }));
  }

  /**
   * The server counts a message as delivered that was on its way when the connection broke, and the consumer notices the gap only with the
   * next message. So after each reconnect, and after missed heartbeats of the server, a new consumer begins behind the last message that
   * was yielded.
   */
  async *follow(subject: string, sequence: number, signal: AbortSignal): AsyncGenerator<StreamMessage> {
    let next = sequence;
    for (let isFirst = true; !signal.aborted && !this.connection.isClosed(); isFirst = false) {
      const consuming = this.#consume(subject, next);
      const messages = await (isFirst ? consuming : consuming.catch(() => null)); // tried again while an outage lasts
      if (messages === null) {
        await pause(limits.natsReconnectMs);
        continue;
      }
      const unwatch = this.#stopOnTrouble(messages, signal);
      try {
        for await (const message of messages) {
          if (message.seq < next) continue;
          next = message.seq + 1;
          yield asMessage(message);
        }
      } finally {
        unwatch();
        void messages.close().catch(() => undefined); // not awaited: the server removes the consumer by itself, and may be away
      }
    }
  }

  async #consume(subject: string, sequence: number): Promise<ConsumerMessages> {
    const consumer = await this.client.consumers.get(this.name, {
      ...CONSUMER,
      filter_subjects: subject,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: sequence,
    });
    return consumer.consume(CONSUMING);
  }

  /** Ends the messages when one may have been lost. Call the returned function to stop watching. */
  #stopOnTrouble(messages: ConsumerMessages, signal: AbortSignal): () => void {
    const stop = (): void => messages.stop();
    signal.addEventListener('abort', stop, { once: true });
    const status = this.connection.status();
    void stopOn(status, 'reconnect', stop);
    void stopOn(messages.status(), 'heartbeats_missed', stop);
    return () => {
      signal.removeEventListener('abort', stop);
      if ('stop' in status && typeof status.stop === 'function') status.stop(); // otherwise the connection keeps it
    };
  }
}

async function stopOn(statuses: AsyncIterable<{ readonly type: string }>, type: string, stop: () => void): Promise<void> {
  for await (const status of statuses) if (status.type === type) stop();
}

const asMessage = ({ subject, seq, headers, data }: JsMsg): StreamMessage => ({ subject, sequence: seq, headers, bytes: data });

const asStored = (message: StoredMsg | null): StreamMessage | null =>
  message && { subject: message.subject, sequence: message.seq, headers: message.header, bytes: message.data };
