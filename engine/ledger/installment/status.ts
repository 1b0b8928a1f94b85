import { clearBalances, moveAllToDue, moveDueToOverdue, moveToChargedOff } from '../core/balances.js';
import { NOTHING_DIGESTED } from '../core/mixer.js';
import { beginEntry, enter } from './fees.js';
import type { ChargeOffReason } from '../core/facts.js';
import { obligationChanged } from './fulfil.js';
import {
  areThresholdsHeld,
  cancelingMove,
  type GuardContext,
  type LedgerMove,
  ledgerStatusAfter,
  mayMoveLedger,
} from '../core/status-moves.js';
import { owedCents, roundInterest } from './due.js';
import type { ObligationLedger, StatusCause } from '../core/entries.js';
import { daysOverdueOf, oldestOverdue } from './overdue.js';
import { holds, settingsOf } from '../core/rules.js';
import { type LedgerState } from './state.js';
import { ACCELERATION_ORDINAL, type ObligationState } from '../core/state.js';
import { centsOfInterest, isZero, NO_INTEREST, plus } from '../core/interest.js';

/** Makes an allowed move; only `owe` needs a context. */
export function moveStatus(state: ObligationLedger, move: LedgerMove, cause: StatusCause, context = NOTHING_ORDERED): void {
  const oldStatus = state.status;
  const newStatus = ledgerStatusAfter(oldStatus, move, context);
  state.status = newStatus;
  state.statusSince = state.day;
  const { day, seconds } = state;
  state.watcher?.happened({ type: 'statusChanged', day, seconds, oldStatus, newStatus, cause });
}

const NOTHING_ORDERED: GuardContext = { isFrozen: false, isAccelerated: false };

/** Interest stops, and everything is due at once as one obligation with the oldest due date. */
export function accelerate(state: LedgerState, cause: StatusCause): void {
  const before = beginEntry(state);
  state.scheduledFacts = null;
  roundInterest(state);
  const oldest = state.obligations.find((obligation) => !obligation.isFulfilled);
  moveAll(state, oldest?.isEnforced === true);
  const obligation = wholeObligation(state, wholeOf(state), oldest);
  replaceObligations(state, obligation);
  for (const fee of state.fees) {
    if (fee.openCents === 0) continue;
    fee.carriedBy = ACCELERATION_ORDINAL;
    fee.dueDay ??= obligation.dueDay;
  }
  state.prepaidCents = 0;
  state.lateFeeAheadCents = 0;
  state.acceleratedSince = state.day;
  enter(state, before, 'acceleration');
  moveStatus(state, 'accelerate', cause);
  obligationChanged(state, obligation);
}

interface Replaceable<Obligation extends ObligationState> {
  obligations: Obligation[];
  replaced: readonly Obligation[];
  firstOpenObligation: number;
  firstUnenforced: number;
}

/** One obligation replaces all unfulfilled ones. It may be within the tolerance. */
export function replaceObligations<Obligation extends ObligationState>(state: Replaceable<Obligation>, whole: Obligation): void {
  state.replaced = state.obligations.filter((candidate) => !candidate.isFulfilled);
  state.obligations = state.obligations.filter((candidate) => candidate.isFulfilled).map(withoutRest);
  state.firstOpenObligation = state.obligations.length + (whole.isFulfilled ? 1 : 0);
  state.firstUnenforced = 0;
  state.obligations.push(whole);
}

/** Removes the rest within the tolerance, which is part of the whole now: from principal first, then interest and fees. */
function withoutRest<Obligation extends ObligationState>(fulfilled: Obligation): Obligation {
  const { amountCents, remainingCents } = fulfilled;
  if (remainingCents === 0) return fulfilled;
  const ofPrincipal = Math.min(fulfilled.principalCents, remainingCents);
  const ofInterest = Math.min(fulfilled.interestCents, remainingCents - ofPrincipal);
  return {
    ...fulfilled,
    principalCents: fulfilled.principalCents - ofPrincipal,
    interestCents: fulfilled.interestCents - ofInterest,
    feesCents: fulfilled.feesCents - (remainingCents - ofPrincipal - ofInterest),
    amountCents: amountCents - remainingCents,
    remainingCents: 0,
  };
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
  for (const fee of state.fees) {
    if (fee.openCents > 0) fee.dueStatus = isOverdue ? 'overdue' : 'due';
  }
}

/** Everything owed, by component; late fees are part of the fees. */
export interface WholeAmounts {
  readonly principalCents: number;
  readonly interestCents: number;
  readonly feesCents: number;
  readonly lateFeesCents: number;
}

