import { jetstream, type JetStreamClient, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { KeyValueUnavailable, StreamDamaged } from '../errors.js';
import { isBlockWhole, parseBlock, storedBlock } from '../journal/batch-encoder.js';
import { asBuffer } from '../journal/format.js';
import { limits } from '../limits.js';
import type { ShardBlock, ShardHead, StoredBlock } from '../ports.js';
import { blockMessages, type JournalMessage, NO_HEAD, readMessage } from './message.js';
import { everySubject, type JournalStream, makeStream, type StreamMessage, type StreamServer, subjectOf } from './nats-stream.js';

/** The last message of a shard's subject. */
export interface SubjectEnd {
  /** Its sequence in the stream; 0 when the subject has none. */
  readonly streamSequence: number;
  readonly head: ShardHead;
  /** Sequence of the first part of a block that is incomplete; null when the last message is whole. */
  readonly unfinishedSince: number | null;
  /** The loss that its last writer has marked; null where there is none. */
  readonly lost: string | null;
}

/** The end of a subject without messages. */
export const NOTHING_YET: SubjectEnd = { streamSequence: 0, head: NO_HEAD, unfinishedSince: null, lost: null };

/** The end of a shard's subject. Throws `StreamDamaged`. */
export async function endOf(server: StreamServer, stream: JournalStream, shard: number): Promise<SubjectEnd> {
  const last = await server.last(subjectOf(stream, shard));
  if (last === null) return NOTHING_YET;
  const { type, head, part, parts, start, lost } = known(stream, shard, last);
  return {
    streamSequence: last.sequence,
    head,
    unfinishedSince: part < parts ? (start ?? last.sequence) : null,
    lost: type === 'lost' ? lost : null,
  };
}

export interface StreamReading {
  readonly server: StreamServer;
  readonly stream: JournalStream;
  /** The ends of the shards at the start of the reading: later messages are not read. */
  readonly ends: ReadonlyMap<number, SubjectEnd>;
  /** The last sequence of each shard that the reader has already. */
  readonly after: ReadonlyMap<number, number>;
}

/** The wanted blocks in the order of the stream. Hashes and chains are checked on the way. Throws `StreamDamaged`. */
export async function* readStream({ server, stream, ends, after }: StreamReading): AsyncGenerator<StoredBlock> {
  const wanted = [...ends].filter(([shard, { head }]) => head.lastSequence > (after.get(shard) ?? 0));
  if (wanted.length === 0) return;
  const starts = await Promise.all(wanted.map(([shard, end]) => startOf(server, stream, shard, end, after.get(shard) ?? 0)));
  const chains = new Map(wanted.map(([shard]) => [shard, new ShardReader(stream, shard, after.get(shard) ?? 0)]));
  const last = Math.max(...wanted.map(([, { streamSequence }]) => streamSequence));
  const [only] = wanted.length === 1 ? wanted : [];
  const subject = only === undefined ? everySubject(stream) : subjectOf(stream, only[0]);
  for await (const message of server.follow(subject, Math.min(...starts), NEVER)) {
    const shard = Number(message.subject.slice(message.subject.lastIndexOf('.') + 1));
    const end = ends.get(shard);
    const block = end === undefined || message.sequence > end.streamSequence ? undefined : chains.get(shard)?.take(message);
    if (block !== undefined && block.firstSequence + block.records.length - 1 > (after.get(shard) ?? 0)) yield block;
    if (message.sequence >= last) break;
  }
  for (const [shard, { head }] of wanted) chains.get(shard)?.assertEndsAt(head);
}

export interface StreamFollowing extends Pick<StreamReading, 'server' | 'stream'> {
  readonly shard: number;
  /** The reading yields what comes behind this end. */
  readonly end: SubjectEnd;
  readonly signal: AbortSignal;
}

/** The blocks of a shard as its writer appends them, until the signal. Throws `StreamDamaged`. */
export async function* followStream({ server, stream, shard, end, signal }: StreamFollowing): AsyncGenerator<StoredBlock> {
  const reader = new ShardReader(stream, shard, end.head.lastSequence, end.streamSequence === 0 ? null : end.head);
  for await (const message of server.follow(subjectOf(stream, shard), end.unfinishedSince ?? end.streamSequence + 1, signal)) {
    const block = reader.take(message);
    if (block !== undefined) yield block;
  }
}

/**
 * All blocks of all shards up to a message of the stream: every message on the way must be there, and every chain whole. Blocks whose last
 * part lies behind it are left out. Throws `StreamDamaged`.
 */
export async function* readWhole(server: StreamServer, stream: JournalStream, through: number): AsyncGenerator<StoredBlock> {
  if (through === 0) return;
  const chains = new Map<number, ShardReader>();
  let last = 0;
  for await (const message of followed(server, everySubject(stream))) {
    const shard = Number(message.subject.slice(message.subject.lastIndexOf('.') + 1));
    if (message.sequence !== last + 1)
      throw new StreamDamaged(stream.name, shard, message.sequence, `the messages from ${last + 1} to the one before it are gone`);
    last = message.sequence;
    const reader = chains.get(shard) ?? new ShardReader(stream, shard, 0);
    chains.set(shard, reader);
    const block = reader.take(message);
    if (block !== undefined) yield block;
    if (last >= through) return;
  }
}

/** From the first message on; ends with an error when the next one does not come in time. */
async function* followed(server: StreamServer, subject: string): AsyncGenerator<StreamMessage> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), limits.wholeReadSilenceMs);
  try {
    for await (const message of server.follow(subject, 1, silence.signal)) {
      yield message;
      timer.refresh();
    }
  } finally {
    clearTimeout(timer);
  }
  throw new KeyValueUnavailable('the stream has given nothing for a while');
}

