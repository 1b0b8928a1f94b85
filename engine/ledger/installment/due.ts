import { must } from '../../assert.js';
import { addDays, type Day, dueDateOnOrAfter } from '../../calendar/index.js';
import { ZERO } from '../../money/index.js';
import { beginEntry, enter } from './entering.js';
import { carryFee, fallsDueWith } from './fees.js';
import { interestFallingDue } from './fraction.js';
import { addObligation, obligationChanged } from './fulfil.js';
import { type Demand, demandOf, isLastRow, leaveNonDue } from './demand.js';
import { owedCents } from './owed.js';
import { instalmentFallsDue } from './kept/fall-due.js';
import { beginPeriod, passDeferred } from './period.js';
import { settingsOf } from '../core/settings.js';
import type { LedgerState, OpenRow } from './state.js';
import type { FeeState, ObligationState } from '../core/state.js';
import { centsOfInterest, type Interest, minus, NO_INTEREST } from '../core/interest.js';

/**
 * 00:30 of a due date: what falls due is fixed and moves from non-due to due.
 *
 *   row amount (at most what is left; the last row: all that is left)
 *   + origination fee share + fees that fall due with it   = obligation
 *   - paid in advance                                       = remaining, which moves:
 *       fees, then interest (whole cents), then principal for the rest
 */
export function fallDue(state: LedgerState): void {
  if (state.instalmentFacts !== null) {
    instalmentFallsDue(state);
    return;
  }
  const row = must(state.rows[state.nextRow], 'a due date has a row');
  if (row.isDeferred === true) {
    passDeferred(state);
    return;
  }
  const before = beginEntry(state);
  const obligation = moveRowToDue(state, row);
  if (obligation !== null) addObligation(state, obligation);
  enter(state, before, 'movedToDue');
  if (obligation !== null) obligationChanged(state, obligation);
}

/** What falls due with a row moves, and the next period begins: the obligation that it makes; null where it asks for nothing. */
export function moveRowToDue(state: LedgerState, row: OpenRow): ObligationState | null {
  const unrounded = state.nonDueInterest;
  const obligation = fixedObligation(state, row, unrounded, interestFallingDue(state));
  state.nextRow += 1;
  beginPeriod(state);
  return obligation;
}

const NO_FEES: readonly FeeState[] = [];

/** The interest that may fall due comes as it had accrued, and in the cents that it was rounded to. */
function fixedObligation(state: LedgerState, row: OpenRow, unrounded: Interest, interestCents: number): ObligationState | null {
  const demand = demandOf(state, row, interestCents);
  const carried = state.openFeesCents === 0 ? NO_FEES : state.fees.filter((fee) => fallsDueWith(fee, state, isLastRow(state)));
  // A separate origination fee has been due by itself since activation.
  const separateCents = state.obligations.length === 0 ? state.dueOriginationFeeCents : 0;
  let carriedCents = separateCents;
  let lateFeesCents = 0;
  for (const fee of carried) {
    carriedCents += fee.openCents;
    if (fee.kind === 'lateFee') lateFeesCents += fee.openCents;
  }
  const amountCents = demand.baseCents + demand.originationCents + carriedCents;
  if (amountCents === 0) return null;
  moveToDue(state, demand);
  const remainingCents = amountCents - demand.prepaidCents;
  const isFulfilled = remainingCents <= settingsOf(state).overdueToleranceCents;
  const obligation: ObligationState = {
    ordinal: state.nextRow,
    dueDay: row.date,
    amountCents,
    baseCents: demand.baseCents,
    principalCents: amountCents - carriedCents - demand.movedOriginationCents - demand.movedInterestCents,
    interestCents: demand.movedInterestCents,
    feesCents: demand.movedOriginationCents + carriedCents,
    unroundedInterest: demand.movedInterestCents === interestCents ? unrounded : centsOfInterest(demand.movedInterestCents),
    unroundedDiscount: discountOfPeriod(state),
    remainingCents,
    paymentsCents: 0,
    creditsCents: 0,
    prepaidCents: demand.prepaidCents,
    capitalizedCents: 0,
    unassignedCents: state.unassignedCents,
    withoutLateFeesCents: Math.max(0, remainingCents - lateFeesCents - takeLateFeeAhead(state)),
    pausedDays: 0,
    isFulfilled,
    isEnforced: false,
    isLateFeeBlocked: false,
  };
  for (const fee of carried) carryFee(fee, obligation);
  return obligation;
}

/** What late fees have taken in the period that ends counts for its obligation, and for none after it. */
function takeLateFeeAhead(state: LedgerState): number {
  const { lateFeeAheadCents } = state;
  state.lateFeeAheadCents = 0;
  return lateFeeAheadCents;
}

function discountOfPeriod({ totals }: LedgerState): Interest {
  if (totals.interestDiscount === totals.interestDiscountBeforePeriod) return NO_INTEREST;
  return minus(totals.interestDiscount, totals.interestDiscountBeforePeriod);
}

function moveToDue(state: LedgerState, demand: Demand): void {
  leaveNonDue(state, demand);
  state.dueOriginationFeeCents += demand.movedOriginationCents;
  state.dueInterestCents += demand.movedInterestCents;
  state.duePrincipalCents += demand.movedPrincipalCents;
}

/**
 * Interest that late payers owe accrues after the last due date too. Once everything that fell due is paid, what is
 * left falls due on the next date of the rule, so that a loan does not end with a rest that nobody asks for.
 */
export function addClosingRow(state: LedgerState): void {
  if (state.nextRow < state.rows.length || state.status !== 'active' || state.instalmentFacts !== null) return;
  if (state.firstOpenObligation < state.obligations.length || owedCents(state) === 0) return;
  const last = must(state.rows.at(-1), 'a schedule has rows').date;
  const from = addDays(Math.max(last, state.day, state.unknownRates?.through ?? last) as Day, 1);
  const date = dueDateOnOrAfter(state.dueDateRule, from);
  const row: OpenRow = { date, amountCents: ZERO, isForced: false, isClosing: true };
  state.rows = [...state.rows, row];
}
