import { comparePlaces, type Cursor, type OrderedList, type Page, type PageAsked, unknownCursor } from '../../list-order.js';

/** A list whose order is computed: all that match, in any order. */
export interface UnsortedList<Item> extends OrderedList<Item> {
  readonly items: readonly Item[];
  /** Negative where `a` stands before `b`; zero only for the same item. */
  compare(a: Item, b: Item): number;
}

/**
 * The page that sorting the whole list and cutting it would give, without the sorting: only as many items are kept in order
 * as the page may need. Throws `badRequest` for a cursor that names none of its items.
 */
export function sortedPage<Item>(list: UnsortedList<Item>, asked: PageAsked): Page<Item> {
  const { items, descending, placeOf, compare } = list;
  const { limit, offset = 0, endingBefore, startingAfter } = asked;
  const cursor = endingBefore ?? startingAfter;
  if (cursor === undefined) {
    const found = firstOf(items, offset + limit, compare);
    return paged(found.slice(offset), { hasMore: offset + limit < items.length, hasPrevious: offset > 0 });
  }
  const isBackward = endingBefore !== undefined;
  const { orderOf, place } = edgeOf(list, cursor, isBackward ? 'endingBefore' : 'startingAfter');
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
      order: () => ({ descending, places: shown.map(placeOf), cursor: cursor === undefined ? null : place() }),
    };
  }
}

interface Edge<Item> {
  orderOf(item: Item): number;
  place(): ReturnType<OrderedList<unknown>['placeOf']>;
}

function edgeOf<Item>({ items, isNamed, descending, placeOf, compare }: UnsortedList<Item>, cursor: Cursor, parameter: string): Edge<Item> {
  if (typeof cursor !== 'string') return { orderOf: (item) => comparePlaces(placeOf(item), cursor, descending), place: () => cursor };
  const named = items.find((item) => isNamed(item, cursor));
  if (named === undefined) throw unknownCursor(parameter);
  return { orderOf: (item) => compare(item, named), place: () => placeOf(named) };
}

/** The first items of the order, in order. */
function firstOf<Item>(items: readonly Item[], count: number, compare: (a: Item, b: Item) => number): Item[] {
  if (count * 4 >= items.length) return [...items].sort(compare).slice(0, count);
  const found: Item[] = [];
  for (const item of items) {
    const last = found[count - 1];
    if (last !== undefined && compare(item, last) >= 0) continue;
    found.splice(placeIn(found, item, compare), 0, item);
    if (found.length > count) found.length = count;
  }
  return found;
}

function placeIn<Item>(found: readonly Item[], item: Item, compare: (a: Item, b: Item) => number): number {
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
