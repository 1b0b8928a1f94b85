import { LIMITS } from '../limits.js';
import type { KeyValue } from '../ports.js';
import { pack, unpack } from '../journal/records.js';
import type { LoggedReply } from './replies.js';

type Entry = readonly [string, Uint8Array | null];

const BYTES_KEY = 'm/bytes';
const TIME_KEY = 'm/time';
/** Base 36: microseconds until the year 6,000. */
const CHUNK_DIGITS = 11;

/** Of a chunk: its bytes, when its newest reply was given, and the commands that it answers. */
type Contents = readonly [number, number, readonly string[]];
/** Of a reply: its chunk, where it begins there, and where it ends. */
type Place = readonly [string, number, number];

/**
 * The replies on the disk, many in one value, as the journal has them. Chunks are numbered by time, rising; the oldest
 * make room for the newest when they take more than their bound.
 *
 *   c/<chunk>     the replies, one behind the other
 *   t/<chunk>     its contents
 *   r/<command>   the place of its reply
 *   m/bytes       what all chunks take
 *   m/time        the time of the journal when the newest chunk was stored
 */
export class ReplyIndex {
  #newest: number;
  #bytes: number;
  /** What is being written makes of the two. */
  #next: { readonly newest: number; readonly bytes: number } | null = null;

  constructor(
    private readonly store: KeyValue,
    private readonly bytesLimit: number,
  ) {
    const [newest] = [...store.range({ start: 't/', end: 't/~', reverse: true, limit: 1 })];
    this.#newest = newest ? Number.parseInt(newest[0].slice(2), 36) : 0;
    const bytes = store.get(BYTES_KEY);
    this.#bytes = bytes ? (unpack(bytes) as number) : 0;
  }

  /** How far the time of the journal had come when something was stored last, in milliseconds; 0 where nothing is. */
  get storedAt(): number {
    const time = this.store.get(TIME_KEY);
    if (time) return unpack(time) as number;
    const [newest] = [...this.store.range({ start: 't/', end: 't/~', reverse: true, limit: 1 })];
    return newest ? (unpack(newest[1]) as Contents)[1] : 0;
  }

  get(commandId: string): Uint8Array | undefined {
    const place = this.#placeOf(commandId);
    return place && this.store.get(`c/${place[0]}`)?.subarray(place[1], place[2]);
  }

  /** What has to be written for new replies, and to forget old ones. */
  entries(replies: readonly LoggedReply[], nowMs: number): Entry[] {
    const added = replies.reduce((sum, { packed }) => sum + packed.length, 0);
    const removed: Entry[] = [];
    let bytes = this.#bytes + added;
    for (const [key, value] of this.store.range({ start: 't/', end: 't/~', limit: LIMITS.replyChunksForgotten })) {
      const [chunkBytes, newestAt, commands] = unpack(value) as Contents;
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

  /** A command that came again after its reply had expired is answered by a newer chunk. */
  #forget(entries: Entry[], chunk: string, commands: readonly string[]): void {
    entries.push([`t/${chunk}`, null], [`c/${chunk}`, null]);
    for (const commandId of commands) if (this.#placeOf(commandId)?.[0] === chunk) entries.push([`r/${commandId}`, null]);
  }

  #placeOf(commandId: string): Place | undefined {
    const bytes = this.store.get(`r/${commandId}`);
    return bytes && (unpack(bytes) as Place);
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
    entries.push([`r/${commandId}`, pack([chunk, end, end + packed.length] satisfies Place)]);
    end += packed.length;
    newestAt = Math.max(newestAt, at);
  }
  const contents: Contents = [bytes, newestAt, replies.map(({ commandId }) => commandId)];
  return [...entries, [`c/${chunk}`, together], [`t/${chunk}`, pack(contents)]];
}
