import { setImmediate as others } from 'node:timers/promises';
import { type Day } from '../../../engine/index.js';
import type { AccountingBalancesOfLoan, AccountingBalancesQuery } from '../../loan/index.js';
import type { ServiceCalls } from '../../kernel/jobs/service-calls.js';
import type { ListResult } from '../../wire.js';

export const COMPONENTS = ['principal', 'interest', 'fees', 'borrowerCredit', 'chargedOff'] as const;

export type Component = (typeof COMPONENTS)[number];

/** Loans that are asked at once. */
const LOANS_AT_ONCE = 50;

/** What each loan's own ledger says at the end of a day, in cents. */
export async function* balancesOfLoans(calls: Pick<ServiceCalls, 'query'>, date: Day): AsyncGenerator<AccountingBalancesOfLoan> {
  let startingAfter: string | undefined;
  for (;;) {
    const query: AccountingBalancesQuery = { date, limit: LOANS_AT_ONCE, ...(startingAfter === undefined ? {} : { startingAfter }) };
    const page = await calls.query<ListResult<AccountingBalancesOfLoan>>('loan.accountingBalances', null, query);
    yield* page.items;
    startingAfter = page.items.at(-1)?.id;
    if (!page.hasMore || startingAfter === undefined) return;
    await others();
  }
}
