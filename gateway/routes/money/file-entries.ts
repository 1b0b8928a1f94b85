import { type ListResult, type PageQuery, refuseProperty } from '../../../actors/index.js';

const DEFAULT_LIMIT = 25;

/** A page of items that are in memory, each named by its id. */
export function pageOfNumbered<Item extends { readonly id: string }>(
  items: readonly Item[],
  { limit = DEFAULT_LIMIT, startingAfter, endingBefore }: PageQuery,
): ListResult<Item> {
  const after = startingAfter === undefined ? 0 : indexOf(items, startingAfter, 'startingAfter') + 1;
  const before = endingBefore === undefined ? null : indexOf(items, endingBefore, 'endingBefore');
  const from = before === null ? after : Math.max(0, before - limit);
  const through = before ?? Math.min(items.length, from + limit);
  return { items: items.slice(from, through), total: items.length, hasMore: through < items.length, hasPrevious: from > 0 };
}

function indexOf(items: readonly { readonly id: string }[], cursor: unknown, path: string): number {
  const index = items.findIndex(({ id }) => id === cursor);
  return index >= 0 ? index : refuseProperty(path, 'the id of an entry of the list', 'There is no such entry.');
}
