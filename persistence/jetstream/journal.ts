import type { NatsConnection } from '@nats-io/transport-node';
import { assert } from '../../engine/index.js';
import { JournalFailed, JournalFenced } from '../errors.js';
import { limits } from '../limits.js';
import type { Journal, ShardBlock, ShardHead, StoredBlock } from '../ports.js';
import { blockMessages, fenceHeaders, NO_HEAD } from './message.js';
import { endOf, followStream, readStream, type SubjectEnd } from './read.js';
import { openNatsStream } from './nats-stream.js';
import { type NewMessage, NotTaken, Overtaken, type StreamServer } from './server.js';
import { type JournalStream, subjectOf } from './stream.js';

/** Which part of the stream is written and read here. */
export interface StreamPart {
  readonly stream: JournalStream;
  /** Those that this writer owns. All others are not written. */
  readonly shards: readonly number[];
  /** Those of others that are read, and can be followed. */
  readonly followed?: readonly number[];
  /** A shard whose part of a batch must be durable before that of any other: what all others are computed from. */
  readonly first?: number;
  /** Who writes, for whoever looks at a fence later. */
  readonly owner: string;
  /** Whether the shards are still to be taken: asked before each fence, behind what it follows. Absent: always. */
  readonly isHeld?: () => boolean;
}

export interface StreamJournalOptions extends StreamPart {
  readonly connection: NatsConnection;
  /** Copies that the servers keep; default one. */
  readonly replicas?: number;
  /** How long an acknowledgement is waited for, in milliseconds. */
  readonly ackMs?: number;
}

/** The journal of a cluster in JetStream. Throws `StreamDamaged`. */
export async function openStreamJournal({ connection, replicas = 1, ackMs = limits.journalAckMs, ...part }: StreamJournalOptions): Promise<Journal> {
  return openJournalOn(await openNatsStream({ connection, stream: part.stream, replicas, ackMs }), part);
}

/**
 * Opens the shards of a cluster's journal for one writer. Each is fenced first: whoever wrote to it before cannot append
 * any more, whatever it believes, since each message names the one that it follows. Throws `StreamDamaged`.
 */
export async function openJournalOn(server: StreamServer, { stream, shards, followed = [], first, owner, isHeld = () => true }: StreamPart): Promise<Journal> {
  const owned = await Promise.all(shards.map(async (shard) => [shard, await fence(server, { stream, owner, isHeld }, shard)] as const));
  const read = await Promise.all(followed.map(async (shard) => [shard, await endOf(server, stream, shard)] as const));
  const partBytes = server.payloadBytes - limits.messageHeaderBytes;
  assert(partBytes > 0, 'the server takes messages of some size');
  return new StreamJournal({ server, stream, partBytes, first }, new Map(owned), new Map(read));
}

/** Tries against another that fences at the same moment; the last one has the shard. */
const FENCE_TRIES = 5;

/**
 * Who owns a shard while it asks knows that no later owner has fenced it before: the end that it has read is older, and the fence of a later one
 * makes this one fail. Asked earlier, one that was held up would take the shard back from its heir.
 */
async function fence(server: StreamServer, { stream, owner, isHeld }: Required<Pick<StreamPart, 'stream' | 'owner' | 'isHeld'>>, shard: number): Promise<SubjectEnd> {
  for (let tried = 1; ; tried += 1) {
    const { streamSequence, head } = await endOf(server, stream, shard);
    if (!isHeld()) throw new JournalFenced(shard, 'its lease has ended');
    try {
      const sequence = await server.publish({ subject: subjectOf(stream, shard), bytes: NOTHING, headers: fenceHeaders(head, owner), follows: streamSequence });
      return { streamSequence: sequence, head, unfinishedSince: null };
    } catch (cause) {
      if (!(cause instanceof Overtaken) || tried >= FENCE_TRIES) throw cause;
    }
  }
}

interface Parts {
  readonly server: StreamServer;
  readonly stream: JournalStream;
  /** What one message takes of a block. */
  readonly partBytes: number;
  readonly first: number | undefined;
}

class StreamJournal implements Journal {
  #failure: JournalFailed | JournalFenced | undefined;
  #appending: Promise<void> | undefined;
  #isClosed = false;

  /** Ends the following, which waits for messages. */
  readonly #closing = new AbortController();

