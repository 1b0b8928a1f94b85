import { ownJson } from '../../engine/index.js';
import {
  DeliverPolicy,
  jetstream,
  type JetStreamClient,
  jetstreamManager,
  type JetStreamManager,
  type JsMsg,
  type StoredMsg,
} from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { createHash } from 'node:crypto';
import { KeyValueUnavailable } from '../errors.js';
import { asBuffer } from '../journal/format.js';
import { answered, assertKey } from '../key-values.js';
import { limits } from '../limits.js';
import { CONSUMER, CONSUMING } from '../nats.js';
import { encodeEntry } from './wrapped-keys.js';

export interface KeyBucketOptions {
  readonly connection: NatsConnection;
  /** Made when it is not there. */
  readonly bucket: string;
  /** Copies that the servers keep; default one. */
  readonly replicas?: number;
  /** How long an answer is waited for, in milliseconds. */
  readonly timeoutMs?: number;
}

/** The newest entry of an owner. */
export interface BucketEntry {
  readonly owner: string;
  /** Null where the key was destroyed. */
  readonly value: Uint8Array | null;
  readonly sequence: number;
}

const OPERATION = 'KV-Operation';

/**
 * The data keys of some persons in a bucket of JetStream. A key is destroyed in two steps: a mark becomes the newest entry of its owner,
 * and then the key is overwritten where the server has stored it. After an interruption between the two, both are found and the second is
 * done.
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
   * All entries behind a sequence, in the order of writing: an owner may come twice. Throws `KeyValueUnavailable` when no more arrive.
   */
  async *all(after = 0): AsyncGenerator<BucketEntry> {
    const consumer = await answered(this.bucket, () =>
      this.client.consumers.get(this.#stream, { ...CONSUMER, deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: after + 1 }),
    );
    let { num_pending: left } = await answered(this.bucket, () => consumer.info());
    if (left === 0) return;
    const messages = await answered(this.bucket, () => consumer.consume({ ...CONSUMING, max_messages: limits.keysInFlight }));
    // Two timeouts in a row without a key: after the first one, a process that was too busy to read finds what has arrived meanwhile.
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

  /**
   * The entry of an owner that is written once: a copy of the server which is behind can only lack it. The answer has its bytes as they
   * are, while `last` decodes them from a text.
   */
  only(owner: string): Promise<BucketEntry | undefined> {
    return answered(owner, async () =>
      this.#entry(owner, await this.manager.direct.getMessage(this.#stream, { last_by_subj: this.#subject(owner) })),
    );
  }

  /** The oldest entry of the owner that is left. */
  first(owner: string): Promise<BucketEntry | undefined> {
    return answered(owner, async () =>
      this.#entry(owner, await this.manager.direct.getMessage(this.#stream, { seq: 1, next_by_subj: this.#subject(owner) })),
    );
  }

  /** Time of its creation, and the sequence of its last change. */
  state(): Promise<{ readonly made: string; readonly through: number }> {
    return answered(this.bucket, async () => {
      const { created, state } = await this.manager.streams.info(this.#stream);
      return { made: created, through: state.last_seq };
    });
  }

  /** Names of all entries: for a bucket with few of them. */
  owners(): Promise<readonly string[]> {
    return answered(this.bucket, async () => {
      const { state } = await this.manager.streams.info(this.#stream, { subjects_filter: `${this.#subject('')}>` });
      return Object.keys(state.subjects ?? {}).map((subject) => subject.slice(this.#subject('').length));
    });
  }

  /** Writes over the last entry of the owner that the caller has read, and returns its sequence. Throws `KeyValueConflict`. */
  put(owner: string, value: Uint8Array, seen: number): Promise<number> {
    return this.#publish(owner, value, headers(), seen);
  }

  /** Marks the owner's key as destroyed, and returns the sequence of the mark. */
  mark(owner: string, seen: number): Promise<number> {
    const header = headers();
    header.set(OPERATION, 'DEL');
    return this.#publish(owner, new Uint8Array(0), header, seen);
  }

  /** Overwrites the message at a sequence of the stream, if there still is one. */
  erase(owner: string, sequence: number): Promise<void> {
    return answered(owner, async () => {
      const { streams } = this.manager;
      if ((await streams.getMessage(this.#stream, { seq: sequence })) !== null) await streams.deleteMessage(this.#stream, sequence, true);
    });
  }

  #entry(owner: string, message: StoredMsg | null): BucketEntry | undefined {
    return message === null ? undefined : { owner, value: message.header?.has(OPERATION) ? null : message.data, sequence: message.seq };
  }

  #publish(owner: string, value: Uint8Array, header: MsgHdrs, seen: number): Promise<number> {
    return answered(
      owner,
      async () => (await this.client.publish(this.#subject(owner), value, { headers: header, expect: { lastSubjectSequence: seen } })).seq,
    );
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

/** The description of an image. */
interface Description {
  readonly generation: number;
  readonly chunks: number;
  readonly sha256: string;
  /** Creation time of the bucket of the keys, which identifies the bucket. */
  readonly bucketMade: string;
  /** The image holds the changes of the bucket up to this sequence. */
  readonly through: number;
}

export type KeyImage = Pick<Description, 'bucketMade' | 'through'> & { readonly chunks: readonly Buffer[] };

const DESCRIPTION = 'image';
const chunkName = (generation: number, chunk: number): string => `c${generation}-${chunk}`;

/**
 * The image of a bucket of data keys, in a bucket of its own: the next owner of a unit reads it in large pieces instead of key by key. Its
 * pieces are not simply deleted: each is overwritten where it was stored, like a key that is destroyed.
 */
export class KeyImages {
  static async open(options: KeyBucketOptions): Promise<KeyImages> {
    return new KeyImages(await KeyBucket.open(options));
  }

  private constructor(private readonly bucket: KeyBucket) {}

  /** Stores an image beside the former one, which is overwritten when the new one is there. */
  async store({ chunks, bucketMade, through }: KeyImage): Promise<void> {
    const former = await this.#description();
    await this.#eraseAllBut(former?.description.generation ?? null);
    const generation = (former?.description.generation ?? 0) + 1;
    const hash = createHash('sha256');
    for (const [at, chunk] of chunks.entries()) {
      hash.update(chunk);
      await this.bucket.put(chunkName(generation, at), chunk, 0);
    }
    const description: Description = { generation, chunks: chunks.length, sha256: hash.digest('hex'), bucketMade, through };
    await this.bucket.put(DESCRIPTION, Buffer.from(JSON.stringify(description)), former?.sequence ?? 0);
    await this.#eraseAllBut(generation);
  }

  /** Null where there is no complete image. */
  async fetch(): Promise<KeyImage | null> {
    const found = await this.#description();
    if (found === null) return null;
    const { generation, chunks: count, sha256, bucketMade, through } = found.description;
    const hash = createHash('sha256');
    const chunks: Buffer[] = [];
    for (let at = 0; at < count; at += 1) {
      const chunk = (await this.bucket.only(chunkName(generation, at)))?.value;
      if (chunk == null) return null;
      hash.update(chunk);
      chunks.push(asBuffer(chunk));
    }
    return hash.digest('hex') === sha256 ? { chunks, bucketMade, through } : null;
  }

  /** Overwrites the chunks of an image that was not completed. */
  async sweep(): Promise<void> {
    await this.#eraseAllBut((await this.#description())?.description.generation ?? null);
  }

  /** Overwrites all that is there. */
  erase(): Promise<void> {
    return this.#eraseAllBut(null);
  }

  async #eraseAllBut(generation: number | null): Promise<void> {
    const kept = generation === null ? null : `c${generation}-`;
    for (const owner of await this.bucket.owners()) {
      if (owner === DESCRIPTION ? kept !== null : kept !== null && owner.startsWith(kept)) continue;
      const last = await this.bucket.last(owner);
      if (last !== undefined) await this.bucket.erase(owner, last.sequence);
    }
  }

  async #description(): Promise<{ readonly description: Description; readonly sequence: number } | null> {
    const last = await this.bucket.last(DESCRIPTION);
    return last === undefined || last.value === null
      ? null
      : { description: ownJson<Description>(Buffer.from(last.value).toString()), sequence: last.sequence };
  }
}

/** Gathers entries of wrapped keys into chunks of about the size. */
export class KeyImageWriter {
  readonly chunks: Buffer[] = [];
  #entries: Buffer[] = [];
  #used = 0;

  constructor(private readonly chunkBytes: number) {}

  /** Null stands for a key that was destroyed. */
  add(owner: string, value: Uint8Array | null): void {
    const entry = encodeEntry(owner, value);
    if (this.#used + entry.length > this.chunkBytes) this.#end();
    this.#entries.push(entry);
    this.#used += entry.length;
  }

  finish(): readonly Buffer[] {
    if (this.#used > 0) this.#end();
    return this.chunks;
  }

  #end(): void {
    this.chunks.push(Buffer.concat(this.#entries));
    this.#entries = [];
    this.#used = 0;
  }
}
