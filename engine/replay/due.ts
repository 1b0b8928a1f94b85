import { NOTHING_PREPAID, type Prepaid, prepaidRow } from '../amortization/index.js';
import { must } from '../assert.js';
import { addDays, type Day, type DueDateRule, dueDateOnOrAfter, dueDates } from '../calendar/index.js';
import { type Cents, ZERO } from '../money/index.js';
import { beginEntry, enter } from './entering.js';
import { carryFee, fallsDueWith } from './fees.js';
import { interestFallingDue } from './fraction.js';
import { addObligation, obligationChanged } from './fulfil.js';
import { capOf } from './caps.js';
import { owedCents } from './owed.js';
import { instalmentFallsDue } from './kept/fall-due.js';
import { settingsOf } from './settings.js';
import type { FeeState, LedgerState, ObligationState, OpenRow } from './state.js';
import { centsOfInterest, type Interest, minus, minusCents, NO_INTEREST } from './interest.js';

/**
 * 00:30 of a due date: what falls due is fixed and moves from non-due to due (servicing-behaviour 8).
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
  const unrounded = state.nonDueInterest;
  const interestCents = interestFallingDue(state);
  const obligation = fixObligation(state, row, { unrounded, cents: interestCents });
  state.nextRow += 1;
  beginPeriod(state);
  enter(state, before, 'movedToDue');
  if (obligation !== null) obligationChanged(state, obligation);
}

/** Nothing falls due, neither fees nor interest: they wait for the next row, and no cent of them is rounded. */
function passDeferred(state: LedgerState): void {
  state.nextRow += 1;
  beginPeriod(state);
}

/** The interest that may fall due: as it had accrued, and in the cents that it was rounded to. */
interface DueInterest {
  readonly unrounded: Interest;
  readonly cents: number;
}

/** The counters of a period start again. */
export function beginPeriod(state: LedgerState): void {
  state.periodStart = state.day;
  state.unassignedCents = 0;
  state.totals.interestAccruedBeforePeriod = state.totals.interestAccrued;
  state.totals.interestDiscountBeforePeriod = state.totals.interestDiscount;
}

/** What a row asks for, and what of it was paid in advance. */
interface Demand {
  readonly baseCents: number;
  readonly originationCents: number;
  readonly prepaidCents: number;
  readonly interestCents: number;
}

function demandOf(state: LedgerState, row: OpenRow, interestCents: number): Demand {
  const isAtEnd = isLastRow(state);
  const isLast = isAtEnd && (row.isClosing === true || state.terms.isLastAsScheduled !== true);
  const leftCents = state.nonDuePrincipalCents + interestCents;
  const contractualCents = Math.min(askedCents(state, row, interestCents), leftCents + state.prepaidCents);
  const baseCents = capped(state, row, isLast ? Math.max(leftCents, contractualCents) : contractualCents, leftCents);
  if (isLast) return lastDemand(state, baseCents, interestCents);
  const prepaid = prepaidOf(state);
  const { shareCents: originationCents, prepaidCents } = prepaidRow(isAtEnd ? withAllShares(prepaid) : prepaid, baseCents as Cents, leftCents as Cents);
  return { baseCents, originationCents, prepaidCents, interestCents };
}

const isLastRow = ({ rows, nextRow }: LedgerState): boolean => nextRow === rows.length - 1;

const withAllShares = (prepaid: Prepaid): Prepaid => ({ ...prepaid, feeShareCents: prepaid.feeAskedCents });

/** The last row takes all that is left; what it asks for above that was paid in advance. */
function lastDemand(state: LedgerState, baseCents: number, interestCents: number): Demand {
  const { nonDueOriginationFeeCents, originationAskedCents } = state;
  const paidBaseCents = Math.min(state.prepaidCents, Math.max(0, baseCents - state.nonDuePrincipalCents - interestCents));
  const paidFeeCents = Math.min(state.prepaidCents - paidBaseCents, Math.max(0, originationAskedCents - nonDueOriginationFeeCents));
  return { baseCents, originationCents: nonDueOriginationFeeCents + paidFeeCents, prepaidCents: paidBaseCents + paidFeeCents, interestCents };
}

/** What rows to come take from what was paid in advance. */
export function prepaidOf(state: LedgerState): Prepaid {
  const { prepaidCents, originationAskedCents, nonDueOriginationFeeCents } = state;
  if (prepaidCents === 0 && originationAskedCents === 0 && nonDueOriginationFeeCents === 0) return NOTHING_PREPAID;
  return {
    leftCents: prepaidCents as Cents,
    feeShareCents: feeShareCents(state) as Cents,
    feeAskedCents: originationAskedCents as Cents,
    feeOpenCents: nonDueOriginationFeeCents as Cents,
  };
}

/** A row of interest alone asks for what has accrued; who has paid ahead has paid for the amount that was told. */
const askedCents = (state: LedgerState, row: OpenRow, interestCents: number): number =>
  row.isInterestOnly === true && state.prepaidCents === 0 ? interestCents : row.amountCents;

/**
 * What a row of a time at which its rates were not known may ask for (README 18). The row's own amount has not risen;
 * but near the end of the loan, where less than a row was left before, only the ledger without those rates can tell.
 */
