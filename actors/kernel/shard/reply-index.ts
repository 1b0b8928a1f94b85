import { unpack, pack } from '../journal/records.js';
import { LIMITS } from '../limits.js';
import type { KeyValue } from '../ports.js';

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
