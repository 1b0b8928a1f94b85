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

/** Begins a cursor that is a place: no id does, and no caller can send it. */
const PLACE_MARK = '@';

/** A cursor for a part of a list that does not have the item which the caller's cursor names. */
export const placeCursor = (place: Place): string => PLACE_MARK + JSON.stringify(place);

export const placeOfCursor = (cursor: string): Place | undefined =>
  cursor.startsWith(PLACE_MARK) ? (JSON.parse(cursor.slice(PLACE_MARK.length)) as Place) : undefined;

/** What a page is asked for by: `startingAfter` and `endingBefore` name an item of the list; when both are sent only `endingBefore` counts. */
export interface PageAsked {
  readonly limit: number;
  readonly offset?: number;
  readonly startingAfter?: string;
  readonly endingBefore?: string;
}

export interface OrderedList<Item> {
  /** All that match, in their order. */
  readonly items: readonly Item[];
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

function edgeOf<Item>({ items, isNamed, descending, placeOf }: OrderedList<Item>, cursor: string, parameter: string): Edge {
  const place = placeOfCursor(cursor);
  if (place !== undefined) {
    const orBehind = (reached: (order: number) => boolean): number => {
      const position = items.findIndex((item) => reached(comparePlaces(placeOf(item), place, descending)));
      return position < 0 ? items.length : position;
    };
    return { first: orBehind((order) => order >= 0), end: orBehind((order) => order > 0), place: () => place };
  }
  const position = items.findIndex((item) => isNamed(item, cursor));
  const item = items[position];
  if (item === undefined) throw unknownCursor(parameter);
  return { first: position, end: position + 1, place: () => placeOf(item) };
}

export function unknownCursor(path: string): Refusal {
  return new Refusal('badRequest', 'The cursor names no object of this list.', {
    errors: [{ path, expected: 'the id of an object of this list', message: 'unknown cursor' }],
  });
}
