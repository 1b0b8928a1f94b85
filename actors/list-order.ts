import type { tags } from 'typia';
import { Refusal } from './errors.js';
import type { AnyId, ListResult, Whole } from './wire.js';

export type Sortable = string | number | boolean | null;

/** The sort keys of an item, which are its position in a list. No two items of a list have the same position. */
export type Position = readonly Sortable[];

/** How the items of a page are ordered: the gateway needs it to merge the pages of several shards into one. */
export interface ListOrder {
  /** Direction of each key. */
  readonly descending: readonly boolean[];
  /** Positions of the items of the page. */
  readonly places: readonly Position[];
  /** Position of the item that the cursor names; null without a cursor. */
  readonly cursor: Position | null;
}

export function compareValues(a: Sortable, b: Sortable): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}

export function comparePositions(a: Position, b: Position, descending: readonly boolean[]): number {
  for (const [at, isDescending] of descending.entries()) {
    const order = compareValues(a[at] ?? null, b[at] ?? null);
    if (order !== 0) return isDescending ? -order : order;
  }
  return 0;
}

/**
 * Where a page begins or ends: the id of an item, as callers send it, or the position of an item on another shard. Callers can only send
 * texts, so a position always comes from the service itself.
 */
export type Cursor = string | Position;

export const positionOfCursor = (cursor: Cursor): Position | undefined => (typeof cursor === 'string' ? undefined : cursor);

/**
 * The request of a page. `startingAfter` and `endingBefore` name an item of the list; if both are sent, only `endingBefore` is used.
 */
export interface PageAsked {
  readonly limit: number;
  readonly offset?: number;
  readonly startingAfter?: Cursor;
  readonly endingBefore?: Cursor;
}

/** Ordered items: an array, or an object that creates each item when it is read. */
export interface Items<Item> {
  readonly length: number;
  slice(from: number, to: number): readonly Item[];
  /** The first index whose item passes the test; negative if none does. */
  findIndex(test: (item: Item) => boolean): number;
  /** The index of the item that a cursor names, for lists that can look it up; negative if there is none. */
  indexNamed?(cursor: string): number;
  /** The item that the test finds among those that the list leaves out, for lists that look there; undefined if there is none. */
  leftOut?(test: (item: Item) => boolean): LeftOut<Item> | undefined;
}

/** An item that a filter leaves out. */
interface LeftOut<Item> {
  readonly item: Item;
  /** How many items of the list come before it. */
  readonly place: number;
}

export interface OrderedList<Item> {
  /** All matching items, in order. */
  readonly items: Items<Item>;
  readonly isNamed: (item: Item, cursor: string) => boolean;
  readonly descending: readonly boolean[];
  readonly positionOf: (item: Item) => Position;
  /** The item that a cursor names among those that the list leaves out, for lists that find it by its id: it has a position. */
  readonly leftOut?: (cursor: string) => Item | undefined;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly hasMore: boolean;
  readonly hasPrevious: boolean;
  /** Computed on demand, for the items of the page only. */
  readonly order: () => ListOrder;
}

/** A page of a list that is wholly in memory. Refuses with `badRequest` a cursor that names none of its items. */
export function cutPage<Item>(list: OrderedList<Item>, asked: PageAsked): Page<Item> {
  const { items, descending, positionOf } = list;
  const { limit, endingBefore, startingAfter } = asked;
  const cursor = endingBefore ?? startingAfter;
  const edge = cursor === undefined ? null : edgeOf(list, cursor, endingBefore === undefined ? 'startingAfter' : 'endingBefore');
  let from = edge === null ? (asked.offset ?? 0) : edge.end;
  let to = from + limit;
  if (edge !== null && endingBefore !== undefined) {
    to = edge.first;
    from = Math.max(0, to - limit);
  }
  const shown = items.slice(from, to);
  return {
    items: shown,
    total: items.length,
    hasMore: to < items.length,
    hasPrevious: from > 0,
    order: () => ({ descending, places: shown.map(positionOf), cursor: edge && edge.position() }),
  };
}

