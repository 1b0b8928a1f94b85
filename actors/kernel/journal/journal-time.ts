import { ERASURE } from '../fact.js';
import type { ShardBlock } from '../ports.js';
import { readRecord } from './records.js';
import { stampOf } from './restore-cut.js';

/**
 * The time that a journal keeps by itself, in milliseconds: it goes on by what passes while the journal is served, by a clock that never
 * jumps, and begins where the replies of the journal end. What is kept for a while is kept by it, since the clock of a machine may be put
 * a day forward at any moment, and a retry would be carried out twice. While nobody serves the journal it stands still: what is kept is
 * kept longer.
 */
export class JournalTime {
  #at = 0;
  #measuredMs: number;

  /** Milliseconds of a clock that never jumps, from any moment on. */
  constructor(private readonly monotonicMs: () => number) {
    this.#measuredMs = monotonicMs();
  }

  now(): number {
    const measuredMs = this.monotonicMs();
    this.#at += Math.max(0, measuredMs - this.#measuredMs);
    this.#measuredMs = measuredMs;
    return Math.floor(this.#at);
  }

  /** The journal has come so far already. */
  reached(at: number): void {
    this.#at = Math.max(this.now(), at);
  }
}

/** What whoever restores a journal must know of all of it, even where he takes only its beginning. */
export class JournalSummary {
  readonly #idCounters = new Map<number, number>();
  readonly #erased = new Set<string>();
  /** The highest of all records, in microseconds. */
  newestStamp = 0;

  add({ shard, firstSequence, records }: ShardBlock): void {
    for (const [at, bytes] of records.entries()) {
      const record = readRecord(bytes, firstSequence + at);
      this.newestStamp = Math.max(this.newestStamp, stampOf(record));
      if (record.type !== 'fact') continue;
      if (record.idCounter > this.idCounterOf(shard)) this.#idCounters.set(shard, record.idCounter);
      if (record.fact.type === ERASURE) this.#erased.add(record.fact.id);
    }
  }

  idCounterOf(shard: number): number {
    return this.#idCounters.get(shard) ?? 0;
  }

  get erased(): readonly string[] {
    return [...this.#erased];
  }
}
