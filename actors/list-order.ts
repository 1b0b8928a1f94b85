import type { tags } from 'typia';
import { Refusal } from './errors.js';
import type { AnyId, ListResult, Whole } from './wire.js';

export type Sortable = string | number | boolean | null;

/** Where an item stands in a list: compared key by key. No two items of a list stand at the same place. */
export type Place = readonly Sortable[];

/** How the items of a page are ordered, for whoever merges pages of several parts into one. */
export interface ListOrder {
  /** Direction of each key. */
  readonly descending: readonly boolean[];
  readonly places: readonly Place[];
  /** Of the item that the cursor names; null without one. */
  readonly cursor: Place | null;
}

export function compareValues(a: Sortable, b: Sortable): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}

export function comparePlaces(a: Place, b: Place, descending: readonly boolean[]): number {
  for (const [at, isDescending] of descending.entries()) {
    const order = compareValues(a[at] ?? null, b[at] ?? null);
    if (order !== 0) return isDescending ? -order : order;
  }
  return 0;
}

/**
 * Where a page begins or ends: the id of an item, as callers send it, or the place of an item that another part of the list has. Callers
 * send texts alone, so that none of them can name a place.
 */
export type Cursor = string | Place;

export const placeOfCursor = (cursor: Cursor): Place | undefined => (typeof cursor === 'string' ? undefined : cursor);

/**
 * What a page is asked for by: `startingAfter` and `endingBefore` name an item of the list; when both are sent only `endingBefore` counts.
 */
export interface PageAsked {
  readonly limit: number;
  readonly offset?: number;
  readonly startingAfter?: Cursor;
  readonly endingBefore?: Cursor;
}

/** Items in their order: an array, or what makes an item when it is asked for. */
export interface Items<Item> {
  readonly length: number;
  slice(from: number, to: number): readonly Item[];
  /** The first position whose item passes; below zero where none does. */
  findIndex(test: (item: Item) => boolean): number;
  /** Where the list knows it by itself: the position of the item that a cursor names; below zero for none. */
  positionNamed?(cursor: string): number;
}

export interface OrderedList<Item> {
  /** All that match, in their order. */
  readonly items: Items<Item>;
  isNamed(item: Item, cursor: string): boolean;
  readonly descending: readonly boolean[];
  placeOf(item: Item): Place;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly hasMore: boolean;
  readonly hasPrevious: boolean;
  /** Asked for where the page is shown: places are made for the items of one page only. */
  order(): ListOrder;
}

/** The page of a list that is wholly in memory. Throws `badRequest` for a cursor that names none of its items. */
export function cutPage<Item>(list: OrderedList<Item>, asked: PageAsked): Page<Item> {
  const { items, descending, placeOf } = list;
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
    order: () => ({ descending, places: shown.map(placeOf), cursor: edge && edge.place() }),
  };
}

interface Edge {
  /** Position of the first item that is not before the cursor, and of the first one behind it. */
  readonly first: number;
  readonly end: number;
  place(): Place;
}

function edgeOf<Item>({ items, isNamed, descending, placeOf }: OrderedList<Item>, cursor: Cursor, parameter: string): Edge {
  if (typeof cursor !== 'string') {
    const place = cursor;
    const orBehind = (reached: (order: number) => boolean): number => {
      const position = items.findIndex((item) => reached(comparePlaces(placeOf(item), place, descending)));
      return position < 0 ? items.length : position;
    };
    return { first: orBehind((order) => order >= 0), end: orBehind((order) => order > 0), place: () => place };
  }
  const position = items.positionNamed?.(cursor) ?? items.findIndex((item) => isNamed(item, cursor));
  const [item] = position < 0 ? [] : items.slice(position, position + 1);
  if (item === undefined) throw unknownCursor(parameter);
  return { first: position, end: position + 1, place: () => placeOf(item) };
}

