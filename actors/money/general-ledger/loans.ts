import { setImmediate as others, setTimeout as pause } from 'node:timers/promises';
import { day, type Day } from '../../../engine/index.js';
import type {
  AccountingAsOf,
  AccountingEntriesOfLoan,
  AccountingEntriesQuery,
  AccountingItemsOfLoan,
  AccountingItemsQuery,
} from '../../loan/index.js';
import type { ServiceCalls } from '../../kernel/jobs/service-calls.js';
import type { ListResult } from '../../wire.js';
import type { Basis, Entry } from './entries.js';

/** Loans that are asked at once at most: a page of dear loans ends earlier, and between two pages other requests are served. */
const LOANS_AT_ONCE = 256;
/** For each millisecond of a page so many are left to other work, if nobody waits for the walk. */
const PAUSE_PARTS = 1;
/** A page that has waited for others does not pause for longer, in milliseconds. */
const LONGEST_PAUSE_MS = 250;

/**
 * Asks, and then leaves the thread to others: at least one round of the event loop; for work in the background about as long as the answer
 * took, so that it has half of the time of a shard.
 */
async function asked<Result>(ask: () => Promise<Result>, isInBackground: boolean): Promise<Result> {
  const begun = performance.now();
  const result = await ask();
  const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.floor((performance.now() - begun) * PAUSE_PARTS));
  if (isInBackground && pauseMs > 0) await pause(pauseMs);
  else await others();
  return result;
}

export interface Span {
  readonly bases: readonly Basis[];
  readonly from: Day;
  readonly through: Day;
}

export type Asking = Pick<ServiceCalls, 'query'>;

export interface Walk {
  /** Begins behind this loan. */
  readonly after?: string;
  readonly isInBackground?: boolean;
  readonly goesOn?: () => boolean;
}

/**
 * The entries of all loans, loan after loan in the order of the list, the newest first. A loan whose days take long comes in several parts,
 * one behind the other.
 */
export async function* entriesOfLoans(
  calls: Asking,
  span: Span,
  { after, isInBackground = false, goesOn = () => true }: Walk = {},
): AsyncGenerator<AccountingEntriesOfLoan> {
  let startingAfter = after;
  while (goesOn()) {
    const query: AccountingEntriesQuery = {
      ...span,
      limit: LOANS_AT_ONCE,
      ...(startingAfter === undefined ? {} : { startingAfter }),
    };
    const page = await asked(() => calls.query<ListResult<AccountingEntriesOfLoan>>('loan.accountingEntries', null, query), isInBackground);
    for (const loan of page.items) {
      yield loan;
      if (loan.next !== null) yield* partsOfLoan(calls, loan.id, { ...span, from: loan.next }, { isInBackground, goesOn });
    }
    startingAfter = page.items.at(-1)?.id;
    if (!page.hasMore || startingAfter === undefined) return;
  }
}

/** The entries of one loan, some days at a time. */
async function* partsOfLoan(
  calls: Asking,
  loanId: string,
  span: Span,
  { isInBackground = false, goesOn = () => true }: Omit<Walk, 'after'> = {},
): AsyncGenerator<AccountingEntriesOfLoan> {
  for (let from: Day | null = span.from; from !== null && goesOn(); ) {
    const query: Span = { ...span, from };
    const part: AccountingEntriesOfLoan = await asked(
      () => calls.query<AccountingEntriesOfLoan>('loan.accountingEntriesOf', loanId, query),
      isInBackground,
    );
    yield part;
    from = part.next;
  }
}

/** What the general ledger holds of each loan through a day. */
export async function* itemsOfLoans(calls: Asking, asOf: AccountingAsOf): AsyncGenerator<AccountingItemsOfLoan> {
  let startingAfter: string | undefined;
  for (;;) {
    const query: AccountingItemsQuery = { ...asOf, limit: LOANS_AT_ONCE, ...(startingAfter === undefined ? {} : { startingAfter }) };
    const page = await asked(() => calls.query<ListResult<AccountingItemsOfLoan>>('loan.accountingItems', null, query), false);
    yield* page.items;
    startingAfter = page.items.at(-1)?.id;
    if (!page.hasMore || startingAfter === undefined) return;
  }
}

/** The entries of one loan. */
export async function entriesOfLoan(calls: Asking, loanId: string, span: Span): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const part of partsOfLoan(calls, loanId, span)) entries.push(...part.entries);
  return entries;
}

/** The day on which the first loan was recorded; null without loans. */
export async function firstDayOfLoans(calls: Asking): Promise<Day | null> {
  const { items } = await calls.query<ListResult<{ readonly day: number }>>('loan.firstAccountingDay', null, {});
  return items.length === 0 ? null : day(Math.min(...items.map((item) => item.day)));
}
