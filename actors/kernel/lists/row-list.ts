import type { CatalogRow, ListPage, ListRequest } from '../actor.js';
import type { CreationOrder } from './sorted-page.js';
import type { SplitMap } from './split-map.js';

/** A row that knows its index in the order of creation. */
type IndexedRow = CatalogRow & { index?: number };

/** Rows added between two rounds of other work. */
const STEP = 4_096;

/**
 * The rows of a table side by side, in the order of creation, with holes where some were removed: an iteration looks nothing up, and the
 * newest are found without an iteration over all.
 */
export class RowList {
  #list: (IndexedRow | undefined)[] = [];

  constructor(
    private readonly rows: Pick<SplitMap<CatalogRow>, 'get' | 'size'>,
    private readonly order: CreationOrder,
  ) {}

  /** A row that was just put; the order already has it if it is new. */
  put(row: IndexedRow, before: IndexedRow | undefined): void {
    if (!this.order.isSorted)
      this.#list = []; // it is filled again once the order is sorted
    else if (before !== undefined) {
      if (this.#holds(before)) this.#set(row, before.index);
    } else if (this.#list.length === this.order.length - 1) this.#set(row, this.#list.length);
  }

  remove(row: IndexedRow): void {
    if (this.#holds(row)) this.#list[row.index] = undefined;
  }

  /** Adds the rows that the order has and the list lacks: in steps, between which rows may be put. */
  *fill(): Generator<void> {
    const ids = this.order.ids();
    for (let at = this.#list.length; at < ids.length; at++) {
      const row: IndexedRow | undefined = this.rows.get(ids[at] ?? '');
      if (row === undefined || this.#holds(row)) this.#list.push(undefined);
      else this.#set(row, at);
      if (at % STEP === STEP - 1) yield;
    }
  }

  /** All of now, the newest first, each once: rows may be put and removed meanwhile. */
  *newest(): Generator<CatalogRow> {
    const list = this.#filled();
    for (let at = list.length - 1; at >= 0; at--) {
      const row = list[at];
      if (row !== undefined) yield row;
    }
  }

  /** Those that match, the newest first. */
  newestFirst(matches: ((row: CatalogRow) => boolean) | undefined): CatalogRow[] {
    const list = this.#filled();
    const found: CatalogRow[] = [];
    for (let at = list.length - 1; at >= 0; at--) {
      const row = list[at];
      if (row !== undefined && (matches === undefined || matches(row))) found.push(row);
    }
    return found;
  }

  /** A page of all rows, the newest first; null where the cursor names none of them by its id. */
  page(
    { limit, offset = 0, startingAfter, endingBefore }: ListRequest,
    named: (cursor: string) => CatalogRow | undefined,
  ): ListPage | null {
    const list = this.#filled();
    const cursor = endingBefore ?? startingAfter;
    const edge: IndexedRow | undefined = typeof cursor === 'string' ? named(cursor) : undefined;
    if (cursor !== undefined && edge === undefined) return null;
    const isBackward = endingBefore !== undefined;
    const from = edge === undefined ? list.length : (edge.index ?? list.length);
    const skipped = edge === undefined ? offset : 0;
    const found = isBackward ? this.#after(from, limit + 1) : this.#before(from, skipped + limit + 1).slice(skipped);
    const isCut = found.length > limit;
    const rows = isBackward ? found.slice(0, limit).reverse() : found.slice(0, limit);
    return {
      rows,
      total: this.rows.size,
      hasMore: isBackward || isCut,
      hasPrevious: isBackward ? isCut : edge !== undefined || skipped > 0,
      order: () => ({ descending: [true, false], places: rows.map(positionIn), cursor: edge === undefined ? null : positionIn(edge) }),
    };
  }

  /** Backwards in time from an index, which is not included. */
  #before(index: number, count: number): CatalogRow[] {
    const found: CatalogRow[] = [];
    for (let at = index - 1; at >= 0 && found.length < count; at--) {
      const row = this.#list[at];
      if (row !== undefined) found.push(row);
    }
    return found;
  }

  #after(index: number, count: number): CatalogRow[] {
    const found: CatalogRow[] = [];
    for (let at = index + 1; at < this.#list.length && found.length < count; at++) {
      const row = this.#list[at];
      if (row !== undefined) found.push(row);
    }
    return found;
  }

  #filled(): readonly (IndexedRow | undefined)[] {
    if (!this.order.isSorted) this.#list = [];
    if (this.#list.length < this.order.length || !this.order.isSorted) for (const _step of this.fill());
    return this.#list;
  }

  #set(row: IndexedRow, index: number): void {
    row.index = index;
    this.#list[index] = row;
  }

  #holds(row: IndexedRow): row is IndexedRow & { index: number } {
    return row.index !== undefined && this.#list[row.index] === row;
  }
}

/** In the usual order, the newest first. */
export const positionIn = ({ createdStamp, id }: CatalogRow): readonly [number, string] => [createdStamp, id];

/** A list that grows at its end and drops items at its front, without moving the others each time. */
export class SlidingList<Item> {
  #items: Item[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  /** Undefined outside of 0..length-1. */
  at(index: number): Item | undefined {
    return index < 0 ? undefined : this.#items[this.#first + index];
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** Drops the first `count` items. */
  drop(count: number): void {
    this.#first += Math.min(count, this.length);
    if (this.#first * 2 < this.#items.length) return;
    this.#items = this.#items.slice(this.#first);
    this.#first = 0;
  }

  /** The index of the first item that passes the test, as do all after it. The length when there is none. */
  firstWhere(test: (item: Item) => boolean): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const item = this.at(middle);
      if (item !== undefined && test(item)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
