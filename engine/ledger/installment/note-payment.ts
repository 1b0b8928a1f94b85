import type { Money, Tally } from './tally.js';
import { holds } from '../core/rules.js';
import type { LedgerState } from './state.js';

/** What a payment has met, and what found no bucket. */
type Met = Pick<Tally, 'principalCents' | 'interestCents' | 'feesCents' | 'leftCents'>;

export function notePayment(state: LedgerState, fact: Money, { principalCents, interestCents, feesCents, leftCents }: Met): void {
  const { totals } = state;
  if (fact.kind === 'credit') totals.creditsCents += fact.amountCents;
  else {
    if (fact.kind === 'refund') totals.refundsCents += fact.amountCents;
    else totals.paymentsCents += fact.amountCents;
    totals.reimbursementCents += fact.kind === 'refund' ? ownMoney(state, leftCents) : leftCents;
  }
  totals.paidPrincipalCents += principalCents;
  totals.paidInterestCents += interestCents;
  totals.paidFeesCents += feesCents;
  totals.paidOverCents += leftCents;
  if (fact.isProcessing) state.processingPayments += 1;
  state.payments.push({
    transaction: fact.transaction,
    kind: fact.kind,
    day: fact.effective.day,
    seconds: fact.effective.seconds,
    amountCents: fact.amountCents,
    principalCents,
    interestCents,
    feesCents,
    overCents: leftCents,
    isProcessing: fact.isProcessing,
  });
}

/**
 * Of what a refund leaves over, what the borrower's own money has paid: what the lender has credited or given up is nobody's to have back.
 */
export function ownMoney(state: LedgerState, amountCents: number): number {
  const { paymentsCents, reimbursementCents } = state.totals;
  return holds(state, 'refundsOfOwnMoney') ? Math.min(amountCents, Math.max(0, paymentsCents - reimbursementCents)) : amountCents;
}
