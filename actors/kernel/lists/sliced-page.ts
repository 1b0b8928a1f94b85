import {
  comparePositions,
  DEFAULT_LIMIT,
  type ListShown,
  type Page,
  type PageAsked,
  type Position,
  refuseMixed,
} from '../../list-order.js';
import type { ListResult } from '../../wire.js';
import { LIMITS } from '../limits.js';
import { Scheduler, TimeBudget } from '../shard/scheduler.js';
import { PageGathering } from './sorted-page.js';

/** Lists of one process share their time: one time slice between two rounds of other work, however many lists are read. */
const SCHEDULER = new Scheduler();

/** The time of one list. */
export const timeOfList = (): TimeBudget => new TimeBudget(undefined, SCHEDULER);

/** Rows between two looks at the time. */
const STEP = 16;

/** How a list is read in time slices. */
interface Sliced<Row> {
  /** Each row once, also when rows are put or removed meanwhile. */
  readonly rows: Iterable<Row>;
  readonly gathering: PageGathering<Row>;
  readonly matches: (row: Row) => boolean;
  /** The row as it is now; undefined: it was removed. */
  readonly now: (row: Row) => Row | undefined;
}

/**
 * A page of many rows, in time slices: each row counts as it is when it is looked at. Of the page itself, what no longer matches at the end
 * is left out. Null where nothing would be left of a page that had rows.
 */
export async function slicedPage<Row>({ rows, gathering, matches, now }: Sliced<Row>): Promise<Page<Row> | null> {
  const time = timeOfList();
  let looked = 0;
  for (const row of rows) {
    if (matches(row)) gathering.add(row);
    looked += 1;
    if (looked % STEP === 0 && time.isSpent) await time.yieldToOthers();
  }
  const page = gathering.page((row) => {
    const present = now(row);
    return present === undefined || !matches(present);
  });
  return page.items.length === 0 && gathering.page().items.length > 0 ? null : page;
}

/**
 * A page of the parts of many actors, which are opened in time slices. The cursor is a position: see `placed`. Each part is shown as it was
 * when its actor was opened.
 */
export async function pageOfParts<Part>(
  partsOfEach: Iterable<readonly Part[]>,
  asked: Partial<PageAsked>,
  { view, order }: Pick<ListShown<Part>, 'view' | 'order'>,
): Promise<ListResult> {
  refuseMixed(asked);
  const descending = order.map((rule) => rule.descending);
  const positionOf = (part: Part): Position => order.map(({ key }) => key(part));
  const compare = (a: Part, b: Part): number => comparePositions(positionOf(a), positionOf(b), descending);
  const list = { items: [], isNamed: () => false, descending, positionOf, compare };
  const gathering = new PageGathering<Part>(list, { ...asked, limit: asked.limit ?? DEFAULT_LIMIT });
  const time = timeOfList();
  for (const parts of partsOfEach) {
    for (const part of parts) gathering.add(part);
    if (time.isSpent) await time.yieldToOthers();
  }
  const page = gathering.page();
  return { ...page, items: page.items.map(view), order: page.order() };
}

/** Whether so many rows are looked at in time slices. */
export const takesLong = (rows: number): boolean => rows > LIMITS.rowsAtOnce;
