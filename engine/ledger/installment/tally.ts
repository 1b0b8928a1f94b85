import type { WatchedPart } from '../core/count-in-order.js';
import type { Allocation } from '../core/entries.js';
import type { EffectiveTime, MoneyKind } from '../core/facts.js';
import { holds } from '../core/rules.js';
import type { LedgerState } from './state.js';

/** Money that is allocated, of any kind of fact. */
export interface Money {
  readonly transaction: number;
  readonly kind: MoneyKind;
  readonly effective: EffectiveTime;
  readonly amountCents: number;
  readonly isProcessing: boolean;
}

/** The transaction number of a forgiven small balance, which has no transaction. */
export const FORGIVEN = -1;

/** The effect of one payment so far. */
export interface Tally {
  readonly fact: Money;
  leftCents: number;
  principalCents: number;
  interestCents: number;
  feesCents: number;
  /** Money for due and overdue balances that obligations carry. */
  obligationCents: number;
  /** Money for late fees that no obligation carries. */
  looseLateFeeCents: number;
  /** Money in advance: it lowered principal, interest and the origination fee before they were due. */
  aheadCents: number;
  /** The part of it that lowered the origination fee. */
  aheadOriginationCents: number;
  /** The part of the origination fee that was due and counted other money: the open obligation has it again. */
  askedAgainCents: number;
  /** With a watcher: the parts, collected until it is known which obligation counts which part. */
  watched: (WatchedPart & Pick<Allocation, 'bucket'>)[] | null;
  /** Overpaid money, which also pays fees that were not known when it came. */
  readonly isPaidOver?: true;
}

/** The tally of a payment or refund before the allocation. */
export const beginTally = (transaction: number, kind: MoneyKind, from: Pick<Money, 'effective' | 'amountCents'>): Tally =>
  tallyOf({ transaction, kind, effective: from.effective, amountCents: from.amountCents, isProcessing: false });

export const tallyOf = (fact: Money): Tally => ({
  fact,
  leftCents: fact.amountCents,
  principalCents: 0,
  interestCents: 0,
  feesCents: 0,
  obligationCents: 0,
  looseLateFeeCents: 0,
  aheadCents: 0,
  aheadOriginationCents: 0,
  askedAgainCents: 0,
  watched: null,
});

/** What a payment has paid, and the overpaid rest. */
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
 * The part of a refund's rest that the borrower's own money has paid. Amounts that the lender has credited or forgiven are not refunded.
 */
export function ownMoney(state: LedgerState, amountCents: number): number {
  const { paymentsCents, reimbursementCents } = state.totals;
  return holds(state, 'refundsOfOwnMoney') ? Math.min(amountCents, Math.max(0, paymentsCents - reimbursementCents)) : amountCents;
}