const wholeOf = (state: LedgerState): WholeAmounts => ({
  principalCents: state.duePrincipalCents + state.overduePrincipalCents,
  interestCents: state.dueInterestCents + state.overdueInterestCents,
  feesCents: state.dueOriginationFeeCents + state.overdueOriginationFeeCents + state.openFeesCents,
  lateFeesCents: state.fees.reduce((total, fee) => (fee.kind === 'lateFee' ? total + fee.openCents : total), 0),
});

export function wholeObligation(ledger: ObligationLedger, whole: WholeAmounts, oldest: ObligationState | undefined): ObligationState {
  const { principalCents, interestCents, feesCents, lateFeesCents } = whole;
  const amountCents = principalCents + interestCents + feesCents;
  return {
    ordinal: ACCELERATION_ORDINAL,
    dueDay: oldest?.dueDay ?? ledger.day,
    amountCents,
    baseCents: principalCents + interestCents,
    principalCents,
    interestCents,
    feesCents,
    unroundedInterest: centsOfInterest(interestCents),
    unroundedDiscount: NO_INTEREST,
    remainingCents: amountCents,
    paymentsCents: 0,
    creditsCents: 0,
    prepaidCents: 0,
    capitalizedCents: 0,
    unassignedCents: 0,
    withoutLateFeesCents: amountCents - lateFeesCents,
    pausedDays: oldest?.pausedDays ?? 0,
    isFulfilled: amountCents <= (holds(ledger, 'toleranceForWhole') ? settingsOf(ledger).overdueToleranceCents : 0),
    isEnforced: oldest?.isEnforced ?? false,
    isLateFeeBlocked: false,
  };
}

/** All balances become charged off and stay payable; an active loan is accelerated first. */
export function chargeOff(state: LedgerState, reason: ChargeOffReason, cause: StatusCause): void {
  if (state.status !== 'accelerated') accelerate(state, { type: 'chargeOff' });
  const before = beginEntry(state);
  moveToChargedOff(state);
  state.chargedOffOriginationFeeCents += state.dueOriginationFeeCents + state.overdueOriginationFeeCents;
  state.dueOriginationFeeCents = 0;
  state.overdueOriginationFeeCents = 0;
  for (const fee of state.fees) {
    if (fee.openCents > 0) fee.dueStatus = 'chargedOff';
  }
  state.chargeOffReason = reason;
  state.chargedOffSince = state.day;
  enter(state, before, 'chargeOff');
  moveStatus(state, 'chargeOff', cause);
}

/** 00:50, after the late fees: checks the thresholds of days overdue. */
export const checkThresholds = (state: LedgerState): void => checkThresholdsOf(state, AT_THRESHOLDS);

const AT_THRESHOLDS = { accelerate, chargeOff };

/** The actions of a kind of ledger at its thresholds. */
interface ThresholdActions<State> {
  readonly accelerate: (state: State, cause: StatusCause) => void;
  readonly chargeOff: (state: State, reason: ChargeOffReason, cause: StatusCause) => void;
}

export function checkThresholdsOf<State extends ObligationLedger>(state: State, actions: ThresholdActions<State>): void {
  if ((state.status !== 'active' && state.status !== 'accelerated') || areThresholdsHeld(state)) return;
  const oldest = oldestOverdue(state);
  if (oldest === undefined) return;
  const daysOverdue = daysOverdueOf(state, oldest);
  const { accelerationDueWithin, chargeOffDueWithin } = settingsOf(state);
  const { noAccelerationThrough, noChargeOffThrough } = state.orders;
  const cause: StatusCause = { type: 'daysOverdue', daysOverdue };
  if (
    mayMoveLedger(state.status, 'accelerate') &&
    isReached(accelerationDueWithin, daysOverdue) &&
    isAllowed(state, noAccelerationThrough)
  ) {
    actions.accelerate(state, cause);
  }
  if (isReached(chargeOffDueWithin, daysOverdue) && isAllowed(state, noChargeOffThrough)) actions.chargeOff(state, 'term', cause);
}

const isReached = (threshold: number | null, daysOverdue: number): boolean => threshold !== null && daysOverdue >= threshold;

const isAllowed = (state: ObligationLedger, blockedThrough: number | null): boolean =>
  blockedThrough === null || state.day > blockedThrough;

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

/** Cancels the loan: nothing is owed. In a replay it may have any status. */
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
  enter(state, before, 'cancellation');
  moveStatus(state, move, cause);
}
