import { carryByWhole, replaceObligations, type WholeAmounts, wholeObligation } from '../core/acceleration.js';
import { clearBalances, moveAllToDue, moveDueToOverdue, moveToChargedOff } from '../core/balances.js';
import { NOTHING_DIGESTED } from '../core/digest.js';
import type { StatusCause } from '../core/entries.js';
import type { ChargeOffReason } from '../core/facts.js';
import { moveFees } from '../core/fees.js';
import { isZero, NO_INTEREST, plus } from '../core/interest.js';
import { obligationChanged } from '../core/obligations.js';
import { reachedThresholds } from '../core/overdue.js';
import { holds } from '../core/rules.js';
import type { ChargedBackParts } from '../core/state.js';
import { cancelingMove, mayMoveLedger, moveStatus } from '../core/status-moves.js';
import { owedCents, roundInterest } from './due.js';
import { beginEntry, enter } from './entering.js';
import type { LedgerState } from './state.js';

/** Interest stops, and everything is due at once as one obligation with the oldest due date. */
export function accelerate(state: LedgerState, cause: StatusCause): void {
  const before = beginEntry(state);
  state.scheduledFacts = null;
  roundInterest(state);
  const oldest = state.obligations.find((obligation) => !obligation.isFulfilled);
  moveAll(state, oldest?.isEnforced === true);
  const obligation = wholeObligation(state, wholeOf(state), oldest);
  replaceObligations(state, obligation);
  carryByWhole(state.fees, obligation);
  state.prepaidCents = 0;
  state.lateFeeAheadCents = 0;
  state.acceleratedSince = state.day;
  enter(state, before, 'acceleration');
  moveStatus(state, 'accelerate', cause);
  obligationChanged(state, obligation);
}

/** Everything is overdue if the oldest due date has passed, else due. */
function moveAll(state: LedgerState, isOverdue: boolean): void {
  moveAllToDue(state);
  state.dueOriginationFeeCents += state.nonDueOriginationFeeCents;
  state.nonDueOriginationFeeCents = 0;
  state.originationAskedCents = 0;
  if (isOverdue) {
    moveDueToOverdue(state);
    state.overdueOriginationFeeCents += state.dueOriginationFeeCents;
    state.dueOriginationFeeCents = 0;
  }
  moveFees(state.fees, isOverdue ? 'overdue' : 'due');
}

const wholeOf = (state: LedgerState): WholeAmounts => ({
  principalCents: state.duePrincipalCents + state.overduePrincipalCents,
  interestCents: state.dueInterestCents + state.overdueInterestCents,
  feesCents: state.dueOriginationFeeCents + state.overdueOriginationFeeCents + state.openFeesCents,
  lateFeesCents: state.fees.reduce((total, fee) => (fee.kind === 'lateFee' ? total + fee.openCents : total), 0),
});

/** All balances become charged off and stay payable; an active loan is accelerated first. */
export function chargeOff(state: LedgerState, reason: ChargeOffReason, cause: StatusCause): void {
  if (state.status !== 'accelerated') accelerate(state, { type: 'chargeOff' });
  const before = beginEntry(state);
  moveToChargedOff(state);
  state.chargedOffOriginationFeeCents += state.dueOriginationFeeCents + state.overdueOriginationFeeCents;
  state.dueOriginationFeeCents = 0;
  state.overdueOriginationFeeCents = 0;
  moveFees(state.fees, 'chargedOff');
  state.chargeOffReason = reason;
  state.chargedOffSince = state.day;
  enter(state, before, 'chargeOff');
  moveStatus(state, 'chargeOff', cause);
}

/**
 * A balance of zero without a payment in processing pays the loan off, and the fraction of a cent is forgone. A charged-off
 * loan keeps its status.
 */
export function settleZeroBalance(state: LedgerState): void {
  if (!mayMoveLedger(state.status, 'payOff')) return;
  if (state.nonDuePrincipalCents > 0 || owedCents(state) > 0) return;
  if (!isZero(state.nonDueInterest)) {
    const before = beginEntry(state);
    state.totals.forgoneRounding = plus(state.totals.forgoneRounding, state.nonDueInterest);
    state.nonDueInterest = NO_INTEREST;
    enter(state, before, 'forgoneInterest');
  }
  state.prepaidCents = 0;
  state.lateFeeAheadCents = 0;
  state.originationAskedCents = 0;
  if (state.processingPayments === 0) moveStatus(state, 'payOff', { type: 'balance' });
}

/** Cancels the loan: nothing is owed but all money to the borrower. In a replay it may have any status. */
export function cancel(state: LedgerState, cause: StatusCause): void {
  const move = cancelingMove(state.status);
  if (move === null) return;
  const before = beginEntry(state);
  clearBalances(state);
  state.nonDueOriginationFeeCents = 0;
  state.dueOriginationFeeCents = 0;
  state.overdueOriginationFeeCents = 0;
  state.chargedOffOriginationFeeCents = 0;
  state.originationAskedCents = 0;
  for (const fee of state.fees) fee.openCents = 0;
  state.openFeesCents = 0;
  state.prepaidCents = 0;
  state.lateFeeAheadCents = 0;
  state.obligations = [];
  state.digestedObligations = NOTHING_DIGESTED;
  state.firstOpenObligation = 0;
  state.firstUnenforced = 0;
  if (holds(state, 'paidOnCanceledOwed')) state.totals.reimbursementCents = paidByBorrower(state);
  enter(state, before, 'cancellation');
  moveStatus(state, move, cause);
}

/** Without what was charged back. A down payment that the lender kept back is no money of the borrower. */
function paidByBorrower({ payments }: LedgerState): number {
  let paidCents = 0;
  for (const payment of payments)
    if (payment.kind === 'payment' || payment.kind === 'downPayment')
      paidCents += payment.amountCents - chargedBackCents(payment.chargedBack);
  return paidCents;
}

const chargedBackCents = (parts: ChargedBackParts | undefined): number =>
  parts === undefined ? 0 : parts.principalCents + parts.interestCents + parts.feesCents + parts.overCents;

/** 00:50, after the late fees: accelerates or charges off a loan that is overdue for too long. */
export function checkThresholds(state: LedgerState): void {
  const reached = reachedThresholds(state);
  if (reached?.isAcceleration === true) accelerate(state, reached.cause);
  if (reached?.isChargeOff === true) chargeOff(state, 'term', reached.cause);
}
