import type { JournalTime } from '../journal/journal-time.js';
import { LIMITS } from '../limits.js';
import type { KeyValue } from '../ports.js';
import { readReply, type StoredReply } from '../journal/records.js';
import { ReplyIndex } from './reply-index.js';
import { SlidingList } from '../lists/sliding-list.js';

/** A reply with the bytes that the journal has of it. */
export interface LoggedReply {
  readonly commandId: string;
  /** By the time of the journal, in milliseconds. */
  readonly at: number;
  readonly packed: Uint8Array;
}

/**
 * The answers to accepted commands, for their retries: those that are not on the disk yet in memory, all others in the
 * index on the disk, for 24 hours within its size. Of the newest commands memory knows that they were accepted, even if
 * their replies had to make room.
 */
export class Replies {
  readonly #running = new Set<string>();
  /** Accepted commands and when; `#order` has them from the oldest to the newest. */
  readonly #accepted = new Map<string, number>();
  readonly #order = new SlidingList<string>();
  readonly #unwritten = new SlidingList<LoggedReply>();
  readonly #unwrittenById = new Map<string, LoggedReply>();
  readonly #index: ReplyIndex;

  /** `time` goes on from the replies that are found. */
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

  /** From when its reply is recorded until that is durable. */
  begin(commandId: string): void {
    this.#running.add(commandId);
  }

  /** A command that waits for its turn is running as well. */
  async whileWaiting(commandId: string, wait: () => Promise<void>): Promise<void> {
    this.#running.add(commandId);
    try {
      await wait();
    } finally {
      this.#running.delete(commandId);
    }
  }

  /** A flush has failed: what was not durable will never be. */
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

  /** Whether the command is known to have been accepted, be its reply here or not. */
  wasAccepted(commandId: string, nowMs: number): boolean {
    const at = this.#accepted.get(commandId);
    return at !== undefined && isKept(at, nowMs);
  }

  get unwritten(): number {
    return this.#unwritten.length;
  }

  /** What a flush of the index has to write for the first `count` unwritten replies, and what has to make room. */
  entries(nowMs: number, count: number): (readonly [string, Uint8Array | null])[] {
    const replies: LoggedReply[] = [];
    for (let place = 0; place < count; place++) {
      const reply = this.#unwritten.at(place);
      if (reply) replies.push(reply);
    }
    return this.#index.entries(replies, nowMs);
  }

  /** What `entries` gave for the first `count` unwritten replies is stored: memory lets go of them. */
  stored(count: number): void {
    this.#index.stored();
    for (let place = 0; place < count; place++) {
      const reply = this.#unwritten.at(place);
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