export function unknownCursor(path: string): Refusal {
  return new Refusal('badRequest', 'The cursor is not the id of an object in this list.', {
    errors: [{ path, expected: 'the id of an object of this list', message: 'is not the id of an event' }],
  });
}

/** The query parameters of every list. */
export interface PageQuery {
  readonly limit?: number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<100> & tags.Default<25>;
  readonly startingAfter?: AnyId;
  readonly endingBefore?: AnyId;
}

/** Of the lists that can also be entered at a position. */
export interface OffsetQuery extends PageQuery {
  /** Not together with a cursor. */
  readonly offset?: Whole;
}

/** The contract's default page size. */
export const DEFAULT_LIMIT = 25;

interface Listed {
  readonly id: string;
}

/** How items are shown and ordered. */
export interface ListShown<Item> {
  readonly view: (item: Item) => unknown;
  readonly externalIdOf?: (item: Item) => string | null;
  /** Keys that tell any two items apart, in their turn: what a list needs whose items lie in several parts of a cluster. */
  readonly order: readonly SortRule<Item>[];
}

/**
 * A page of a small list that is wholly in memory, already in its order. Cursors name an item by service id or,
 * where items have one, by `ext-` external id; `endingBefore` wins.
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

/** The same of a list that is a part of a larger one. */
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
      placeOf: (item) => order.map(({ key }) => key(item)),
    },
    { ...query, limit: query.limit ?? DEFAULT_LIMIT },
  );
  return { ...page, items: page.items.map(view), order: page.order() };
}

/** A list that is kept in the order of making, read from its end: nothing is copied, and `of` makes only what is shown. */
export const newestFirst = <Kept, Item>(
  kept: readonly Kept[],
  of: (kept: Kept) => Item,
  positionOf?: (cursor: string) => number,
): Items<Item> => {
  const fromEnd = (position: number): number => (position < 0 ? position : kept.length - 1 - position);
  return {
    length: kept.length,
    slice: (from, to) =>
      kept
        .slice(Math.max(0, kept.length - to), Math.max(0, kept.length - from))
        .reverse()
        .map(of),
    findIndex: (test) => fromEnd(kept.findLastIndex((each) => test(of(each)))),
    ...(positionOf && { positionNamed: (cursor) => fromEnd(positionOf(cursor)) }),
  };
};

/** All items as one page, in an order by which those of other engines are put between them: keys that tell any two apart. */
export function wholeList<Item>(items: readonly Item[], placeOf: (item: Item) => readonly (string | number)[], keys: number): ListResult {
  const places = items.map(placeOf);
  return {
    items: [...items],
    total: items.length,
    hasMore: false,
    hasPrevious: false,
    order: { descending: Array.from({ length: keys }, () => false), places, cursor: null },
  };
}

/** A position and a cursor contradict each other. */
export function refuseMixed({ offset, startingAfter, endingBefore }: OffsetQuery): void {
  if (offset === undefined || (startingAfter === undefined && endingBefore === undefined)) return;
  throw new Refusal('badRequest', '`offset` cannot be combined with a cursor. Send one of them.', {
    errors: [{ path: 'offset', expected: 'no offset beside a cursor', message: 'contradicts the cursor' }],
  });
}

/** Orders items by the keys of `sortBy` (`-createdAt` = descending); the given order breaks ties. */
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

/** What the words of `sortBy` ask for. */
export function sortRules<Item>(sortBy: readonly string[], keys: SortKeys<Item>): readonly SortRule<Item>[] {
  return sortBy.map((word) => {
    const field = word.replace(/^-/, '');
    const key = Object.hasOwn(keys, field) ? keys[field] : undefined;
    if (!key) {
      const expected = `one of ${Object.keys(keys).join(', ')}, with - for descending`;
      throw new Refusal('badRequest', `The list cannot be ordered by ${field}.`, {
        errors: [{ path: 'sortBy', expected, message: 'is not a field to sort by' }],
      });
    }
    return { key, descending: word.startsWith('-') };
  });
}
