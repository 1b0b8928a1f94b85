import type { NatsConnection } from '@nats-io/transport-node';
import { assert } from '../../engine/index.js';
import { JournalFailed, JournalFenced, StreamDamaged } from '../errors.js';
import { limits } from '../limits.js';
import type { Journal, ShardBlock, ShardHead, StoredBlock } from '../ports.js';
import { assertReaches, assertWhole, lossBehind } from './loss.js';
import { blockMessages, fenceHeaders } from './message.js';
import { endOf, followStream, NOTHING_YET, readStream, type SubjectEnd } from './read.js';
import { type JournalStream, type NewMessage, NotTaken, openNatsStream, Overtaken, type StreamServer, subjectOf } from './nats-stream.js';
import { StreamRoom } from './room.js';

/** The part of the stream that a journal writes and reads. */
export interface StreamPart {
  readonly stream: JournalStream;
  /** Shards that this writer owns. It writes to no others. */
  readonly shards: readonly number[];
  /** Shards of other writers that are read, and can be followed. */
  readonly followed?: readonly number[];
  /** A shard whose part of a batch must be durable before any other part, since all others are computed from it. */
  readonly first?: number;
  /** Name of the writer, which its fences show. */
  readonly owner: string;
  /** Whether the writer still owns the shards: asked before each fence, after the end that it follows was read. Absent: always. */
  readonly isHeld?: () => boolean;
  /** Records that were acknowledged to this writer before it opens the shards again: none of them may be missing. */
  readonly acknowledged?: ReadonlyMap<number, ShardHead>;
}

export interface StreamJournalOptions extends StreamPart {
  readonly connection: NatsConnection;
  /** Copies that the servers keep; default one. */
  readonly replicas?: number;
  /** How long any answer of the server is waited for, in milliseconds; default 5 s. */
  readonly ackMs?: number;
}

/** The journal of a cluster in JetStream. Throws `StreamDamaged`. */
export async function openStreamJournal({
  connection,
  replicas = 1,
  ackMs = limits.journalAckMs,
  ...part
}: StreamJournalOptions): Promise<Journal> {
  return openJournalOn(await openNatsStream({ connection, stream: part.stream, replicas, ackMs }), part);
}

/**
 * Opens the shards of a cluster's journal for one writer. Each is fenced first: the writer before it can no longer append, even if it does
 * not know of the fence, since each message names the one that it follows. Throws `StreamDamaged`.
 */
export async function openJournalOn(
  server: StreamServer,
  { stream, shards, followed = [], first, owner, isHeld = () => true, acknowledged = new Map() }: StreamPart,
): Promise<Journal> {
  const fencing = { stream, owner, isHeld, acknowledged };
  const owned = await Promise.all(shards.map(async (shard) => [shard, await fence(server, fencing, shard)] as const));
  const read = await Promise.all(followed.map(async (shard) => [shard, await endOf(server, stream, shard)] as const));
  const partBytes = server.payloadBytes - limits.messageHeaderBytes;
  assert(partBytes > 0, 'the server takes messages of some size');
  return new StreamJournal(
    { server, stream, partBytes, first, isHeld, fencing, room: await StreamRoom.of(server) },
    new Map(owned),
    new Map(read),
  );
}

/** Tries against another writer that fences at the same moment; the last one owns the shard. */
const FENCE_TRIES = 5;

type Fencing = Required<Pick<StreamPart, 'stream' | 'owner' | 'isHeld' | 'acknowledged'>>;

/**
 * Ownership is checked after the end was read: then no later owner can have fenced the shard before this end, and the fence of a later
 * owner makes this one fail. If it were checked earlier, a delayed writer could take the shard back from its successor.
 */
async function fence(server: StreamServer, { stream, owner, isHeld, acknowledged }: Fencing, shard: number): Promise<WrittenEnd> {
  for (let tried = 1; ; tried += 1) {
    const end = await endOf(server, stream, shard);
    const { streamSequence, head } = end;
    assertWhole(stream, shard, end);
    await assertReaches(server, { stream, shard, end, acknowledged: acknowledged.get(shard), isHeld });
    if (!isHeld()) throw new JournalFenced(shard, 'its lease has ended');
    try {
      const sequence = await server.publish({
        subject: subjectOf(stream, shard),
        bytes: NOTHING,
        headers: fenceHeaders(head, owner),
        follows: streamSequence,
      });
      return { ...end, streamSequence: sequence, unfinishedSince: null, isFenced: true };
    } catch (cause) {
      // The stream has no room: the shard can be read, and is fenced before anything is written.
      if (cause instanceof NotTaken) return { ...end, isFenced: false };
      if (!(cause instanceof Overtaken) || tried >= FENCE_TRIES) throw cause;
    }
  }
}

/** The end of a shard that this process writes. */
interface WrittenEnd extends SubjectEnd {
  /** Whether the shard is fenced, so that former writers can no longer append. */
  readonly isFenced: boolean;
}

interface Parts {
  readonly server: StreamServer;
  readonly stream: JournalStream;
  /** Most bytes of a block in one message. */
  readonly partBytes: number;
  readonly first: number | undefined;
  readonly isHeld: () => boolean;
  readonly fencing: Fencing;
  readonly room: StreamRoom;
}

class StreamJournal implements Journal {
  #failure: JournalFailed | JournalFenced | StreamDamaged | undefined;
  #appending: Promise<void> | undefined;
  #isClosed = false;
  /** Set when a shard without room for a fence was taken over meanwhile: the next append fails with it. */
  #overtaken: unknown;
  #isFencing = false;

