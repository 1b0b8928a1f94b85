import { comparePositions, DEFAULT_LIMIT, type PageQuery, type Position, positionOfCursor, refuseCursor } from '../list-order.js';
import type { CatalogRow } from '../kernel/actor.js';
import { ByNewest } from '../kernel/lists/by-newest.js';
import { timeOfList } from '../kernel/lists/sliced-page.js';
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
  readonly named: (cursor: string) => PlacedPart | undefined | Promise<PlacedPart | undefined>;
}

/** Loans that are opened only to count matches, which takes some milliseconds. */
const MAX_COUNTED_LOANS = 200;

/**
 * A page in the order of creation. Loans are opened in time slices in the order of their newest parts, and only while the next one may have
 * a part for the page; parts that are made meanwhile are left out. The total comes from the rows, otherwise it is counted for few loans
 * only: counting must not open a whole portfolio.
 */
export async function newestFirst(rows: readonly CatalogRow[], query: PageQuery, source: PartSource): Promise<ListResult> {
  const { stampOf, partsOf, named } = source;
  const { limit = DEFAULT_LIMIT, endingBefore, startingAfter } = query;
  const cursor = endingBefore ?? startingAfter;
  const isBackward = endingBefore !== undefined;
  const placedAt = async (text: string): Promise<Position> =>
    positionOf((await named(text)) ?? refuseCursor(isBackward ? 'endingBefore' : 'startingAfter'));
  const loans = await ByNewest.of(rows, stampOf);
  const newestStamp = loans.newest;
  const from = cursor === undefined ? TOP : (positionOfCursor(cursor) ?? (await placedAt(cursor)));
  const nearer = (a: ListedPart, b: ListedPart): number => (isBackward ? -1 : 1) * compareParts(positionOf(a), positionOf(b));
  const isBeyond = (part: ListedPart): boolean => (isBackward ? -1 : 1) * compareParts(positionOf(part), from) > 0;
  // The parts of the page, those next to the cursor first, and one more, which shows whether others follow.
  const found: ListedPart[] = [];
  const isFull = (): boolean => (isBackward ? loans.newest < Number(from[0]) : (found[limit]?.createdStamp ?? -Infinity) > loans.newest);
  const time = timeOfList();
  for (let row = loans.take(); row !== undefined; row = isFull() ? undefined : loans.take()) {
    for (const part of partsOf(row)) {
      if (part.createdStamp > newestStamp || !isBeyond(part)) continue;
      const index = found.findIndex((other) => nearer(part, other) < 0);
      found.splice(index < 0 ? found.length : index, 0, part);
      found.length = Math.min(found.length, limit + 1);
    }
    if (time.isSpent) await time.yieldToOthers();
  }
  const page = found.slice(0, limit);
  const shown = isBackward ? page.reverse() : page;
  const isCut = found.length > limit;
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