/** Of a reading that ends by itself. */
const NEVER = new AbortController().signal;

/** Follows the messages of one shard. */
class ShardReader {
  #parts: Uint8Array[] = [];
  /** Head of the last block or fence; null before the first. */
  #head: ShardHead | null;

  constructor(
    private readonly stream: JournalStream,
    private readonly shard: number,
    private readonly after: number,
    head: ShardHead | null = null,
  ) {
    this.#head = head;
  }

  /** Returns the block that the message completes. */
  take(message: StreamMessage): StoredBlock | undefined {
    const { type, head, part, parts } = known(this.stream, this.shard, message);
    if (type !== 'block') {
      this.#parts = []; // the block of the earlier parts will never be completed
      this.#expect(message.sequence, head);
      this.#head = head;
      return undefined;
    }
    if (part === 1) this.#parts = [];
    if (part !== this.#parts.length + 1)
      throw this.#damaged(message.sequence, `part ${part} of ${parts} does not follow on part ${this.#parts.length}`);
    this.#parts.push(message.bytes);
    if (part < parts) return undefined;
    const bytes = parts === 1 ? asBuffer(message.bytes) : Buffer.concat(this.#parts);
    this.#parts = [];
    const parsed = parseBlock(bytes, 0, bytes.length);
    if (parsed === undefined || parsed.length !== bytes.length || parsed.shard !== this.shard || !isBlockWhole(bytes, parsed)) {
      throw this.#damaged(message.sequence, 'the block is not what its hash was made from');
    }
    this.#expect(message.sequence, { lastSequence: parsed.firstSequence - 1, hash: parsed.previousHash });
    if (parsed.lastSequence !== head.lastSequence || !parsed.hash.equals(head.hash))
      throw this.#damaged(message.sequence, 'its head is not that of its block');
    this.#head = head;
    return storedBlock(bytes, parsed);
  }

  assertEndsAt(head: ShardHead): void {
    if (this.#head === null || !areSame(this.#head, head))
      throw this.#damaged(0, `the subject does not end at record ${head.lastSequence}`);
  }

  /** The first message must not leave out records that the reader lacks. */
  #expect(streamSequence: number, before: ShardHead): void {
    if (this.#head === null ? before.lastSequence <= this.after : areSame(this.#head, before)) return;
    throw this.#damaged(
      streamSequence,
      `it follows on record ${before.lastSequence}, and what comes before ends at ` +
        `${this.#head?.lastSequence ?? this.after} or has another hash`,
    );
  }

  #damaged(streamSequence: number, meaning: string): StreamDamaged {
    return new StreamDamaged(this.stream.name, this.shard, streamSequence, meaning);
  }
}

const areSame = (one: ShardHead, other: ShardHead): boolean =>
  one.lastSequence === other.lastSequence && Buffer.compare(one.hash, other.hash) === 0;

/** Why the heads do not belong to this stream's chains; null where they do. Heads ahead of their shard are not checked. */
export async function misfitOf(server: StreamServer, stream: JournalStream, heads: ReadonlyMap<number, ShardHead>): Promise<string | null> {
  for (const [shard, head] of heads) {
    const end = await endOf(server, stream, shard);
    if (end.head.lastSequence < head.lastSequence) continue;
    const found = await firstPast(server, stream, shard, end, head.lastSequence - 1);
    if (found.head === null || !areSame(found.head, head))
      return `record ${head.lastSequence} of shard ${shard} has another hash in the journal`;
  }
  return null;
}

async function startOf(server: StreamServer, stream: JournalStream, shard: number, end: SubjectEnd, after: number): Promise<number> {
  const { seq, start } = await firstPast(server, stream, shard, end, after);
  return start ?? seq;
}

interface Found {
  readonly seq: number;
  /** Sequence of its first part; null on that one. */
  readonly start: number | null;
  readonly head: ShardHead | null;
}

/** How far before the end the search for a position begins, in messages of the stream, and by what it then goes further back. */
const NEAR_END = 256;
const FURTHER = 4;

/**
 * The first message that brings the shard past a sequence. Heads rise with the stream, so a binary search finds it. It begins near the end,
 * since most readers lack little: its cost depends on what they lack, not on the length of the stream, whose old messages the server would
 * have to read from its disk.
 */
async function firstPast(server: StreamServer, stream: JournalStream, shard: number, end: SubjectEnd, after: number): Promise<Found> {
  let [low, high] = [1, end.streamSequence];
  let found: Found = { seq: end.streamSequence, start: null, head: null };
  for (let back = NEAR_END; back < end.streamSequence; back *= FURTHER) {
    const from = end.streamSequence - back;
    const next = await server.next(subjectOf(stream, shard), from);
    if (next === null || next.sequence > high) continue;
    const message = known(stream, shard, next);
    if (message.head.lastSequence <= after) {
      low = next.sequence + 1;
      break;
    }
    found = { seq: next.sequence, start: message.start, head: message.head };
    high = from - 1;
  }
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const next = await server.next(subjectOf(stream, shard), middle);
    if (next === null || next.sequence > high) {
      high = middle - 1;
      continue;
    }
    const message = known(stream, shard, next);
    if (message.head.lastSequence > after) {
      found = { seq: next.sequence, start: message.start, head: message.head };
      high = middle - 1;
    } else {
      low = next.sequence + 1;
    }
  }
  return found;
}

