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
  const gathering = new PageGathering(list, asked);
  for (const item of list.items) gathering.add(item);
  return gathering.page();
}

/** Takes the items of a list one by one, in any order, and keeps those that its page may need. */
export class PageGathering<Item> {
  readonly #compare: UnsortedList<Item>['compare'];
  readonly #edge: Edge<Item> | null;
  readonly #isBackward: boolean;
  readonly #most: number;
  #kept: Item[] = [];
  /** The last one that the page may need, once there are more. */
  #last: Item | undefined;
  #total = 0;
  #beyond = 0;

  /** Throws `badRequest` for a text as a cursor that names none of the items of the list. */
  constructor(
    private readonly list: UnsortedList<Item>,
    private readonly asked: PageAsked,
  ) {
    const { limit, offset = 0, endingBefore, startingAfter } = asked;
    const cursor = endingBefore ?? startingAfter;
    this.#isBackward = endingBefore !== undefined;
    this.#edge = cursor === undefined ? null : edgeOf(list, cursor, this.#isBackward ? 'endingBefore' : 'startingAfter');
    this.#compare = this.#isBackward ? (a, b) => list.compare(b, a) : list.compare;
    this.#most = 2 * limit + (cursor === undefined ? offset : 0);
  }

  add(item: Item): void {
    this.#total += 1;
    if (this.#edge !== null && (this.#isBackward ? this.#edge.orderOf(item) >= 0 : this.#edge.orderOf(item) <= 0)) return;
    this.#beyond += 1;
    if (this.#last !== undefined && this.#compare(item, this.#last) >= 0) return;
    this.#kept.push(item);
    if (this.#kept.length >= 2 * this.#most) this.#cut();
  }

  #cut(): void {
    this.#kept = this.#kept.sort(this.#compare).slice(0, this.#most);
    if (this.#kept.length === this.#most) this.#last = this.#kept.at(-1);
  }

  /** `isLeft`: an item that has left the list since it was added is replaced by the next one. */
  page(isLeft: (item: Item) => boolean = () => false): Page<Item> {
    const { limit, offset = 0 } = this.asked;
    this.#cut();
    const there = this.#kept.filter((item) => !isLeft(item));
    const gone = this.#kept.length - there.length;
    const [total, beyond] = [this.#total - gone, this.#beyond - gone];
    const first = this.#edge === null ? offset : 0;
    const found = there.slice(first, first + limit);
    const items = this.#isBackward ? found.reverse() : found;
    const [isCut, isOther] = [beyond > first + limit, this.#edge === null ? first > 0 : beyond < total];
    const { descending, positionOf } = this.list;
    return {
      items,
      total,
      hasMore: this.#isBackward ? isOther : isCut,
      hasPrevious: this.#isBackward ? isCut : isOther,
      order: () => ({ descending, places: items.map(positionOf), cursor: this.#edge && this.#edge.position() }),
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
