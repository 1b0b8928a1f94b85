import { mixBalancesByDueStatus, Mixer, mixFee, mixObligation, mixPayment, NOTHING_DIGESTED, STATUS_NUMBERS } from '../core/digest.js';
import { areThresholdsHeld } from '../core/status-moves.js';
import type { DrawState, LineObligation, LineState, LineTotals } from './state.js';

/**
 * 16 hexadecimal digits over the whole state of a line's ledger. Two replays of the same facts have the same digest on every
 * machine. It protects against mistakes, not against forgery.
 */
export function lineDigest(state: LineState): string {
  const hash = new Mixer(NOTHING_DIGESTED);
  mixHead(hash, state);
  for (const draw of state.draws) mixDraw(hash, draw);
  for (const fee of state.fees) mixFee(hash, fee);
  for (const obligation of state.obligations) mixLineObligation(hash, obligation);
  for (const payment of state.payments) mixPayment(hash, payment);
  mixTotals(hash, state.totals);
  return hash.text();
}

function mixHead(hash: Mixer, state: LineState): void {
  hash.number(state.day);
  hash.number(STATUS_NUMBERS[state.status]);
  hash.number(state.statusSince);
  hash.flags(state.isClosed, state.isOverdue, state.isFrozen);
  hash.number(state.limitCents);
  const running = state.periods.at(-1);
  hash.number(running?.ordinal ?? -1);
  hash.number(running?.statementDate ?? 0);
  hash.number(running?.dueDate ?? 0);
  hash.number(state.prepaidCents);
  hash.number(state.unassignedCents);
  hash.number(state.processingPayments);
  // Lines without a holder keep the digest of releases that did not have holders.
  if (areThresholdsHeld(state)) hash.number(state.thresholdHolders.length);
  if (state.openPaidCents === 0 && state.lateFeeAheadCents === 0) return;
  hash.number(state.openPaidCents);
  hash.number(state.lateFeeAheadCents);
}

function mixDraw(hash: Mixer, draw: DrawState): void {
  hash.number(draw.draw);
  hash.flags(draw.isClosed, draw.isCanceled, draw.isGraceEligible);
  hash.number(draw.limitCents ?? -1);
  mixBalancesByDueStatus(hash, draw.balances);
  for (const fee of draw.fees) mixFee(hash, fee);
  for (const row of draw.rows) {
    hash.number(row.dueDate);
    hash.number(row.amountCents);
  }
  hash.number(draw.paidAheadInterestCents);
  hash.number(draw.periodPurchasesCents);
  for (const { from, base } of draw.frozenSteps) {
    hash.number(from);
    hash.number(base.cents);
  }
  mixTotals(hash, draw.totals);
}

function mixLineObligation(hash: Mixer, obligation: LineObligation): void {
  mixObligation(hash, obligation);
  for (const part of obligation.draws) {
    hash.number(part.draw ?? -1);
    hash.number(part.amountCents);
    hash.number(part.remainingCents);
    hash.number(part.grace.totalFulfilledOnDueDateCents);
  }
}

function mixTotals(hash: Mixer, totals: LineTotals): void {
  hash.number(totals.purchasesCents);
  hash.number(totals.refundsCents);
  hash.interest(totals.interestAccrued);
  hash.interest(totals.interestDiscount);
  hash.interest(totals.forgoneRounding);
  hash.interest(totals.reversedInterest);
  hash.number(totals.paidPrincipalCents);
  hash.number(totals.paidInterestCents);
  hash.number(totals.paidFeesCents);
  hash.number(totals.reimbursementCents);
  // Lines without refunds of overpaid money keep the digest of releases that did not have them.
  if (totals.reimbursedCents > 0) hash.number(totals.reimbursedCents);
  if (totals.owedAgainCents > 0) hash.number(totals.owedAgainCents);
}