  constructor(
    private readonly parts: Parts,
    /** Of the shards that are written here. */
    private readonly ends: Map<number, SubjectEnd>,
    /** Of those that others write, as they were when this was opened. */
    private readonly followed: ReadonlyMap<number, SubjectEnd>,
  ) {}

  /** One message a shard, all of them at once behind the one that goes first. What some shards have stored when another failed is read by the next opening. */
  append(blocks: readonly ShardBlock[]): Promise<void> {
    assert(!this.#isClosed, 'a closed journal takes no appends');
    assert(this.#appending === undefined, 'one append is in flight at a time');
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    for (const block of blocks) this.#assertFollows(block);
    this.#appending = this.#appendAll(blocks).finally(() => {
      this.#appending = undefined;
    });
    return this.#appending;
  }

  read(after: ReadonlyMap<number, number>): AsyncIterable<StoredBlock> {
    return readStream({ ...this.parts, ends: new Map([...this.followed, ...this.ends]), after });
  }

  follow(shard: number): AsyncIterable<StoredBlock> {
    const end = this.followed.get(shard);
    assert(end !== undefined, `shard ${shard} is not followed`);
    return followStream({ ...this.parts, shard, end, signal: this.#closing.signal });
  }

  heads(): ReadonlyMap<number, ShardHead> {
    return new Map([...this.followed, ...this.ends].filter(([, { head }]) => head.lastSequence > 0).map(([shard, { head }]) => [shard, head]));
  }

  /** The server refuses what it has no room for, whole: what is known here is only that nothing has failed. */
  hasRoom(): boolean {
    return this.#failure === undefined && !this.#isClosed;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closing.abort();
    await this.#appending?.catch(() => undefined); // whoever appended is told
  }

  #assertFollows({ shard, firstSequence, records }: ShardBlock): void {
    const end = this.ends.get(shard);
    assert(end !== undefined, `shard ${shard} belongs to another writer`);
    assert(records.length > 0, `block of shard ${shard} holds records`);
    assert(firstSequence === end.head.lastSequence + 1, `shard ${shard} continues at ${end.head.lastSequence + 1}, not at ${firstSequence}`);
  }

  async #appendAll(blocks: readonly ShardBlock[]): Promise<void> {
    const ahead = blocks.filter(({ shard }) => shard === this.parts.first);
    for (const part of [ahead, blocks.filter((block) => !ahead.includes(block))]) {
      const ended = await Promise.allSettled(part.map((block) => this.#appendOne(block)));
      const failed = ended.find((one) => one.status === 'rejected');
      if (failed === undefined) continue;
      this.#failure = failed.reason instanceof JournalFenced ? failed.reason : new JournalFailed(failed.reason);
      throw this.#failure;
    }
  }

  async #appendOne(block: ShardBlock): Promise<void> {
    const { shard } = block;
    const before = this.ends.get(shard) ?? { streamSequence: 0, head: NO_HEAD, unfinishedSince: null };
    const message = blockMessages(block, before.head, this.parts.partBytes);
    const name = Buffer.from(message.head.hash).toString('hex', 0, 8);
    let last = before.streamSequence;
    let start: number | null = null;
    for (const [part, bytes] of message.parts.entries()) {
      last = await this.#publish(shard, {
        subject: subjectOf(this.parts.stream, shard), bytes, headers: message.headers(part, start), follows: last, messageId: `${shard}.${block.firstSequence}.${name}.${part}`,
      });
      start ??= last;
    }
    this.ends.set(shard, { streamSequence: last, head: message.head, unfinishedSince: null });
  }

  /** Where in the stream it lies. After a lost acknowledgement the subject's last message says whether it arrived. */
  async #publish(shard: number, message: NewMessage & { readonly messageId: string }): Promise<number> {
    const { server } = this.parts;
    try {
      return await server.publish(message);
    } catch (cause) {
      if (cause instanceof Overtaken) throw new JournalFenced(shard, cause);
      if (cause instanceof NotTaken) throw cause;
      const last = await server.last(message.subject);
      if (last?.headers?.get(MESSAGE_ID) === message.messageId) return last.sequence;
      throw cause;
    }
  }
}

const NOTHING = new Uint8Array(0);
const MESSAGE_ID = 'Nats-Msg-Id';
