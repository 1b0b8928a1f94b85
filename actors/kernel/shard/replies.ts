import { Refusal } from '../../errors.js';
import { JsonText } from '../../wire.js';
import type { CommandRequest, Outcome } from '../actor.js';
import type { JournalTime } from '../journal/journal-time.js';
import { pack, readReply, type StoredReply, unpack } from '../journal/records.js';
import { LIMITS } from '../limits.js';
import { SlidingList } from '../lists/row-list.js';
import type { KeyStore, KeyValue } from '../ports.js';
import { isOfBody } from './body-digest.js';
import { replyContext } from './execution.js';

type Entry = readonly [string, Uint8Array | null];

const BYTES_KEY = 'm/bytes';
const TIME_KEY = 'm/time';
/** Base 36: microseconds until the year 6,000. */
const CHUNK_DIGITS = 11;

/** Of a chunk: its bytes, the time of its newest reply, and the ids of its commands. */
type Contents = readonly [number, number, readonly string[]];
/** Of a reply: its chunk, and its begin and end there. */
type ReplyLocation = readonly [string, number, number];

/**
 * The stored replies, many in one value, as the journal has them. Chunks are numbered by time, rising; the oldest are removed when all
 * together exceed their limit.
 *
 *   c/<chunk>     the replies, one behind the other
 *   t/<chunk>     its contents
 *   r/<command>   the place of its reply
 *   r/<command>   the location of its reply
 *   m/bytes       the size of all chunks
 */
export class ReplyIndex {
  #newest: number;
  #bytes: number;
  /** The two values after the entries being written. */
  #next: { readonly newest: number; readonly bytes: number } | null = null;

  constructor(
    private readonly store: KeyValue,
    private readonly bytesLimit: number,
  ) {
    const [newest] = [...store.range({ start: 't/', end: 't/~', reverse: true, limit: 1 })];
    this.#newest = newest ? Number.parseInt(newest[0].slice(2), 36) : 0;
    const bytes = store.get(BYTES_KEY);
    this.#bytes = bytes ? unpack<number>(bytes) : 0;
  }

  /** The time of the journal when something was stored last, in milliseconds; 0 when nothing is. */
  get storedAt(): number {
    const time = this.store.get(TIME_KEY);
    if (time) return unpack<number>(time);
    const [newest] = [...this.store.range({ start: 't/', end: 't/~', reverse: true, limit: 1 })];
    return newest ? unpack<Contents>(newest[1])[1] : 0;
  }

  get(commandId: string): Uint8Array | undefined {
    const location = this.#locationOf(commandId);
    return location && this.store.get(`c/${location[0]}`)?.subarray(location[1], location[2]);
  }

  /** The entries that store new replies and remove old ones. */
  entries(replies: readonly LoggedReply[], nowMs: number): Entry[] {
    const added = replies.reduce((sum, { packed }) => sum + packed.length, 0);
    const removed: Entry[] = [];
    let bytes = this.#bytes + added;
    for (const [key, value] of this.store.range({ start: 't/', end: 't/~', limit: LIMITS.replyChunksForgotten })) {
      const [chunkBytes, newestAt, commands] = unpack<Contents>(value);
      if (bytes <= this.bytesLimit && nowMs - newestAt < LIMITS.storedReplyMs) break;
      bytes -= chunkBytes;
      this.#forget(removed, key.slice(2), commands);
    }
    const newest = Math.max(nowMs * 1000, this.#newest + 1);
    this.#next = { newest, bytes };
    return [
      ...removed,
      ...chunkEntries(replies, newest.toString(36).padStart(CHUNK_DIGITS, '0'), added),
      [BYTES_KEY, pack(bytes)],
      [TIME_KEY, pack(nowMs)],
    ];
  }

  /** What `entries` gave is written. */
  stored(): void {
    if (this.#next) ({ newest: this.#newest, bytes: this.#bytes } = this.#next);
    this.#next = null;
  }

  /** Keeps the entry of a command that came again after its reply had expired: a newer chunk has its answer. */
  #forget(entries: Entry[], chunk: string, commands: readonly string[]): void {
    entries.push([`t/${chunk}`, null], [`c/${chunk}`, null]);
    for (const commandId of commands) if (this.#locationOf(commandId)?.[0] === chunk) entries.push([`r/${commandId}`, null]);
  }

  #locationOf(commandId: string): ReplyLocation | undefined {
    const bytes = this.store.get(`r/${commandId}`);
    return bytes && unpack<ReplyLocation>(bytes);
  }
}

function chunkEntries(replies: readonly LoggedReply[], chunk: string, bytes: number): Entry[] {
  if (replies.length === 0) return [];
  const entries: Entry[] = [];
  const together = Buffer.allocUnsafeSlow(bytes);
  let end = 0;
  let newestAt = 0;
  for (const { commandId, at, packed } of replies) {
    together.set(packed, end);
    entries.push([`r/${commandId}`, pack([chunk, end, end + packed.length] satisfies ReplyLocation)]);
    end += packed.length;
    newestAt = Math.max(newestAt, at);
  }
  const contents: Contents = [bytes, newestAt, replies.map(({ commandId }) => commandId)];
  return [...entries, [`c/${chunk}`, together], [`t/${chunk}`, pack(contents)]];
}

/** A reply with its bytes in the journal. */
export interface LoggedReply {
  readonly commandId: string;
  /** By the time of the journal, in milliseconds. */
  readonly at: number;
  readonly packed: Uint8Array;
}

/**
 * The answers to accepted commands, for their retries: unstored ones in memory, all others in the index on the disk, for 24 hours within
 * its size limit. Memory also knows that the newest commands were accepted, even if their replies had to be removed.
 */
export class Replies {
  readonly #running = new Set<string>();
  /** Accepted commands and when; `#order` has them from the oldest to the newest. */
  readonly #accepted = new Map<string, number>();
  readonly #order = new SlidingList<string>();
  readonly #unwritten = new SlidingList<LoggedReply>();
  readonly #unwrittenById = new Map<string, LoggedReply>();
  readonly #index: ReplyIndex;

