import { assert, must } from '../../engine/index.js';
import type { ActorPart } from '../kernel/actor.js';

/** As they lie in a snapshot beside the loan's own values; full pages lie apart. */
export interface PackedRecords<Item> {
  readonly pages: number;
  readonly rest: readonly Item[];
}

/** The page that begins with a record, as it was stored last. */
const pagesMade = new WeakMap<object, readonly object[]>();

/**
 * How a list of records that grows at its end lies in snapshots. Records are never changed, only replaced: a full page is stored
 * again when one of its records is another one, so that a snapshot of an old loan costs no more than one of a young loan.
 */
export class RecordPages<Item extends object> {
  /** `size`: less than so many are stored again with each snapshot. */
  constructor(
    private readonly name: string,
    private readonly size: number,
  ) {}

  pack(records: readonly Item[]): PackedRecords<Item> {
    const pages = this.#pagesIn(records);
    return { pages, rest: records.slice(pages * this.size) };
  }

  /** The full pages. */
  parts(records: readonly Item[]): readonly ActorPart[] {
    return Array.from({ length: this.#pagesIn(records) }, (_, page) => ({ name: this.#nameOf(page), value: this.#page(records, page) }));
  }

  unpack({ pages, rest }: PackedRecords<Item>, part: (name: string) => unknown): Item[] {
    const records: Item[] = [];
    for (let page = 0; page < pages; page += 1) {
      const stored = part(this.#nameOf(page));
      assert(Array.isArray(stored), 'a page holds records');
      pagesMade.set(must(stored[0], 'a page has records'), stored);
      for (const record of stored) records.push(record);
    }
    for (const record of rest) records.push(record);
    return records;
  }

  #pagesIn(records: readonly Item[]): number {
    return Math.floor(records.length / this.size);
  }

  #page(records: readonly Item[], page: number): readonly object[] {
    const from = page * this.size;
    const first = must(records[from], 'a page has records');
    const known = pagesMade.get(first);
    if (known?.length === this.size && known.every((record, at) => record === records[from + at])) return known;
    const made = records.slice(from, from + this.size);
    pagesMade.set(first, made);
    return made;
  }

  #nameOf(page: number): string {
    return `${this.name}-${page}`;
  }
}
