import { Refusal } from './errors.js';

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
  return new Refusal('badRequest', 'The cursor names no object of this list.', {
    errors: [{ path, expected: 'the id of an object of this list', message: 'unknown cursor' }],
  });
}