  /** `time` continues from the replies that are found. */
  constructor(
    store: KeyValue,
    private readonly time: Pick<JournalTime, 'reached'> | null = null,
    bytesLimit: number = LIMITS.storedReplyBytes,
  ) {
    this.#index = new ReplyIndex(store, bytesLimit);
    this.time?.reached(this.#index.storedAt);
  }

  isRunning(commandId: string): boolean {
    return this.#running.has(commandId);
  }

  /** Its reply is recorded, and not yet durable. */
  begin(commandId: string): void {
    this.#running.add(commandId);
  }

  /** A command that waits for another one counts as running. */
  async whileWaiting(commandId: string, wait: () => Promise<void>): Promise<void> {
    this.#running.add(commandId);
    try {
      await wait();
    } finally {
      this.#running.delete(commandId);
    }
  }

  /** A flush has failed: replies that were not durable never will be. */
  endAll(): void {
    this.#running.clear();
  }

  /** A reply counts once its batch is durable. */
  keep(reply: LoggedReply): void {
    this.#running.delete(reply.commandId);
    this.#unwritten.push(reply);
    this.#unwrittenById.set(reply.commandId, reply);
    this.#remember(reply);
    this.time?.reached(reply.at);
  }

  find(commandId: string, nowMs: number): StoredReply | undefined {
    const packed = this.#unwrittenById.get(commandId)?.packed ?? this.#index.get(commandId);
    const reply = packed && readReply(packed);
    return reply && reply.commandId === commandId && isKept(reply.at, nowMs) ? reply : undefined;
  }

  /** Whether the command is known to have been accepted, even if its reply is no longer kept. */
  wasAccepted(commandId: string, nowMs: number): boolean {
    const at = this.#accepted.get(commandId);
    return at !== undefined && isKept(at, nowMs);
  }

  get unwritten(): number {
    return this.#unwritten.length;
  }

  /** The entries that store the first `count` unwritten replies, and remove old ones. */
  entries(nowMs: number, count: number): (readonly [string, Uint8Array | null])[] {
    const replies: LoggedReply[] = [];
    for (let index = 0; index < count; index++) {
      const reply = this.#unwritten.at(index);
      if (reply) replies.push(reply);
    }
    return this.#index.entries(replies, nowMs);
  }

  /** The entries for the first `count` unwritten replies are stored: memory may drop them. */
  stored(count: number): void {
    this.#index.stored();
    for (let index = 0; index < count; index++) {
      const reply = this.#unwritten.at(index);
      if (reply && this.#unwrittenById.get(reply.commandId) === reply) this.#unwrittenById.delete(reply.commandId);
    }
    this.#unwritten.drop(count);
  }

  #remember({ commandId, at }: LoggedReply): void {
    if (!this.#accepted.has(commandId)) this.#order.push(commandId);
    this.#accepted.set(commandId, at);
    if (this.#order.length <= LIMITS.recentCommands) return;
    const oldest = this.#order.at(0);
    if (oldest !== undefined) this.#accepted.delete(oldest);
    this.#order.drop(1);
  }
}

const isKept = (at: number, nowMs: number): boolean => nowMs - at < LIMITS.storedReplyMs;

/**
 * The stored answer of a command that was accepted before, under the same key with the same body. Undefined on the first attempt. A reply
 * with personal data opens as long as the person's key exists.
 */
export function earlierReply(replies: Replies, keys: KeyStore, request: CommandRequest, nowMs: number): Outcome | undefined {
  if (!request.idempotency) return undefined;
  const stored = replies.find(request.commandId, nowMs);
  if (!stored) {
    if (replies.wasAccepted(request.commandId, nowMs)) throw new Refusal('idempotencyConflict', NO_LONGER_KEPT);
    if (!replies.isRunning(request.commandId)) return undefined;
    throw new Refusal('idempotencyInProgress', 'The first request with this Idempotency-Key is still running. Try again in a second.');
  }
  if (!isOfBody(stored.digest, request.idempotency))
    throw new Refusal('idempotencyConflict', 'This Idempotency-Key was already used with another body. Use a new key.');
  const text = textOf(stored, keys);
  return {
    data: text === '' ? undefined : new JsonText(text),
    replayed: true,
    ...(stored.status === null ? {} : { status: stored.status }),
    ...(stored.message === null ? {} : { message: stored.message }),
    ...(stored.operationId === null ? {} : { operationId: stored.operationId }),
  };
}

const NO_LONGER_KEPT = 'The first request with this Idempotency-Key was carried out. Its reply is no longer kept.';

function textOf({ commandId, dataText, sealedFor }: StoredReply, keys: KeyStore): string {
  if (sealedFor === null) return dataText;
  const opened = keys.open(sealedFor, Buffer.from(dataText, 'base64'), replyContext(commandId));
  if (opened === undefined) throw new Refusal('notFound', 'The person in the first reply was erased.');
  return opened;
}
