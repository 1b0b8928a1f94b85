import { setImmediate as others } from 'node:timers/promises';
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

/**
 * Loans of which a day is asked at once: between two pages other requests are served. A day on which more than interest comes is computed
 * from all facts of a loan, in some 10 ms.
 */
const LOANS_AT_ONCE = 3;

export interface Span {
  readonly bases: readonly Basis[];
  readonly from: Day;
  readonly through: Day;
}

type Asking = Pick<ServiceCalls, 'query'>;

/** The entries of all loans, loan after loan in the order of the list, the newest first. `after`: begins behind this loan. */
export async function* entriesOfLoans(
  calls: Asking,
  { bases, from, through }: Span,
  { after, goesOn = () => true }: { readonly after?: string; readonly goesOn?: () => boolean } = {},
): AsyncGenerator<AccountingEntriesOfLoan> {
  let startingAfter = after;
  while (goesOn()) {
    const query: AccountingEntriesQuery = {
      bases,
      from,
      through,
      limit: Math.max(1, Math.floor(LOANS_AT_ONCE / (through - from + 1))),
      ...(startingAfter === undefined ? {} : { startingAfter }),
    };
    const page = await calls.query<ListResult<AccountingEntriesOfLoan>>('loan.accountingEntries', null, query);
    yield* page.items;
    startingAfter = page.items.at(-1)?.id;
    if (!page.hasMore || startingAfter === undefined) return;
    await others();
  }
}

/** What the general ledger holds of each loan through a day. */
export async function* itemsOfLoans(calls: Asking, asOf: AccountingAsOf): AsyncGenerator<AccountingItemsOfLoan> {
  let startingAfter: string | undefined;
  for (;;) {
    const query: AccountingItemsQuery = { ...asOf, limit: LOANS_AT_ONCE, ...(startingAfter === undefined ? {} : { startingAfter }) };
    const page = await calls.query<ListResult<AccountingItemsOfLoan>>('loan.accountingItems', null, query);
    yield* page.items;
    startingAfter = page.items.at(-1)?.id;
    if (!page.hasMore || startingAfter === undefined) return;
    await others();
  }
}

/** The entries of one loan. */
export const entriesOfLoan = async (calls: Asking, loanId: string, { bases, from, through }: Span): Promise<readonly Entry[]> =>
  (await calls.query<AccountingEntriesOfLoan>('loan.accountingEntriesOf', loanId, { bases, from, through })).entries;

/** The day on which the first loan was recorded; null without loans. */
export async function firstDayOfLoans(calls: Asking): Promise<Day | null> {
  const { items } = await calls.query<ListResult<{ readonly day: number }>>('loan.firstAccountingDay', null, {});
  return items.length === 0 ? null : day(Math.min(...items.map((item) => item.day)));
}
