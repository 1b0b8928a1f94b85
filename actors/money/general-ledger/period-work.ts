import { addDays, type Day } from '../../../engine/index.js';
import type { CompanyState } from '../../company/index.js';
import type { ServiceCalls } from '../../kernel/jobs/service-calls.js';
import { dateText } from '../../wire.js';
import type { BatchState } from './batch.js';
import { dimensionsText, isOfLoan, type Role } from './entries.js';

import { unmappedFault, unmappedIn } from './mapped.js';
import { openItemsOf } from './open-items.js';
import { itemsOfLedger } from './receipts.js';
import { type NextDays, moneyText } from './view.js';

/** What keeps a month from being closed. */
export interface OpenOfPeriod {
  /** Days that are over and not sealed. */
  readonly unsealed: readonly string[];
  readonly unmapped: readonly { readonly path: string; readonly message: string }[];
  readonly clearing: readonly { readonly path: string; readonly message: string }[];
  /** Batches that differ from what was sealed. */
  readonly differences: readonly string[];
}

const CLEARED: ReadonlySet<Role> = new Set<Role>(['clearingIncoming', 'clearingOutgoing', 'unappliedCash']);

/** Open items of one kind that are named. */
const MOST_NAMED = 50;

export async function openOfPeriod(
  { first, last }: { readonly first: Day; readonly last: Day },
  { company, calls, sealedThrough }: { readonly company: CompanyState; readonly calls: ServiceCalls; readonly sealedThrough: Day | null },
): Promise<OpenOfPeriod> {
  const { closedThrough } = await calls.query<NextDays>('generalLedger.next', null);
  const batches = await calls.query<readonly BatchState[]>('generalLedger.batches', null, { from: first, to: last });
  const isBehind = sealedThrough === null || sealedThrough < last;
  return {
    unsealed: isBehind ? [dateText(sealedThrough === null ? first : addDays(sealedThrough, 1))] : [],
    unmapped: batches
      .flatMap((batch) => unmappedIn(company, batch))
      .slice(0, MOST_NAMED)
      .map((unmapped) => unmappedFault(unmapped)),
    clearing: await openClearing(last, closedThrough, calls),
    differences: batches.filter(({ difference }) => difference !== null).map(({ id }) => id),
  };
}

/** Money that has entered an account of passage through the month, and has not left it until now. */
async function openClearing(last: Day, closedThrough: Day, calls: ServiceCalls): Promise<OpenOfPeriod['clearing']> {
  const found: { path: string; message: string }[] = [];
  for await (const loan of itemsOfLedger(calls, { basis: 'accrual', through: closedThrough, knownOn: closedThrough }))
    for (const { role, dimensions, items } of openItemsOf(loan, (line) => CLEARED.has(line.role)))
      for (const { factId, day, cents } of items) {
        if (day > last || found.length >= MOST_NAMED) continue;
        found.push({
          path: [role, dimensionsText(dimensions), isOfLoan(loan.id) ? loan.id : '', factId].filter((text) => text !== '').join(' '),
          message: `${moneyText(Math.abs(cents))} has not been met since ${dateText(day)}`,
        });
      }
  return found;
}