interface Edge {
  /** Index of the first item that is not before the cursor (`first`), and of the first one after it (`end`). */
  readonly first: number;
  readonly end: number;
  position(): Position;
}

function edgeOf<Item>(list: OrderedList<Item>, cursor: Cursor, parameter: string): Edge {
  const { items, isNamed, descending, positionOf } = list;
  if (typeof cursor !== 'string') {
    const position = cursor;
    const firstThat = (reached: (order: number) => boolean): number => {
      const index = items.findIndex((item) => reached(comparePositions(positionOf(item), position, descending)));
      return index < 0 ? items.length : index;
    };
    return { first: firstThat((order) => order >= 0), end: firstThat((order) => order > 0), position: () => position };
  }
  const index = items.indexNamed?.(cursor) ?? items.findIndex((item) => isNamed(item, cursor));
  const [item] = index < 0 ? [] : items.slice(index, index + 1);
  if (item === undefined) {
    const left = items.leftOut?.((one) => isNamed(one, cursor));
    if (left !== undefined) return { first: left.place, end: left.place, position: () => positionOf(left.item) };
    return edgeOf(list, positionOf(list.leftOut?.(cursor) ?? refuseCursor(parameter)), parameter);
  }
  return { first: index, end: index + 1, position: () => positionOf(item) };
}

/** 400 for a cursor that names no item of the list. */
export function refuseCursor(parameter: string): never {
  throw unknownCursor(parameter);
}

export function unknownCursor(path: string): Refusal {
  return new Refusal('badRequest', 'The cursor is not the id of an object in this list.', {
    errors: [{ path, expected: 'the id of an object of this list', message: 'is not the id of an object of this list' }],
  });
}

/** The query parameters of every list. */
export interface PageQuery {
  readonly limit?: number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<100> & tags.Default<25>;
  readonly startingAfter?: AnyId;
  readonly endingBefore?: AnyId;
}

/** The query parameters of lists that also accept an offset. */
export interface OffsetQuery extends PageQuery {
  /** Refused together with a cursor. */
  readonly offset?: Whole;
}

/** The contract's default page size. */
export const DEFAULT_LIMIT = 25;

interface Listed {
  readonly id: string;
}

/**
 * The items that match, in the order of all. A cursor may also name an item that does not match, as when it has changed since the page
 * before: a page then begins at its place.
 */
export const matching = <Item extends Listed>(all: readonly Item[], matches: (item: Item) => boolean): Items<Item> =>
  foundAmong(all.filter(matches), () => all);

/** The same for items that were found in another way. `all`, in the same order, is called only for a cursor that names none of them. */
export const foundAmong = <Item extends Listed>(found: readonly Item[], all: () => readonly Item[]): Items<Item> => ({
  length: found.length,
  slice: (from, to) => found.slice(from, to),
  findIndex: (test) => found.findIndex(test),
  leftOut(test) {
    const everyone = all();
    const at = everyone.findIndex(test);
    const item = everyone[at];
    if (item === undefined) return undefined;
    const before = new Set(everyone.slice(0, at).map(({ id }) => id));
    return { item, place: found.filter(({ id }) => before.has(id)).length };
  },
});

/** How items are shown and ordered. */
export interface ListShown<Item> {
  readonly view: (item: Item) => unknown;
  readonly externalIdOf?: (item: Item) => string | null;
  /** Sort keys that distinguish any two items. Required for lists whose items are on several shards. */
  readonly order: readonly SortRule<Item>[];
}

/**
 * A page of a small, sorted list that is wholly in memory. Cursors name an item by service id or, if items have one, by `ext-`
 * external id.
 */
export function pageOf<Item extends Listed>(
  items: Items<Item>,
  query: OffsetQuery,
  view: (item: Item) => unknown,
  externalIdOf: (item: Item) => string | null = () => null,
): ListResult {
  const { order: _order, ...page } = orderedPageOf(items, query, { view, externalIdOf, order: [] });
  return page;
}

