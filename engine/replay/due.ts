import { must } from '../assert.js';
import { addDays, dueDateOnOrAfter, dueDates } from '../calendar/index.js';
import type { Cents } from '../money/index.js';
import { beginEntry, enter } from './entering.js';
import { carryFee, fallsDueWith } from './fees.js';
import { addObligation, obligationChanged } from './fulfil.js';
import { settingsOf } from './settings.js';
import type { LedgerState, ObligationState } from './state.js';
import type { DueRow } from './terms.js';
import { exact, roundedCents } from './units.js';

/**
 * 00:30 of a due date: what falls due is fixed and moves from non-due to due (servicing-behaviour 8).
 *
 *   row amount (at most what is left; the last row: all that is left)
 *   + origination fee share + fees that fall due with it   = obligation
 *   - paid in advance                                       = remaining, which moves:
 *       fees, then interest (whole cents), then principal for the rest
 */
export function fallDue(state: LedgerState): void {
  const row = must(state.rows[state.nextRow], 'a due date has a row');
  const before = beginEntry(state);
  const unrounded = state.nonDueInterest;
  roundInterest(state);
  const obligation = fixObligation(state, row, unrounded);
  state.nextRow += 1;
  beginPeriod(state);
  enter(state, before, 'movedToDue');
  if (obligation !== null) obligationChanged(state, obligation);
}

/** Interest becomes whole cents, halves up; the difference is forgone, whichever way it falls (servicing-behaviour 4.6). */
export function roundInterest(state: LedgerState): void {
  const rounded = exact(roundedCents(state.nonDueInterest));
  state.totals.forgoneRounding += state.nonDueInterest - rounded;
  state.nonDueInterest = rounded;
}

/** The counters of a period start again. */
function beginPeriod(state: LedgerState): void {
  state.periodStart = state.day;
  state.unassignedCents = 0;
  state.totals.interestAccruedBeforePeriod = state.totals.interestAccrued;
  state.totals.interestDiscountBeforePeriod = state.totals.interestDiscount;
}

/** What a row asks for, before what was paid in advance is taken off. */
interface Demand {
  readonly baseCents: number;
  readonly originationCents: number;
  readonly prepaidCents: number;
  readonly interestCents: number;
}

function demandOf(state: LedgerState, row: DueRow): Demand {
  const isLast = state.nextRow === state.rows.length - 1;
  const interestCents = roundedCents(state.nonDueInterest);
  const leftCents = state.nonDuePrincipalCents + interestCents;
  const originationCents = isLast
    ? state.nonDueOriginationFeeCents
    : Math.min(shareOfRow(state), state.nonDueOriginationFeeCents);
  const contractualCents = Math.min(row.amountCents, leftCents + state.prepaidCents);
  const baseCents = capped(state, row, isLast ? Math.max(leftCents, contractualCents) : contractualCents);
  const prepaidCents = isLast
    ? Math.min(state.prepaidCents, Math.max(0, baseCents - leftCents))
    : Math.min(state.prepaidCents, baseCents + originationCents);
  return { baseCents, originationCents, prepaidCents, interestCents };
}

/** A row that takes all that is left may have risen by a rate that nobody knew on its day (README 18). */
function capped(state: LedgerState, row: DueRow, baseCents: number): number {
  const through = state.ratesUnknownThrough;
  if (through === null || row.date > through) return baseCents;
  const cap = state.orders.caps.find((candidate) => candidate.obligation === state.nextRow);
  if (cap !== undefined) return Math.min(baseCents, cap.baseCents);
  const isLast = state.nextRow === state.rows.length - 1;
  if (isLast || baseCents < row.amountCents) state.isCapMissing = true;
  return baseCents;
}

/** The origination fee on top of the first row, or an equal part in each (loan-terms 12.6). */
function shareOfRow(state: LedgerState): number {
  return state.terms.originationFee.logic === 'firstPayment' ? state.nonDueOriginationFeeCents : state.originationShareCents;
}

