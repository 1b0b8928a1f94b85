import { setTimeout as pause } from 'node:timers/promises';
import {
  type ConsumerMessages,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  JetStreamApiError,
  type JsMsg,
  jetstream,
  jetstreamManager,
  type StoredMsg,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { describe } from '../errors.js';
import { limits } from '../limits.js';
import { CONSUMER, CONSUMING } from '../nats/consuming.js';
import { isOvertaken } from './overtaken.js';
import { type NewMessage, NotTaken, Overtaken, type StreamMessage, type StreamServer } from './server.js';
import { type JournalStream, makeStream } from './stream.js';

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
   * A message that was on its way when a connection broke counts as delivered at the server, and its consumer misses it only when a next
   * one comes: behind each new connection, and after signs of life that did not come, a new consumer begins behind what was given last.
   */
  async *follow(subject: string, sequence: number, signal: AbortSignal): AsyncGenerator<StreamMessage> {
    let next = sequence;
    for (let isFirst = true; !signal.aborted && !this.connection.isClosed(); isFirst = false) {
      const consuming = this.#consume(subject, next);
      const messages = await (isFirst ? consuming : consuming.catch(() => null)); // an outage that lasts: it is asked again
      if (messages === null) {
        await pause(limits.natsReconnectMs);
        continue;
      }
      const heard = this.#stopOnTrouble(messages, signal);
      try {
        for await (const message of messages) {
          if (message.seq < next) continue;
          next = message.seq + 1;
          yield asMessage(message);
        }
      } finally {
        heard();
        void messages.close().catch(() => undefined); // the server forgets its consumer by itself; one that is away would be waited for
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

  /** Ends the messages when something may have been lost; until what it gives is called. */
  #stopOnTrouble(messages: ConsumerMessages, signal: AbortSignal): () => void {
    const stop = (): void => messages.stop();
    signal.addEventListener('abort', stop, { once: true });
    const status = this.connection.status();
    void stopOn(status, 'reconnect', stop);
    void stopOn(messages.status(), 'heartbeats_missed', stop);
    return () => {
      signal.removeEventListener('abort', stop);
      (status as { readonly stop?: () => void }).stop?.(); // the connection keeps it otherwise
    };
  }
}

async function stopOn(told: AsyncIterable<{ readonly type: string }>, type: string, stop: () => void): Promise<void> {
  for await (const status of told) if (status.type === type) stop();
}

const asMessage = ({ subject, seq, headers, data }: JsMsg): StreamMessage => ({ subject, sequence: seq, headers, bytes: data });

const asStored = (message: StoredMsg | null): StreamMessage | null =>
  message && { subject: message.subject, sequence: message.seq, headers: message.header, bytes: message.data };