/** The same for a list that is one shard's part of a larger one: the page has its order. */
export function orderedPageOf<Item extends Listed>(
  items: Items<Item>,
  query: OffsetQuery,
  { view, externalIdOf = () => null, order }: ListShown<Item>,
): ListResult {
  refuseMixed(query);
  const page = cutPage(
    {
      items,
      isNamed: (item, cursor) => item.id === cursor || `ext-${externalIdOf(item)}` === cursor,
      descending: order.map(({ descending }) => descending),
      positionOf: (item) => order.map(({ key }) => key(item)),
    },
    { ...query, limit: query.limit ?? DEFAULT_LIMIT },
  );
  return { ...page, items: page.items.map(view), order: page.order() };
}

/** A list in the order of creation, read from its end. `at` is called only for items that are shown. */
export const newestFirst = <Item>(length: number, at: (index: number) => Item, indexOf?: (cursor: string) => number): Items<Item> => {
  const last = length - 1;
  return {
    length,
    slice: (from, to) => Array.from({ length: Math.max(0, Math.min(to, length) - from) }, (_, each) => at(last - from - each)),
    findIndex: (test) => {
      for (let index = 0; index < length; index += 1) if (test(at(last - index))) return index;
      return -1;
    },
    ...(indexOf && { indexNamed: (cursor) => fromEnd(indexOf(cursor), length) }),
  };
};

const fromEnd = (index: number, length: number): number => (index < 0 ? index : length - 1 - index);

/** All items as one page, to be merged with those of other engines. `positionOf` returns `keys` sort keys that differ between two items. */
export function wholeList<Item>(
  items: readonly Item[],
  positionOf: (item: Item) => readonly (string | number)[],
  keys: number,
): ListResult<Item> {
  return {
    items: [...items],
    total: items.length,
    hasMore: false,
    hasPrevious: false,
    order: { descending: Array.from({ length: keys }, () => false), places: items.map(positionOf), cursor: null },
  };
}

/** Refuses an offset together with a cursor. */
export function refuseMixed({ offset, startingAfter, endingBefore }: Partial<PageAsked>): void {
  if (offset === undefined || (startingAfter === undefined && endingBefore === undefined)) return;
  throw new Refusal('badRequest', '`offset` cannot be combined with a cursor. Send one of them.', {
    errors: [{ path: 'offset', expected: 'no offset beside a cursor', message: 'contradicts the cursor' }],
  });
}

/** Sorts items by the fields of `sortBy` (`-createdAt` = descending); ties keep the given order. */
export function sorted<Item>(items: readonly Item[], sortBy: readonly string[], keys: SortKeys<Item>): readonly Item[] {
  const rules = sortRules(sortBy, keys);
  if (rules.length === 0) return items;
  return [...items].sort((a, b) => {
    for (const { key, descending } of rules) {
      const order = compareValues(key(a), key(b));
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
}

export type SortKeys<Item> = Readonly<Record<string, (item: Item) => Sortable>>;

export interface SortRule<Item> {
  readonly key: (item: Item) => Sortable;
  readonly descending: boolean;
}

/** The sort rules of `sortBy`. */
export function sortRules<Item>(sortBy: readonly string[], keys: SortKeys<Item>): readonly SortRule<Item>[] {
  return sortBy.map((text) => {
    const field = text.replace(/^-/, '');
    const key = Object.hasOwn(keys, field) ? keys[field] : undefined;
    if (!key) {
      const expected = `one of ${Object.keys(keys).join(', ')}, with - for descending`;
      throw new Refusal('badRequest', `The list cannot be ordered by ${field}.`, {
        errors: [{ path: 'sortBy', expected, message: 'is not a field to sort by' }],
      });
    }
    return { key, descending: text.startsWith('-') };
  });
}
