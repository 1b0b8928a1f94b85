import type { tags } from 'typia';
import { Refusal } from './errors.js';
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

/**
 * A page of a small list that is wholly in memory, already in its order. Cursors name an item by service id or,
 * where items have one, by `ext-` external id; `endingBefore` wins.
 */
export function pageOf<Item extends Listed>(
  items: readonly Item[],
  query: OffsetQuery,
  view: (item: Item) => unknown,
  externalIdOf: (item: Item) => string | null = () => null,
): ListResult {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const positionOf = (parameter: string, cursor: string): number => {
    const position = items.findIndex((item) => item.id === cursor || `ext-${externalIdOf(item)}` === cursor);
    if (position < 0) refuseCursor(parameter);
    return position;
  };
  refuseMixed(query);
  let from = query.offset ?? 0;
  let to = from + limit;
  if (query.endingBefore !== undefined) {
    to = positionOf('endingBefore', query.endingBefore);
    from = Math.max(0, to - limit);
  } else if (query.startingAfter !== undefined) {
    from = positionOf('startingAfter', query.startingAfter) + 1;
    to = from + limit;
  }
  return { items: items.slice(from, to).map(view), total: items.length, hasMore: to < items.length, hasPrevious: from > 0 };
}

/** A position and a cursor contradict each other (platform 6). */
export function refuseMixed({ offset, startingAfter, endingBefore }: OffsetQuery): void {
  if (offset === undefined || (startingAfter === undefined && endingBefore === undefined)) return;
  throw new Refusal('badRequest', 'An offset and a cursor cannot be combined.', {
    errors: [{ path: 'offset', expected: 'no offset beside a cursor', message: 'contradicts the cursor' }],
  });
}

function refuseCursor(path: string): never {
  throw new Refusal('badRequest', 'The cursor names no object of this list.', {
    errors: [{ path, expected: 'the id of an object of this list', message: 'unknown cursor' }],
  });
}

/** Orders items by the keys of `sortBy` (`-createdAt` = descending); the given order breaks ties. */
export function sorted<Item>(items: readonly Item[], sortBy: readonly string[], keys: SortKeys<Item>): readonly Item[] {
  const rules = sortBy.map((word) => {
    const field = word.replace(/^-/, '');
    const key = Object.hasOwn(keys, field) ? keys[field] : undefined;
    if (!key) {
      const expected = `one of ${Object.keys(keys).join(', ')}, with - for descending`;
      throw new Refusal('badRequest', `The list cannot be ordered by ${field}.`, {
        errors: [{ path: 'sortBy', expected, message: 'not a field to sort by' }],
      });
    }
    return { key, sign: word.startsWith('-') ? -1 : 1 };
  });
  if (rules.length === 0) return items;
  return [...items].sort((a, b) => {
    for (const { key, sign } of rules) {
      const order = compare(key(a), key(b));
      if (order !== 0) return sign * order;
    }
    return 0;
  });
}

type Sortable = string | number | boolean | null;
export type SortKeys<Item> = Readonly<Record<string, (item: Item) => Sortable>>;

function compare(a: Sortable, b: Sortable): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}
