import type { tags } from 'typia';
import { Refusal } from './errors.js';
import { compareValues, cutPage, type Items, type Sortable } from './list-order.js';
import type { AnyId, ListResult, Whole } from './wire.js';

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
  throw new Refusal('badRequest', 'An offset and a cursor cannot be combined.', {
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
        errors: [{ path: 'sortBy', expected, message: 'not a field to sort by' }],
      });
    }
    return { key, descending: word.startsWith('-') };
  });
}
