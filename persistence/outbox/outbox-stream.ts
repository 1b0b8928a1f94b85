import {
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamClient,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { KeyValueUnavailable } from '../errors.js';
import { answered } from '../key-values/answered.js';
import { limits } from '../limits.js';
import { CONSUMER, CONSUMING } from '../nats/consuming.js';

/** Null = removed. */
export type OutboxEntry = readonly [key: string, value: Uint8Array | null];

export interface OutboxStreamOptions {
  readonly connection: NatsConnection;
  /** Made when it is not there. */
  readonly name: string;
  /** What its subjects begin with. */
  readonly subjects: string;
  /** Copies that the servers keep; default one. */
  readonly replicas?: number;
  /** How long an answer is waited for, in milliseconds. */
  readonly timeoutMs?: number;
}

/** Where the stream stands: which one it is, and its last message. */
export interface OutboxEnd {
  readonly stream: string;
  readonly sequence: number;
}

const FENCE = '@fence';

/**
 * The entries of an outbox in a stream of JetStream: of each key the newest, for some time. Whoever writes names the message that
 * the stream must end with, so that a fence ends the writing of everybody before it.
 */
export class OutboxStream {
  static async open({
    connection,
    name,
    subjects,
    replicas = 1,
    timeoutMs = limits.keyValueMs,
  }: OutboxStreamOptions): Promise<OutboxStream> {
    return answered(name, async () => {
      const manager = await jetstreamManager(connection, { timeout: timeoutMs, checkAPI: false });
      await makeStream(manager, { name, subjects, replicas });
      return new OutboxStream(jetstream(connection, { timeout: timeoutMs }), manager, name, subjects, timeoutMs);
    });
  }

  private constructor(
    private readonly client: JetStreamClient,
    private readonly manager: JetStreamManager,
    private readonly name: string,
    private readonly subjects: string,
    private readonly timeoutMs: number,
  ) {}

  end(): Promise<OutboxEnd> {
    return answered(this.name, async () => {
      const { created, state } = await this.manager.streams.info(this.name);
      return { stream: created, sequence: state.last_seq };
    });
  }

  /** Where the fence lies. Throws `KeyValueConflict` when the stream ends elsewhere by now. */
  fence(owner: string, follows: number): Promise<number> {
    return this.#publish([FENCE, Buffer.from(owner)], follows);
  }

  /** Writes in this order behind the message; all of them when it resolves, and the first of them otherwise. Throws `KeyValueConflict`. */
  async append(entries: readonly OutboxEntry[], follows: number): Promise<void> {
    for (let from = 0; from < entries.length; from += limits.outboxInFlight) {
      await Promise.all(entries.slice(from, from + limits.outboxInFlight).map((entry, at) => this.#publish(entry, follows + from + at)));
    }
  }

  /**
   * What is there behind a message and up to a fence, in parts and in the order of writing. Throws `KeyValueUnavailable` when it stops
   * coming.
   */
  async *between(after: number, fence: number): AsyncGenerator<readonly OutboxEntry[]> {
    const consumer = await answered(this.name, () =>
      this.client.consumers.get(this.name, { ...CONSUMER, deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: after + 1 }),
    );
    const messages = await answered(this.name, () => consumer.consume({ ...CONSUMING, max_messages: limits.outboxInFlight }));
    const silence = setTimeout(() => messages.stop(), this.timeoutMs);
    try {
      let part: OutboxEntry[] = [];
      for await (const { subject, data, seq } of messages) {
        if (subject !== this.#subject(FENCE)) part.push([this.#key(subject), data.length === 0 ? null : data]);
        if (seq < fence && part.length < limits.outboxInFlight) continue;
        yield part;
        if (seq >= fence) return;
        part = [];
        silence.refresh();
      }
    } finally {
      clearTimeout(silence);
      await messages.close();
    }
    throw new KeyValueUnavailable('the outbox has not come as a whole');
  }

  async #publish([key, value]: OutboxEntry, follows: number): Promise<number> {
    return answered(
      key,
      async () => (await this.client.publish(this.#subject(key), value ?? REMOVED, { expect: { lastSequence: follows } })).seq,
    );
  }

  #subject(key: string): string {
    return `${this.subjects}.${key.replaceAll('/', '.')}`;
  }

  #key(subject: string): string {
    return subject.slice(this.subjects.length + 1).replaceAll('.', '/');
  }
}

const REMOVED = new Uint8Array(0);

async function makeStream(
  manager: JetStreamManager,
  { name, subjects, replicas }: { readonly name: string; readonly subjects: string; readonly replicas: number },
): Promise<void> {
  try {
    await manager.streams.info(name);
  } catch (cause) {
    if (!(cause instanceof JetStreamApiError) || cause.code !== JetStreamApiCodes.StreamNotFound) throw cause;
    await manager.streams.add({
      name,
      subjects: [`${subjects}.>`],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
      num_replicas: replicas,
      max_msgs_per_subject: 1,
      max_age: limits.outboxAgeMs * 1_000_000,
      allow_direct: true,
    });
  }
}
