import { LIMITS } from './limits.js';
import type { KeyValue } from './ports.js';
import { packReply, readReply, type StoredReply } from './records.js';

const HOUR_MS = 3_600_000;

/**
 * The answers to accepted commands, for their retries. The newest are in memory, all lie on disk for 24 hours:
 * `r/<command>` the reply, `t/<hour>/<command>` its place in time, for throwing old ones away.
 */
export class Replies {
  readonly #recent = new Map<string, StoredReply>();
  readonly #running = new Set<string>();
  #unwritten: StoredReply[] = [];

  constructor(private readonly store: KeyValue) {}

  isRunning(commandId: string): boolean {
    return this.#running.has(commandId);
  }

  begin(commandId: string): void {
    this.#running.add(commandId);
  }

  end(commandId: string): void {
    this.#running.delete(commandId);
  }

  /** A reply counts once its batch is durable. */
  keep(reply: StoredReply): void {
    this.#recent.set(reply.commandId, reply);
    this.#unwritten.push(reply);
  }

  find(commandId: string, nowMs: number): StoredReply | undefined {
    const stored = this.#recent.get(commandId) ?? this.#read(commandId);
    return stored && nowMs - stored.at < LIMITS.storedReplyMs ? stored : undefined;
  }

  get unwritten(): number {
    return this.#unwritten.length;
  }

  /** What a flush of the index has to write, and what is too old to keep. */
  entries(nowMs: number): (readonly [string, Uint8Array | null])[] {
    const entries: (readonly [string, Uint8Array | null])[] = [];
    for (const reply of this.#unwritten) {
      entries.push([`r/${reply.commandId}`, packReply(reply)], [`t/${hourOf(reply.at)}/${reply.commandId}`, new Uint8Array(0)]);
    }
    for (const [key] of this.store.range({ start: 't/', end: `t/${hourOf(nowMs - LIMITS.storedReplyMs)}`, limit: 10_000 })) {
      entries.push([key, null], [`r/${key.slice(key.lastIndexOf('/') + 1)}`, null]);
    }
    return entries;
  }

  /** The first `count` unwritten replies are stored: memory may let go of the oldest. */
  stored(count: number): void {
    this.#unwritten = this.#unwritten.slice(count);
    let surplus = Math.min(this.#recent.size - LIMITS.recentCommands, this.#recent.size - this.#unwritten.length);
    for (const commandId of this.#recent.keys()) {
      if (surplus-- <= 0) return;
      this.#recent.delete(commandId);
    }
  }

  #read(commandId: string): StoredReply | undefined {
    const bytes = this.store.get(`r/${commandId}`);
    return bytes && readReply(bytes);
  }
}

const hourOf = (ms: number): string => Math.floor(ms / HOUR_MS).toString().padStart(8, '0');
