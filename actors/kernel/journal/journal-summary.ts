import { ERASURE } from '../fact.js';
import type { ShardBlock } from '../ports.js';
import { readRecord } from './records.js';
import { stampOf } from './restore-cut.js';

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
