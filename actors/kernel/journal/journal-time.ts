import { destroysKey } from '../fact.js';
import type { ShardBlock } from '../ports.js';
import { readRecord } from './records.js';
import { stampOf } from './restore-cut.js';

/**
 * The time of a journal, in milliseconds. It advances while the journal is served, by a clock that never jumps, and begins at the last
 * reply of the journal. Stored replies expire by it: the clock of a machine may be set a day ahead at any moment, and a retry would then be
 * carried out twice. While no process serves the journal its time stands still, so that replies are kept longer.
 */
export class JournalTime {
  #at = 0;
  #measuredMs: number;

  /** `monotonicMs`: milliseconds of a clock that never jumps, counted from any moment. */
  constructor(private readonly monotonicMs: () => number) {
    this.#measuredMs = monotonicMs();
  }

  now(): number {
    const measuredMs = this.monotonicMs();
    this.#at += Math.max(0, measuredMs - this.#measuredMs);
    this.#measuredMs = measuredMs;
    return Math.floor(this.#at);
  }

  /** The time is at least this. */
  reached(at: number): void {
    this.#at = Math.max(this.now(), at);
  }
}

/** What a restore must know of the whole journal, even when it takes only a part from its beginning. */
export class JournalSummary {
  readonly #idCounters = new Map<number, number>();
  readonly #erased = new Set<string>();
  /** The highest stamp of all records, in microseconds. */
  newestStamp = 0;

  add({ shard, firstSequence, records }: ShardBlock): void {
    for (const [at, bytes] of records.entries()) {
      const record = readRecord(bytes, firstSequence + at);
      this.newestStamp = Math.max(this.newestStamp, stampOf(record));
      if (record.type !== 'fact') continue;
      if (record.idCounter > this.idCounterOf(shard)) this.#idCounters.set(shard, record.idCounter);
      if (destroysKey(record.fact.type)) this.#erased.add(record.fact.id);
    }
  }

  idCounterOf(shard: number): number {
    return this.#idCounters.get(shard) ?? 0;
  }

  get erased(): readonly string[] {
    return [...this.#erased];
  }
}
