import { refuse } from '../errors.js';
import { DEFAULT_LIMIT, type PageQuery } from '../page.js';
import type { CatalogRow } from '../runtime/actor.js';
import type { ListResult } from '../wire.js';

/** Something that hangs on a loan, in a list over all loans. */
export interface ListedPart {
  readonly id: string;
  readonly externalId: string | null;
  /** Machine time in microseconds. */
  readonly createdStamp: number;
  readonly view: () => unknown;
}

/** Where the parts of a loan come from. */
export interface PartSource {
  /** Stamp of the loan's newest part, matching or not. */
  stampOf(row: CatalogRow): number;
  /** The matching parts of a loan; called only while the page may still need them, or to count a few. */
  partsOf(row: CatalogRow): readonly ListedPart[];
  /** How many of them match; null where only the loan itself can tell. */
  readonly countOf: ((row: CatalogRow) => number) | null;
}

/** Loans that are opened for nothing but to count what matches: some milliseconds. */
const MAX_COUNTED_LOANS = 200;

/**
 * A page in the order of creation. `rows` begin with the loan of the newest part; loans are opened in that order, and
 * only as long as the next one may still have a part for the page. The total is what their rows tell, else that of few
 * loans: counting must not open a whole portfolio.
 */
export function newestFirst(rows: readonly CatalogRow[], query: PageQuery, source: PartSource): ListResult {
  const { stampOf, partsOf } = source;
  const limit = query.limit ?? DEFAULT_LIMIT;
  const cursor = query.endingBefore ?? query.startingAfter;
  let at: number | null = cursor === undefined ? Infinity : null;
  let found: ListedPart[] = [];
  for (const row of rows) {
    if (at !== null && isFull(found, { at, limit, isBackward: query.endingBefore !== undefined, next: stampOf(row) })) break;
    const parts = partsOf(row);
    found = found.concat(parts);
    at ??= parts.find(({ id, externalId }) => id === cursor || `ext-${externalId ?? ''}` === cursor)?.createdStamp ?? null;
  }
  if (at === null) {
    const path = query.endingBefore === undefined ? 'startingAfter' : 'endingBefore';
    refuse('badRequest', 'The cursor names no object of this list.', {
      errors: [{ path, expected: 'the id of an object of this list', message: 'unknown cursor' }],
    });
  }
  const edge = at;
  found.sort((a, b) => b.createdStamp - a.createdStamp);
  if (query.endingBefore !== undefined) {
    const newer = found.filter(({ createdStamp }) => createdStamp > edge);
    const shown = newer.slice(-limit);
    return { items: shown.map((part) => part.view()), total: totalOf(rows, source), hasMore: true, hasPrevious: newer.length > limit };
  }
  const older = found.filter(({ createdStamp }) => createdStamp < edge);
  const items = older.slice(0, limit).map((part) => part.view());
  return { items, total: totalOf(rows, source), hasMore: older.length > limit, hasPrevious: cursor !== undefined };
}

function totalOf(rows: readonly CatalogRow[], { countOf, partsOf }: PartSource): number | null {
  if (countOf === null && rows.length > MAX_COUNTED_LOANS) return null;
  const count = countOf ?? ((row) => partsOf(row).length);
  return rows.reduce((total, row) => total + count(row), 0);
}

interface Filling {
  /** Stamp of the cursor. */
  readonly at: number;
  readonly limit: number;
  readonly isBackward: boolean;
  /** Newest stamp of the next loan. */
  readonly next: number;
}

/** Whether the loans that are left can add nothing to the page. One more than the page tells whether more follow. */
function isFull(found: readonly ListedPart[], { at, limit, isBackward, next }: Filling): boolean {
  if (isBackward) return next < at;
  const before = found.filter(({ createdStamp }) => createdStamp < at && createdStamp > next);
  return before.length > limit;
}