function known(stream: JournalStream, shard: number, message: StreamMessage): JournalMessage {
  const read = readMessage(message.headers);
  if (read === undefined) throw new StreamDamaged(stream.name, shard, message.sequence, 'the message is none of a journal');
  return read;
}

/**
 * Fills an empty stream with a journal, many messages at once. Nobody else writes to it, so the sequence of each message is known before
 * its acknowledgement, and the server accepts each only at its sequence. After a failure every later call fails.
 */
export class StreamFiller {
  readonly #heads = new Map<number, ShardHead>();
  readonly #inFlight = new Set<Promise<void>>();
  #failure: unknown = null;
  #sequence = 0;

  /** Makes the stream. */
  static async begin(connection: NatsConnection, stream: JournalStream): Promise<StreamFiller> {
    await makeStream(await jetstreamManager(connection), stream, 1);
    return new StreamFiller(
      jetstream(connection, { timeout: limits.filledAckMs }),
      stream,
      (connection.info?.max_payload ?? 0) - limits.messageHeaderBytes,
    );
  }

  private constructor(
    private readonly client: JetStreamClient,
    private readonly stream: JournalStream,
    private readonly partBytes: number,
  ) {}

  /** Resolves when there is room for more; `finish` resolves when all is stored. */
  async append(blocks: readonly ShardBlock[]): Promise<void> {
    for (const block of blocks) {
      const message = blockMessages(block, this.#heads.get(block.shard) ?? NO_HEAD, this.partBytes);
      const start = this.#sequence + 1;
      for (const [part, bytes] of message.parts.entries())
        await this.#publish(subjectOf(this.stream, block.shard), bytes, message.headers(part, part === 0 ? null : start));
      this.#heads.set(block.shard, message.head);
    }
  }

  heads(): ReadonlyMap<number, ShardHead> {
    return this.#heads;
  }

  /** Resolves when the server has all of it. */
  async finish(): Promise<void> {
    await Promise.all(this.#inFlight);
    if (this.#failure !== null) throw this.#failure;
  }

  async #publish(subject: string, bytes: Uint8Array, headers: ReturnType<ReturnType<typeof blockMessages>['headers']>): Promise<void> {
    while (this.#inFlight.size >= limits.filledInFlight) await Promise.race(this.#inFlight);
    if (this.#failure !== null) throw this.#failure;
    const publishing: Promise<void> = this.client
      .publish(subject, bytes, { headers, expect: { lastSequence: this.#sequence } })
      .then(
        () => undefined,
        (cause: unknown) => void (this.#failure ??= cause),
      )
      .finally(() => this.#inFlight.delete(publishing));
    this.#inFlight.add(publishing);
    this.#sequence += 1;
  }
}