function capped(state: LedgerState, row: OpenRow, baseCents: number, leftCents: number): number {
  const unknown = state.unknownRates;
  if (unknown === null || row.date > unknown.through) return baseCents;
  const { caps } = state.orders;
  if (caps.length > 0) return Math.min(baseCents, capOf(caps, row.date) ?? baseCents);
  const oldCents = unknown.rowsBefore[state.nextRow]?.amountCents ?? 0;
  unknown.fellCents += Math.max(0, oldCents - row.amountCents);
  // Interest alone rises with whatever makes it dearer.
  if (row.isInterestOnly === true) state.isCapMissing = true;
  // What has accrued leaves less of a row to principal, and where it is capitalized it is principal once more.
  const isCapitalized = state.terms.settings.some(({ value }) => value.capitalization === 'afterDueDate');
  const accruedCents = (state.totals.interestAccrued.cents + 2 - unknown.interestBeforeCents) * (isCapitalized ? 2 : 1);
  // Each due date may have rounded interest up, so that a cent a row is allowed for.
  const addedCents = accruedCents + state.nextRow + 1;
  if (leftCents - baseCents < addedCents + unknown.fellCents) state.isCapMissing = true;
  return baseCents;
}

/** The origination fee on top of the first row, or an equal part in each (loan-terms 12.6). */
function feeShareCents({ terms, originationAskedCents, originationShareCents }: LedgerState): number {
  return terms.originationFee.logic === 'firstPayment' ? originationAskedCents : Math.min(originationShareCents, originationAskedCents);
}

const NO_FEES: readonly FeeState[] = [];

function fixObligation(state: LedgerState, row: OpenRow, interest: DueInterest): ObligationState | null {
  const demand = demandOf(state, row, interest.cents);
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
  const parts = moveToDue(state, demand);
  const remainingCents = amountCents - demand.prepaidCents;
  const isFulfilled = remainingCents <= settingsOf(state).overdueToleranceCents;
  const obligation: ObligationState = {
    ordinal: state.nextRow,
    dueDay: row.date,
    amountCents,
    baseCents: demand.baseCents,
    principalCents: amountCents - carriedCents - parts.originationCents - parts.interestCents,
    interestCents: parts.interestCents,
    feesCents: parts.originationCents + carriedCents,
    unroundedInterest: parts.interestCents === demand.interestCents ? interest.unrounded : centsOfInterest(parts.interestCents),
    unroundedDiscount: minus(state.totals.interestDiscount, state.totals.interestDiscountBeforePeriod),
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
  const originationCents = Math.min(demand.originationCents, leftCents, state.nonDueOriginationFeeCents);
  leftCents -= originationCents;
  const interestCents = Math.min(demand.interestCents, leftCents);
  leftCents -= interestCents;
  state.prepaidCents -= demand.prepaidCents;
  state.nonDueOriginationFeeCents -= originationCents;
  state.originationAskedCents = Math.max(0, state.originationAskedCents - demand.originationCents);
  state.dueOriginationFeeCents += originationCents;
  const isWhole = interestCents === demand.interestCents && state.nonDueInterest.parts === 0;
  state.nonDueInterest = isWhole ? NO_INTEREST : minusCents(state.nonDueInterest, interestCents);
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
  if (state.nextRow < state.rows.length || state.status !== 'active' || state.instalmentFacts !== null) return;
  if (state.firstOpenObligation < state.obligations.length || owedCents(state) === 0) return;
  const last = must(state.rows.at(-1), 'a schedule has rows').date;
  const from = addDays(Math.max(last, state.day, state.unknownRates?.through ?? last) as Day, 1);
  const date = dueDateOnOrAfter(state.dueDateRule, from);
  const row: OpenRow = { date, amountCents: ZERO, isForced: false, isClosing: true };
  state.rows = [...state.rows, row];
}

/** The first row that is still to come: due dates that passed while the loan was frozen or paid off are let go. */
export function firstRowAfter(state: LedgerState): number {
  let first = state.nextRow;
  for (let row = state.rows[first]; row !== undefined && row.date <= state.day; row = state.rows[first]) first += 1;
  return first;
}

/** Due dates that have passed without falling due are gone; the last of them has begun the running period. */
export function letPass(state: LedgerState): void {
  const next = firstRowAfter(state);
  const passed = state.rows[next - 1];
  if (next === state.nextRow || passed === undefined) return;
  state.nextRow = next;
  state.periodStart = passed.date;
}

/**
 * Moves every row that has not fallen due by the due dates that have passed, so that the next one lies ahead; the last
 * ones follow the rule.
 */
export function shiftRows(state: LedgerState): void {
  const { rows, nextRow } = state;
  const open = rows.slice(nextRow).map((row) => row.date);
  const last = must(rows.at(-1), 'a schedule has rows').date;
  const dates = [...open, ...followingDates(state, last, open.length)].filter((date) => date > state.day);
  state.rows = rows.map((row, position) =>
    position < nextRow ? row : { ...row, date: must(dates[position - nextRow], 'a date for each row') },
  );
}

/** The rule by which due dates go on where one payment was agreed on: month by month. */
export const endlessRule = (rule: DueDateRule): DueDateRule => (rule.type === 'singleTerm' ? { type: 'monthly', day: rule.day } : rule);

/** Due dates after the last one: `count` of them beyond the state's day. */
function followingDates(state: LedgerState, last: Day, count: number): readonly Day[] {
  const endless = endlessRule(state.dueDateRule);
  let passed = 1;
  for (let dates = dueDates(endless, last, passed + 1); must(dates[passed], 'a date') <= state.day; ) {
    passed += 1;
    dates = dueDates(endless, last, passed + 1);
  }
  return dueDates(endless, last, passed + count).slice(1);
}
