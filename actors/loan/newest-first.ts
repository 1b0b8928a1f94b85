import { comparePositions, DEFAULT_LIMIT, type PageQuery, type Position, positionOfCursor, refuseCursor } from '../list-order.js';
import type { CatalogRow } from '../kernel/actor.js';
import type { ListResult } from '../wire.js';

/** Where a part of a loan is in a list over all loans. */
interface PlacedPart {
  readonly id: string;
  /** Machine time in microseconds. */
  readonly createdStamp: number;
}

interface ListedPart extends PlacedPart {
  readonly view: () => unknown;
}

/** Where the parts of a loan come from. */
export interface PartSource {
  /** Stamp of the loan's newest part, matching or not. */
  readonly stampOf: (row: CatalogRow) => number;
  /** The matching parts of a loan; called only while the page may still need them, or to count a few. */
  readonly partsOf: (row: CatalogRow) => readonly ListedPart[];
  /** How many of them match; null if only the loan itself knows. */
  readonly countOf: ((row: CatalogRow) => number) | null;
  /** The part that a cursor names, matching or not: it may have changed since the page before. */
  readonly named: (cursor: string) => PlacedPart | undefined;
}

/** Loans that are opened only to count matches, which takes some milliseconds. */
const MAX_COUNTED_LOANS = 200;

/**
 * A page in the order of creation. `rows` begin with the loan of the newest part. Loans are opened in that order, and only while the next
 * one may have a part for the page. The total comes from the rows, otherwise it is counted for few loans only: counting must not open a
 * whole portfolio.
 */
export function newestFirst(rows: readonly CatalogRow[], query: PageQuery, source: PartSource): ListResult {
  const { stampOf, partsOf, named } = source;
  const { limit = DEFAULT_LIMIT, endingBefore, startingAfter } = query;
  const cursor = endingBefore ?? startingAfter;
  const isBackward = endingBefore !== undefined;
  const placed = (text: string): Position => positionOf(named(text) ?? refuseCursor(isBackward ? 'endingBefore' : 'startingAfter'));
  const from = cursor === undefined ? TOP : (positionOfCursor(cursor) ?? placed(cursor));
  let found: ListedPart[] = [];
  for (const row of rows) {
    if (isFull(found, { at: Number(from[0]), limit, isBackward, next: stampOf(row) })) break;
    found = found.concat(partsOf(row));
  }
  const isBeyond = (part: ListedPart): boolean => (isBackward ? -1 : 1) * compareParts(positionOf(part), from) > 0;
  const beyond = found.filter(isBeyond).sort((a, b) => compareParts(positionOf(a), positionOf(b)));
  const shown = isBackward ? beyond.slice(-limit) : beyond.slice(0, limit);
  const isCut = beyond.length > limit;
  return {
    items: shown.map((part) => part.view()),
    total: totalOf(rows, source),
    hasMore: isBackward || isCut,
    hasPrevious: isBackward ? isCut : cursor !== undefined,
    order: { descending: NEWEST_FIRST, places: shown.map(positionOf), cursor: cursor === undefined ? null : from },
  };
}

/** By stamp, then by id: several engines can make parts in the same microsecond. */
const NEWEST_FIRST = [true, false] as const;
const TOP: Position = [Infinity, ''];
const positionOf = ({ createdStamp, id }: PlacedPart): Position => [createdStamp, id];
const compareParts = (a: Position, b: Position): number => comparePositions(a, b, NEWEST_FIRST);

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

/** Whether the remaining loans cannot add to the page. One part more than the page shows whether more follow. */
function isFull(found: readonly ListedPart[], { at, limit, isBackward, next }: Filling): boolean {
  if (isBackward) return next < at;
  const before = found.filter(({ createdStamp }) => createdStamp < at && createdStamp > next);
  return before.length > limit;
}