function fixObligation(state: LedgerState, row: DueRow, unrounded: bigint): ObligationState | null {
  const demand = demandOf(state, row);
  const isLast = state.nextRow === state.rows.length - 1;
  const carried = state.openFeesCents === 0 ? [] : state.fees.filter((fee) => fallsDueWith(fee, state, isLast));
  // A separate origination fee has been due by itself since activation.
  const separateCents = state.obligations.length === 0 ? state.dueOriginationFeeCents : 0;
  const carriedCents = carried.reduce((total, fee) => total + fee.openCents, separateCents);
  const lateFeesCents = carried.reduce((total, fee) => (fee.kind === 'lateFee' ? total + fee.openCents : total), 0);
  const amountCents = demand.baseCents + demand.originationCents + carriedCents;
  if (amountCents === 0) return null;
  const parts = moveToDue(state, demand);
  const remainingCents = amountCents - demand.prepaidCents;
  const isFulfilled = remainingCents <= settingsOf(state).overdueToleranceCents;
  const obligation: ObligationState = {
    ordinal: state.nextRow,
    dueDay: row.date,
    amountCents,
    principalCents: amountCents - carriedCents - parts.originationCents - parts.interestCents,
    interestCents: parts.interestCents,
    feesCents: parts.originationCents + carriedCents,
    unroundedInterest: parts.interestCents === demand.interestCents ? unrounded : exact(parts.interestCents),
    unroundedDiscount: state.totals.interestDiscount - state.totals.interestDiscountBeforePeriod,
    remainingCents,
    paymentsCents: 0,
    creditsCents: 0,
    prepaidCents: demand.prepaidCents,
    capitalizedCents: 0,
    unassignedCents: state.unassignedCents,
    withoutLateFeesCents: remainingCents - lateFeesCents,
    pausedDays: 0,
    isFulfilled,
    isEnforced: false,
    isLateFeeBlocked: false,
  };
  for (const fee of carried) carryFee(fee, obligation);
  addObligation(state, obligation);
  return obligation;
}

interface MovedParts {
  readonly originationCents: number;
  readonly interestCents: number;
}

/** Moves what is not paid in advance: fees first, then interest, principal for the rest and never negative. */
function moveToDue(state: LedgerState, demand: Demand): MovedParts {
  let leftCents = demand.baseCents + demand.originationCents - demand.prepaidCents;
  const originationCents = Math.min(demand.originationCents, leftCents);
  leftCents -= originationCents;
  const interestCents = Math.min(demand.interestCents, leftCents);
  leftCents -= interestCents;
  state.prepaidCents -= demand.prepaidCents;
  state.nonDueOriginationFeeCents -= originationCents;
  state.dueOriginationFeeCents += originationCents;
  state.nonDueInterest -= exact(interestCents);
  state.dueInterestCents += interestCents;
  state.nonDuePrincipalCents -= leftCents;
  state.duePrincipalCents += leftCents;
  return { originationCents, interestCents };
}

/**
 * Interest that late payers owe accrues after the last due date too. Once everything that fell due is paid, what is
 * left falls due on the next date of the rule, so that a loan does not end with a rest that nobody asks for.
 */
export function addClosingRow(state: LedgerState): void {
  if (state.nextRow < state.rows.length || state.status !== 'active') return;
  if (state.firstOpenObligation < state.obligations.length) return;
  const last = state.rows.at(-1);
  const from = addDays(last !== undefined && last.date > state.day ? last.date : state.day, 1);
  const zero = 0 as Cents;
  const row: DueRow = {
    date: dueDateOnOrAfter(state.terms.dueDateRule, from),
    amountCents: zero,
    principalCents: zero,
    interestCents: zero,
    isForced: false,
  };
  state.rows = [...state.rows, row];
}

/** The first row that is still to come: due dates that passed while the loan was frozen or paid off are let go. */
export function firstRowAfter(state: LedgerState): number {
  let first = state.nextRow;
  for (let row = state.rows[first]; row !== undefined && row.date <= state.day; row = state.rows[first]) first += 1;
  return first;
}

/** Moves every row that has not fallen due by so many due dates; the last ones follow the rule. */
export function shiftRows(state: LedgerState, missed: number): void {
  const { rows, nextRow } = state;
  const lastDate = must(rows.at(-1), 'a schedule has rows').date;
  const further = furtherDates(state, lastDate, missed);
  const dates = [...rows.slice(nextRow).map((row) => row.date), ...further];
  state.rows = rows.map((row, position) =>
    position < nextRow ? row : { ...row, date: must(dates[position - nextRow + missed], 'a date for each row') },
  );
}

function furtherDates(state: LedgerState, last: DueRow['date'], count: number): readonly DueRow['date'][] {
  const rule = state.terms.dueDateRule;
  if (rule.type !== 'singleTerm') return dueDates(rule, last, count + 1).slice(1);
  return dueDates({ type: 'monthly', day: rule.day }, last, count + 1).slice(1);
}