  /** Ends the following, which waits for messages. */
  readonly #closing = new AbortController();

  constructor(
    private readonly parts: Parts,
    /** Of the shards that are written here. */
    private readonly ends: Map<number, WrittenEnd>,
    /** Of those that others write, as they were when this was opened. */
    private readonly followed: ReadonlyMap<number, SubjectEnd>,
  ) {}

  /**
   * Sends one message a shard, all at once, after that of the `first` shard. When a shard fails, the next opening reads what the other
   * shards have stored.
   */
  append(blocks: readonly ShardBlock[]): Promise<void> {
    assert(!this.#isClosed, 'a closed journal takes no appends');
    assert(this.#appending === undefined, 'one append is in flight at a time');
    const refused = this.#failure ?? this.#overtaken;
    if (refused !== undefined) return Promise.reject(refused);
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
    return new Map(
      [...this.followed, ...this.ends].filter(([, { head }]) => head.lastSequence > 0).map(([shard, { head }]) => [shard, head]),
    );
  }

  /**
   * By the last answer of the server. A message that does not fit all the same is refused as a whole. Shards whose fences had no room also
   * wait for room.
   */
  hasRoom(waitingBytes = 0): boolean {
    if (this.#failure !== undefined || this.#isClosed) return false;
    const isFenced = [...this.ends.values()].every((end) => end.isFenced);
    if (!isFenced) void this.#fenceAgain();
    return (isFenced || this.#overtaken !== undefined) && this.parts.room.isEnoughFor(waitingBytes);
  }

  /** Tries from time to time to fence shards whose fence had no room. */
  async #fenceAgain(): Promise<void> {
    if (this.#isFencing) return;
    this.#isFencing = true;
    const { server, fencing } = this.parts;
    try {
      for (const [shard, end] of this.ends) {
        if (end.isFenced) continue;
        const fenced = await fence(server, fencing, shard);
        if (fenced.head.lastSequence !== end.head.lastSequence) throw new JournalFenced(shard, 'somebody has written to it');
        this.ends.set(shard, fenced);
      }
    } catch (cause) {
      this.#overtaken = cause;
    }
    setTimeout(() => (this.#isFencing = false), limits.fenceAgainMs).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closing.abort();
    this.parts.room.close();
    await this.#appending?.catch(() => undefined); // `append` has reported the failure
  }

  #assertFollows({ shard, firstSequence, records }: ShardBlock): void {
    const end = this.ends.get(shard);
    assert(end?.isFenced === true, `shard ${shard} belongs to another writer`);
    assert(records.length > 0, `block of shard ${shard} holds records`);
    assert(
      firstSequence === end.head.lastSequence + 1,
      `shard ${shard} continues at ${end.head.lastSequence + 1}, not at ${firstSequence}`,
    );
  }

  async #appendAll(blocks: readonly ShardBlock[]): Promise<void> {
    const ahead = blocks.filter(({ shard }) => shard === this.parts.first);
    for (const part of [ahead, blocks.filter((block) => !ahead.includes(block))]) {
      const ended = await Promise.allSettled(part.map((block) => this.#appendOne(block)));
      const failed = ended.find((one) => one.status === 'rejected');
      if (failed === undefined) continue;
      const reason: unknown = failed.reason;
      this.#failure = reason instanceof JournalFenced || reason instanceof StreamDamaged ? reason : new JournalFailed(reason);
      throw this.#failure;
    }
  }

  async #appendOne(block: ShardBlock): Promise<void> {
    const { shard } = block;
    const { head: before, streamSequence } = this.ends.get(shard) ?? NOTHING_YET;
    const message = blockMessages(block, before, this.parts.partBytes);
    const name = Buffer.from(message.head.hash).toString('hex', 0, 8);
    let last = streamSequence;
    let start: number | null = null;
    for (const [part, bytes] of message.parts.entries()) {
      this.parts.room.use(bytes.length);
      last = await this.#publish(shard, {
        subject: subjectOf(this.parts.stream, shard),
        bytes,
        headers: message.headers(part, start),
        follows: last,
        messageId: `${shard}.${block.firstSequence}.${name}.${part}`,
      });
      start ??= last;
    }
    this.ends.set(shard, { ...NOTHING_YET, streamSequence: last, head: message.head, isFenced: true });
  }

  /** Returns the sequence in the stream. After a lost acknowledgement the last message of the subject shows whether it arrived. */
  async #publish(shard: number, message: NewMessage & { readonly messageId: string }): Promise<number> {
    const { server } = this.parts;
    try {
      return await server.publish(message);
    } catch (cause) {
      if (cause instanceof Overtaken) throw (await this.#lossBehind(shard, message.follows)) ?? new JournalFenced(shard, cause);
      if (cause instanceof NotTaken) throw cause;
      const last = await server.last(message.subject);
      if (last?.headers?.get(MESSAGE_ID) === message.messageId) return last.sequence;
      throw cause;
    }
  }

  #lossBehind(shard: number, follows: number): Promise<StreamDamaged | null> {
    const { server, stream, isHeld } = this.parts;
    return lossBehind(server, { stream, shard, follows, acknowledged: this.ends.get(shard)?.head.lastSequence ?? 0, isHeld });
  }
}

const NOTHING = new Uint8Array(0);
const MESSAGE_ID = 'Nats-Msg-Id';
