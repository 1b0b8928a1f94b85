import type { Day } from '../calendar/index.js';
import { balancesOf, type LedgerState } from '../ledger/installment/index.js';
import { lineBalancesOf, type LineState } from '../ledger/line/index.js';

/** Days after a due date from which an amount counts as past due. */
const PAST_DUE_DAYS = 30;

/** Amounts of an account at the end of a month, in cents. */
export interface CreditFigures {
  /** Principal, interest that has fallen due, and fees. */
  readonly balanceCents: number;
  /** What is 30 or more days late. */
  readonly pastDueCents: number;
  /** What was paid in the month. */
  readonly paidCents: number;
  readonly lastPaymentOn: Day | null;
}

/** From the ledger as it stood on the last day of the month. */
export function creditFigures(ledger: LedgerState | LineState, monthBegan: Day): CreditFigures {
  const { outstanding, due, overdue, chargedOff } = 'draws' in ledger ? lineBalancesOf(ledger) : balancesOf(ledger);
  const owed = outstanding.principalCents + outstanding.feesCents + due.interestCents + overdue.interestCents;
  const balanceCents = Math.max(0, owed) + chargedOff.totalCents;
  const asOf = ledger.status === 'frozen' ? ledger.statusSince : ledger.day;
  let pastDueCents = 0;
  for (const { isFulfilled, remainingCents, dueDay, pausedDays } of ledger.obligations)
    if (!isFulfilled && asOf - dueDay - pausedDays >= PAST_DUE_DAYS) pastDueCents += remainingCents;
  let paidCents = 0;
  let lastPaymentOn: Day | null = null;
  for (const { kind, day, amountCents, chargedBack } of ledger.payments) {
    if (kind !== 'payment' && kind !== 'downPayment') continue;
    const { principalCents = 0, interestCents = 0, feesCents = 0, overCents = 0 } = chargedBack ?? {};
    const leftCents = amountCents - principalCents - interestCents - feesCents - overCents;
    if (leftCents <= 0) continue;
    if (lastPaymentOn === null || day > lastPaymentOn) lastPaymentOn = day;
    if (day >= monthBegan) paidCents += leftCents;
  }
  return {
    balanceCents,
    pastDueCents: ledger.status === 'chargedOff' ? balanceCents : Math.min(pastDueCents, balanceCents),
    paidCents,
    lastPaymentOn,
  };
}
