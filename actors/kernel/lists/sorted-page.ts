import { comparePositions, type Cursor, type OrderedList, type Page, type PageAsked, unknownCursor } from '../../list-order.js';

/** A list whose order is computed: all matching items, in any order. */
export interface UnsortedList<Item> extends OrderedList<Item> {
  readonly items: readonly Item[];
  /** Negative when `a` comes before `b`; zero only for the same item. */
  readonly compare: (a: Item, b: Item) => number;
}

/**
 * The page that sorting the whole list and cutting it would give, without the sorting: only as many items are kept in order as the page may
 * need. Throws `badRequest` for a cursor that names none of its items.
 */
export function sortedPage<Item>(list: UnsortedList<Item>, asked: PageAsked): Page<Item> {
  const { items, descending, positionOf, compare } = list;
  const { limit, offset = 0, endingBefore, startingAfter } = asked;
  const cursor = endingBefore ?? startingAfter;
  if (cursor === undefined) {
    const found = firstOf(items, offset + limit, compare);
    return paged(found.slice(offset), { hasMore: offset + limit < items.length, hasPrevious: offset > 0 });
  }
  const isBackward = endingBefore !== undefined;
  const { orderOf, position } = edgeOf(list, cursor, isBackward ? 'endingBefore' : 'startingAfter');
  const beyond = items.filter((item) => (isBackward ? orderOf(item) < 0 : orderOf(item) > 0));
  const found = isBackward ? firstOf(beyond, limit, (a, b) => compare(b, a)).reverse() : firstOf(beyond, limit, compare);
  const isCut = beyond.length > limit;
  const isOther = beyond.length < items.length;
  return paged(found, { hasMore: isBackward ? isOther : isCut, hasPrevious: isBackward ? isCut : isOther });

  function paged(shown: readonly Item[], { hasMore, hasPrevious }: Pick<Page<Item>, 'hasMore' | 'hasPrevious'>): Page<Item> {
    return {
      items: shown,
      total: items.length,
      hasMore,
      hasPrevious,
      order: () => ({ descending, places: shown.map(positionOf), cursor: cursor === undefined ? null : position() }),
    };
  }
}

interface Edge<Item> {
  readonly orderOf: (item: Item) => number;
  readonly position: () => ReturnType<OrderedList<unknown>['positionOf']>;
}

function edgeOf<Item>(
  { items, isNamed, descending, positionOf, compare }: UnsortedList<Item>,
  cursor: Cursor,
  parameter: string,
): Edge<Item> {
  if (typeof cursor !== 'string')
    return { orderOf: (item) => comparePositions(positionOf(item), cursor, descending), position: () => cursor };
  const named = items.find((item) => isNamed(item, cursor));
  if (named === undefined) throw unknownCursor(parameter);
  return { orderOf: (item) => compare(item, named), position: () => positionOf(named) };
}

/** The first items of the order, in order. */
function firstOf<Item>(items: readonly Item[], count: number, compare: (a: Item, b: Item) => number): Item[] {
  if (count * 4 >= items.length) return [...items].sort(compare).slice(0, count);
  const found: Item[] = [];
  for (const item of items) {
    const last = found[count - 1];
    if (last !== undefined && compare(item, last) >= 0) continue;
    found.splice(indexFor(found, item, compare), 0, item);
    if (found.length > count) found.length = count;
  }
  return found;
}

function indexFor<Item>(found: readonly Item[], item: Item, compare: (a: Item, b: Item) => number): number {
  let from = 0;
  let to = found.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = found[middle];
    if (other !== undefined && compare(other, item) <= 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * Ids in the order in which their objects were created. A start appends ids in any order and sorts them in steps, since sorting a million
 * ids takes longer than other work should wait.
 */
export class CreationOrder {
  #ids: string[] = [];
  #stamps: number[] = [];
  #isSorted = true;

  append(id: string, stamp: number): void {
    if (stamp < (this.#stamps.at(-1) ?? 0)) this.#isSorted = false;
    this.#ids.push(id);
    this.#stamps.push(stamp);
  }

  get length(): number {
    return this.#ids.length;
  }

  get isSorted(): boolean {
    return this.#isSorted;
  }

  /** Oldest first. */
  ids(): readonly string[] {
    if (!this.#isSorted) for (const _step of this.sort());
    return this.#ids;
  }

  /** Merges runs of growing length. Ids appended between two steps come last, as they are newer. */
  *sort(): Generator<void> {
    if (this.#isSorted) return;
    const count = this.#ids.length;
    let from: Columns = { ids: this.#ids, stamps: this.#stamps };
    let to = emptyColumns(count);
    let moved = 0;
    for (let width = 1; width < count; width *= 2) {
      for (let left = 0; left < count; left += 2 * width) {
        const middle = Math.min(left + width, count);
        const right = Math.min(left + 2 * width, count);
        let a = left;
        let b = middle;
        for (let at = left; at < right; at++) {
          const takesLeft = b >= right || (a < middle && (from.stamps[a] ?? 0) <= (from.stamps[b] ?? 0));
          const source = takesLeft ? a++ : b++;
          to.ids[at] = from.ids[source] ?? '';
          to.stamps[at] = from.stamps[source] ?? 0;
          if (++moved % STEP === 0) yield;
        }
      }
      [from, to] = [to, width === 1 ? emptyColumns(count) : from];
    }
    const [newIds, newStamps] = [this.#ids.slice(count), this.#stamps.slice(count)];
    this.#ids = from.ids.slice(0, count);
    this.#stamps = from.stamps.slice(0, count);
    this.#isSorted = true;
    for (const [index, id] of newIds.entries()) this.append(id, newStamps[index] ?? 0);
  }
}

interface Columns {
  readonly ids: string[];
  readonly stamps: number[];
}

const emptyColumns = (count: number): Columns => ({ ids: new Array<string>(count), stamps: new Array<number>(count) });

/** Ids that one step moves. */
const STEP = 4_096;
