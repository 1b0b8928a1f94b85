import {
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type JsMsg,
  type StoredMsg,
} from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { KeyValueUnavailable } from '../errors.js';
import { answered } from '../key-values/answered.js';
import { assertKey } from '../key-values/keys.js';
import { limits } from '../limits.js';
import { CONSUMER, CONSUMING } from '../nats/consuming.js';

export interface KeyBucketOptions {
  readonly connection: NatsConnection;
  /** Made when it is not there. */
  readonly bucket: string;
  /** Copies that the servers keep; default one. */
  readonly replicas?: number;
  /** How long an answer is waited for, in milliseconds. */
  readonly timeoutMs?: number;
}

/** What the bucket has last of an owner. */
export interface BucketEntry {
  readonly owner: string;
  /** Null where the key was destroyed. */
  readonly value: Uint8Array | null;
  readonly sequence: number;
}

const OPERATION = 'KV-Operation';

/**
 * The data keys of some persons in a bucket of JetStream. A key is destroyed by a mark that comes to lie upon it, and then
 * by overwriting it where the server has stored it: whoever is interrupted between the two finds both, and does the rest.
 */
export class KeyBucket {
  static async open({ connection, bucket, replicas = 1, timeoutMs = limits.keyValueMs }: KeyBucketOptions): Promise<KeyBucket> {
    const client = jetstream(connection, { timeout: timeoutMs, checkAPI: false });
    return answered(bucket, async () => {
      await new Kvm(client).create(bucket, { history: 2, replicas });
      return new KeyBucket(client, await jetstreamManager(connection, { timeout: timeoutMs, checkAPI: false }), bucket, timeoutMs);
    });
  }

  private constructor(
    private readonly client: JetStreamClient,
    private readonly manager: JetStreamManager,
    private readonly bucket: string,
    private readonly timeoutMs: number,
  ) {}

  /**
   * All that is there behind a place, in the order of writing: an owner may come twice. Throws `KeyValueUnavailable` when it stops coming.
   */
  async *all(after = 0): AsyncGenerator<BucketEntry> {
    const consumer = await answered(this.bucket, () =>
      this.client.consumers.get(this.#stream, { ...CONSUMER, deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: after + 1 }),
    );
    let { num_pending: left } = await answered(this.bucket, () => consumer.info());
    if (left === 0) return;
    const messages = await answered(this.bucket, () => consumer.consume({ ...CONSUMING, max_messages: limits.keysInFlight }));
    // Two looks without a key between them: a process that did not come to read for that long finds at the first what has come meanwhile.
    let [leftBefore, looksInVain] = [left, 0];
    const looks = setInterval(() => {
      looksInVain = left === leftBefore ? looksInVain + 1 : 0;
      leftBefore = left;
      if (looksInVain >= 2) messages.stop();
    }, this.timeoutMs);
    try {
      for await (const message of messages) {
        yield this.#entryOf(message);
        left = message.info.pending;
        if (left === 0) return;
      }
    } finally {
      clearInterval(looks);
      await messages.close();
    }
    throw new KeyValueUnavailable(`${left} data keys have not come`);
  }

  last(owner: string): Promise<BucketEntry | undefined> {
    return answered(owner, async () =>
      this.#entry(owner, await this.manager.streams.getMessage(this.#stream, { last_by_subj: this.#subject(owner) })),
    );
  }

  /** The oldest that is left of the owner. */
  first(owner: string): Promise<BucketEntry | undefined> {
    return answered(owner, async () =>
      this.#entry(owner, await this.manager.direct.getMessage(this.#stream, { seq: 1, next_by_subj: this.#subject(owner) })),
    );
  }

  /** When it was made, and the place of its last change. */
  state(): Promise<{ readonly made: string; readonly through: number }> {
    return answered(this.bucket, async () => {
      const { created, state } = await this.manager.streams.info(this.#stream);
      return { made: created, through: state.last_seq };
    });
  }

  /** Names of all that is there: for a bucket of few. */
  owners(): Promise<readonly string[]> {
    return answered(this.bucket, async () => {
      const { state } = await this.manager.streams.info(this.#stream, { subjects_filter: `${this.#subject('')}>` });
      return Object.keys(state.subjects ?? {}).map((subject) => subject.slice(this.#subject('').length));
    });
  }

  /** Writes upon what the caller has seen last of the owner. Throws `KeyValueConflict`. */
  async put(owner: string, value: Uint8Array, seen: number): Promise<void> {
    await this.#publish(owner, value, headers(), seen);
  }

  /** Marks the owner's key as destroyed. */
  async mark(owner: string, seen: number): Promise<void> {
    const header = headers();
    header.set(OPERATION, 'DEL');
    await this.#publish(owner, new Uint8Array(0), header, seen);
  }

  /** Overwrites what lies at a place of the stream, if anything still does. */
  erase(owner: string, sequence: number): Promise<void> {
    return answered(owner, async () => {
      const { streams } = this.manager;
      if ((await streams.getMessage(this.#stream, { seq: sequence })) !== null) await streams.deleteMessage(this.#stream, sequence, true);
    });
  }

  #entry(owner: string, message: StoredMsg | null): BucketEntry | undefined {
    return message === null ? undefined : { owner, value: message.header?.has(OPERATION) ? null : message.data, sequence: message.seq };
  }

  #publish(owner: string, value: Uint8Array, header: MsgHdrs, seen: number): Promise<void> {
    return answered(owner, async () => {
      await this.client.publish(this.#subject(owner), value, { headers: header, expect: { lastSubjectSequence: seen } });
    });
  }

  #entryOf({ subject, data, headers: header, seq }: JsMsg): BucketEntry {
    return { owner: subject.slice(this.#subject('').length), value: header?.has(OPERATION) ? null : data, sequence: seq };
  }

  get #stream(): string {
    return `KV_${this.bucket}`;
  }

  #subject(owner: string): string {
    if (owner !== '') assertKey(owner);
    return `$KV.${this.bucket}.${owner}`;
  }
}
