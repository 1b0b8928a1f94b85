import { compareValues, type Cursor, cutPage, type Items, type Position, type Sortable } from '../../list-order.js';
import type { CatalogRow, ListPage, ListRequest } from '../actor.js';
import { LIMITS } from '../limits.js';
import { BoundedMap } from './bounded-map.js';

/**
 * An order of rows below one parent, which the list index keeps for parents with many rows instead of sorting for each list. It is a
 * constant of the calling code: the index recognizes it by its identity.
 */
export interface KeptOrder {
  /** Whether a row belongs to it: depends on the row alone, as `of`. */
  holds(row: CatalogRow): boolean;
  /** The greatest first, then the newest. */
  of(row: CatalogRow): Sortable;
}

/** A kept order from its greatest key down to one. */
export interface KeptSpan {
  readonly order: KeptOrder;
  /** Inclusive; absent: all of it. */
  readonly from?: Sortable;
}

/** Rows of one kept order, the least first: new rows come at the end. */
type Kept = CatalogRow[];

/** Of one table, by parent: the most recently used parents, each with its orders. */
export class KeptLists {
  readonly #byParent = new BoundedMap<string, Map<KeptOrder, Kept>>(LIMITS.keptLists);

  /** `rows`: all below the parent. */
  of(parentId: string, order: KeptOrder, rows: () => readonly CatalogRow[]): readonly CatalogRow[] {
    const known = this.#byParent.get(parentId) ?? new Map<KeptOrder, Kept>();
    this.#byParent.set(parentId, known);
    const kept = known.get(order) ?? inOrder(rows(), order);
    known.set(order, kept);
    return kept;
  }

  put(parentId: string, row: CatalogRow): void {
    for (const [order, kept] of this.#byParent.get(parentId) ?? []) {
      const position = positionOf(kept, order, row);
      if (order.holds(row) && kept[position] !== row) kept.splice(position, 0, row); // a row may be below a parent in two ways
    }
  }

  /** A row that is no longer below the parent, or is replaced. */
  remove(parentId: string, row: CatalogRow): void {
    for (const [order, kept] of this.#byParent.get(parentId) ?? []) {
      const position = positionOf(kept, order, row);
      if (kept[position] === row) kept.splice(position, 1);
    }
  }
}

/** Rows in a kept order, the least first. */
export const inOrder = (rows: readonly CatalogRow[], order: KeptOrder): CatalogRow[] =>
  rows.filter((row) => order.holds(row)).sort((a, b) => compare(order, a, b));

/**
 * A page may start at a row that a filter leaves out, as when the last row of the page before has changed: then it starts at the position
 * of that row.
 */
export function fromPosition(
  request: ListRequest,
  named: (cursor: string) => CatalogRow | undefined,
  positionIn: (row: CatalogRow) => Position,
): ListRequest {
  const placed = (cursor: Cursor | undefined): Cursor | undefined => {
    const row = typeof cursor === 'string' ? named(cursor) : undefined;
    return row === undefined ? cursor : positionIn(row);
  };
  const [startingAfter, endingBefore] = [placed(request.startingAfter), placed(request.endingBefore)];
  return {
    ...request,
    ...(startingAfter === undefined ? {} : { startingAfter }),
    ...(endingBefore === undefined ? {} : { endingBefore }),
  };
}

/** A page of rows in a kept order; `named` finds a row by its id or external id. */
export function keptPage(
  rows: readonly CatalogRow[],
  { order, from }: KeptSpan,
  request: ListRequest,
  named: (cursor: string) => CatalogRow | undefined,
): ListPage {
  const first = from === undefined ? 0 : firstFrom(rows, order, from);
  const positionIn = (row: CatalogRow): Position => [order.of(row), row.createdStamp, row.id];
  const left = (cursor: string): CatalogRow | undefined => {
    const row = named(cursor);
    if (row === undefined || request.matches !== undefined) return row;
    const position = positionOf(rows, order, row);
    return position >= first && rows[position] === row ? undefined : row;
  };
  const { items, ...rest } = cutPage(
    {
      items:
        request.matches === undefined
          ? downwards(rows, first, order, named)
          : matching(rows, first, (row) => request.matches?.(row) ?? true),
      isNamed: (row, cursor) => row === named(cursor),
      descending: [true, true, false],
      positionOf: positionIn,
    },
    fromPosition(request, left, positionIn),
  );
  return { ...rest, rows: items };
}

/** The greatest first, without a copy. */
function downwards(
  rows: readonly CatalogRow[],
  first: number,
  order: KeptOrder,
  named: (cursor: string) => CatalogRow | undefined,
): Items<CatalogRow> {
  const { length } = rows;
  return {
    length: length - first,
    slice: (from, to) => rows.slice(Math.max(first, length - to), Math.max(first, length - from)).reverse(),
    findIndex: (test) => {
      const position = rows.findLastIndex((row, at) => at >= first && test(row));
      return position < 0 ? position : length - 1 - position;
    },
    indexNamed: (cursor) => {
      const row = named(cursor);
      const position = row === undefined ? -1 : positionOf(rows, order, row);
      return row !== undefined && rows[position] === row && position >= first ? length - 1 - position : -1;
    },
  };
}

function matching(rows: readonly CatalogRow[], first: number, matches: (row: CatalogRow) => boolean): CatalogRow[] {
  const found: CatalogRow[] = [];
  for (let position = rows.length - 1; position >= first; position -= 1) {
    const row = rows[position];
    if (row !== undefined && matches(row)) found.push(row);
  }
  return found;
}

/** Ascending; of rows that were created together the one that a page shows first comes last. */
function compare(order: KeptOrder, a: CatalogRow, b: CatalogRow): number {
  return compareValues(order.of(a), order.of(b)) || a.createdStamp - b.createdStamp || compareValues(b.id, a.id);
}

/** The position of a row, or the position at which it would be inserted. */
function positionOf(kept: readonly CatalogRow[], order: KeptOrder, row: CatalogRow): number {
  return firstWhere(kept, (other) => compare(order, other, row) >= 0);
}

const firstFrom = (rows: readonly CatalogRow[], order: KeptOrder, from: Sortable): number =>
  firstWhere(rows, (row) => compareValues(order.of(row), from) >= 0);

/** The position of the first row that passes, as do all after it; the length when none does. */
function firstWhere(rows: readonly CatalogRow[], passes: (row: CatalogRow) => boolean): number {
  let [first, end] = [0, rows.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    const row = rows[middle];
    if (row !== undefined && passes(row)) end = middle;
    else first = middle + 1;
  }
  return first;
}
