import { NOTHING_PREPAID, type Prepaid, prepaidRow } from '../../amortization/index.js';
import { must } from '../../assert.js';
import { addDays, dueDateOnOrAfter, latest } from '../../calendar/index.js';
import { ZERO, cents } from '../../money/index.js';
import { owedInterestCents, owedPrincipalCents } from '../core/balances.js';
import { carryFee } from '../core/fees.js';
import { centsOfInterest, type Interest, minus, minusCents, NO_INTEREST, plus, roundedBy } from '../core/interest.js';
import { addObligation, obligationChanged } from '../core/obligations.js';
import { settingsOf } from '../core/rules.js';
import type { FeeState, ObligationState } from '../core/state.js';
import { accrueTo } from './accrue.js';
import { capOf } from './caps.js';
import { copyState, copyTotals } from './copies.js';
import { beginEntry, enter } from './entering.js';
import { fallsDueWith } from './fees.js';
import { scheduledFallsDue } from './scheduled-interest/change-schedule.js';
import { beginPeriod, passDeferred } from './period.js';
import type { LedgerState, OpenRow } from './state.js';

/**
 * 00:30 of a due date: the obligation is fixed, and its balances move from non-due to due.
 *
 *   row amount (at most what is left; the last row: all that is left)
 *   + origination fee share + fees that fall due with it   = obligation
 *   - paid in advance                                       = remaining, which moves:
 *       fees, then interest (whole cents), then principal for the rest
 */
export function fallDue(state: LedgerState): void {
  if (state.scheduledFacts !== null) {
    scheduledFallsDue(state);
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

/** Moves the balances of a row to due and begins the next period. Returns the obligation; null if its amount is zero. */
export function moveRowToDue(state: LedgerState, row: OpenRow): ObligationState | null {
  const unrounded = state.nonDueInterest;
  const obligation = fixedObligation(state, row, unrounded, interestFallingDue(state));
  state.nextRow += 1;
  beginPeriod(state);
  return obligation;
}

/** `unrounded` is the accrued interest, `interestCents` its rounded cents. */
function fixedObligation(state: LedgerState, row: OpenRow, unrounded: Interest, interestCents: number): ObligationState | null {
  const demand = demandOf(state, row, interestCents);
  const carried = state.openFeesCents === 0 ? NO_FEES : state.fees.filter((fee) => fallsDueWith(fee, state, isLastRow(state)));
  // A separate origination fee is due by itself since activation.
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

const NO_FEES: readonly FeeState[] = [];

/** Rounds interest to whole cents by the loan's rounding; the difference, of either sign, is forgone. */
export function roundInterest(state: LedgerState): number {
  const { nonDueInterest } = state;
  if (nonDueInterest.parts === 0) return nonDueInterest.cents;
  const roundedCents = roundedBy(nonDueInterest, state.terms.rounding.interest);
  forgo(state, roundedCents);
  return roundedCents;
}

/** The whole cents of interest that fall due. If the loan keeps fractions, the fraction waits. */
const interestFallingDue = (state: LedgerState): number =>
  state.terms.isFractionKept === true ? state.nonDueInterest.cents : roundInterest(state);

/** Drops a kept fraction once no whole cent of interest is owed. */
export function cutFraction(state: LedgerState): void {
  if (state.terms.isFractionKept !== true || state.nonDueInterest.parts === 0) return;
  if (state.nonDueInterest.cents + state.dueInterestCents + state.overdueInterestCents === 0) forgo(state, 0);
}

function forgo(state: LedgerState, leftCents: number): void {
  state.totals.forgoneRounding = plus(state.totals.forgoneRounding, minusCents(state.nonDueInterest, leftCents));
  state.nonDueInterest = leftCents === 0 ? NO_INTEREST : centsOfInterest(leftCents);
}

/** What falls due with a row, without fees. */
export interface Demand {
  /** Principal and interest, before the deduction of money paid in advance. */
  readonly baseCents: number;
  readonly originationCents: number;
  readonly prepaidCents: number;
  /** What moves from non-due to due and is not paid in advance: fees first, then interest, then principal, never negative. */
  readonly movedOriginationCents: number;
  readonly movedInterestCents: number;
  readonly movedPrincipalCents: number;
}

/** `interestCents`: the accrued interest that may fall due. */
export function demandOf(state: LedgerState, row: OpenRow, interestCents: number): Demand {
  const isAtEnd = isLastRow(state);
  const isLast = isAtEnd && (row.isClosing === true || state.terms.isLastAsScheduled !== true);
  const leftCents = state.nonDuePrincipalCents + interestCents;
  const contractualCents = Math.min(askedCents(state, row, interestCents), leftCents + state.prepaidCents);
  const baseCents = capped(state, row, isLast ? Math.max(leftCents, contractualCents) : contractualCents, leftCents);
  if (isLast) return lastDemand(state, baseCents, interestCents);
  const prepaid = prepaidOf(state);
  if (prepaid === NOTHING_PREPAID) return demandAlone(baseCents, interestCents);
  const { shareCents, prepaidCents } = prepaidRow(isAtEnd ? withAllShares(prepaid) : prepaid, cents(baseCents), cents(leftCents));
  return splitDemand(state, { baseCents, originationCents: shareCents, prepaidCents }, interestCents);
}

export const isLastRow = ({ rows, nextRow }: LedgerState): boolean => nextRow === rows.length - 1;

const withAllShares = (prepaid: Prepaid): Prepaid => ({ ...prepaid, feeShareCents: prepaid.feeAskedCents });

/** The last row takes the whole remaining balance; its amount above that was paid in advance. */
function lastDemand(state: LedgerState, baseCents: number, interestCents: number): Demand {
  const { nonDueOriginationFeeCents, originationAskedCents } = state;
  const paidBaseCents = Math.min(state.prepaidCents, Math.max(0, baseCents - state.nonDuePrincipalCents - interestCents));
  const paidFeeCents = Math.min(state.prepaidCents - paidBaseCents, Math.max(0, originationAskedCents - nonDueOriginationFeeCents));
  const asked: Asked = {
    baseCents,
    originationCents: nonDueOriginationFeeCents + paidFeeCents,
    prepaidCents: paidBaseCents + paidFeeCents,
  };
  return splitDemand(state, asked, interestCents);
}

/** As on nearly every loan: without origination fee and money in advance. */
function demandAlone(baseCents: number, interestCents: number): Demand {
  const movedInterestCents = Math.min(interestCents, baseCents);
  const movedPrincipalCents = baseCents - movedInterestCents;
  return { baseCents, originationCents: 0, prepaidCents: 0, movedOriginationCents: 0, movedInterestCents, movedPrincipalCents };
}

type Asked = Pick<Demand, 'baseCents' | 'originationCents' | 'prepaidCents'>;

function splitDemand(state: LedgerState, { baseCents, originationCents, prepaidCents }: Asked, interestCents: number): Demand {
  const dueCents = baseCents + originationCents - prepaidCents;
  const movedOriginationCents = Math.min(originationCents, dueCents, state.nonDueOriginationFeeCents);
  const movedInterestCents = Math.min(interestCents, dueCents - movedOriginationCents);
  const movedPrincipalCents = dueCents - movedOriginationCents - movedInterestCents;
  return { baseCents, originationCents, prepaidCents, movedOriginationCents, movedInterestCents, movedPrincipalCents };
}

/** Money paid in advance, as coming rows take it. */
export function prepaidOf(state: LedgerState): Prepaid {
  const { prepaidCents, originationAskedCents, nonDueOriginationFeeCents } = state;
  if (prepaidCents === 0 && originationAskedCents === 0 && nonDueOriginationFeeCents === 0) return NOTHING_PREPAID;
  return {
    leftCents: cents(prepaidCents),
    feeShareCents: cents(feeShareCents(state)),
    feeAskedCents: cents(originationAskedCents),
    feeOpenCents: cents(nonDueOriginationFeeCents),
  };
}

/** Removes from the non-due balances what a row has moved. The caller adds it to the due balances. */
export function leaveNonDue(state: LedgerState, demand: Demand): void {
  state.prepaidCents -= demand.prepaidCents;
  state.nonDueOriginationFeeCents -= demand.movedOriginationCents;
  state.originationAskedCents = Math.max(0, state.originationAskedCents - demand.originationCents);
  state.nonDuePrincipalCents -= demand.movedPrincipalCents;
  state.nonDueInterest = restOf(state.nonDueInterest, demand.movedInterestCents);
}

const restOf = (interest: Interest, movedCents: number): Interest =>
  interest.cents === movedCents && interest.parts === 0 ? NO_INTEREST : minusCents(interest, movedCents);

/** An interest-only row has the accrued interest, or its expected amount if that was paid in advance. */
const askedCents = (state: LedgerState, row: OpenRow, interestCents: number): number =>
  row.isInterestOnly === true && state.prepaidCents === 0 ? interestCents : row.amountCents;

/**
 * The most that a row may have if it fell due before its rates were recorded. The row's own amount has not risen. But near
 * the end of the loan, if the balance was below one row, only the ledger without those rates shows the bound.
 */
function capped(state: LedgerState, row: OpenRow, baseCents: number, leftCents: number): number {
  const unknown = state.unknownRates;
  if (unknown === null || row.date > unknown.through) return baseCents;
  const { caps } = state.orders;
  if (caps.length > 0) return Math.min(baseCents, capOf(caps, row.date) ?? baseCents);
  const oldCents = unknown.rowsBefore[state.nextRow]?.amountCents ?? 0;
  unknown.fellCents += Math.max(0, oldCents - row.amountCents);
  // An interest-only row rises with every higher rate.
  if (row.isInterestOnly === true) state.isCapMissing = true;
  // Accrued interest leaves less of a row for principal; if it is capitalized, it becomes principal itself.
  const accruedCents = state.totals.interestAccrued.cents + 2 - unknown.interestBeforeCents;
  // Each due date may have rounded interest up, so one cent for each row is added.
  const spareCents = leftCents - baseCents - unknown.fellCents - state.nextRow - 1;
  if (spareCents < accruedCents || (spareCents < accruedCents * 2 && isCapitalized(state))) state.isCapMissing = true;
  return baseCents;
}

function isCapitalized({ terms }: LedgerState): boolean {
  for (const { value } of terms.settings) if (value.capitalization === 'afterDueDate') return true;
  return false;
}

/** The origination fee in addition to the first row, or an equal part in each. */
function feeShareCents({ terms, originationAskedCents, originationShareCents }: LedgerState): number {
  return terms.originationFee.logic === 'firstPayment' ? originationAskedCents : Math.min(originationShareCents, originationAskedCents);
}

/** Money in advance that went to late fees in the ending period counts only for the obligation of this period. */
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
 * Interest also accrues after the last due date if payments are late. Once everything that fell due is paid, the rest falls
 * due on the next date of the rule, so that a loan does not end with a balance that never falls due.
 */
export function addClosingRow(state: LedgerState): void {
  if (state.nextRow < state.rows.length || state.status !== 'active' || state.scheduledFacts !== null) return;
  if (state.firstOpenObligation < state.obligations.length || owedCents(state) === 0) return;
  const last = must(state.rows.at(-1), 'a schedule has rows').date;
  const from = addDays(latest(latest(last, state.day), state.unknownRates?.through ?? last), 1);
  const date = dueDateOnOrAfter(state.dueDateRule, from);
  const row: OpenRow = { date, amountCents: ZERO, isForced: false, isClosing: true };
  state.rows = [...state.rows, row];
}

/** The expected obligation of the open period, without fees that fall due with it: money in advance does not pay them later. */
export interface OpenDemand {
  /** An interest-only row; null: another row. */
  readonly interestRow: OpenRow | null;
  readonly expectedCents: OpenRow['amountCents'];
  /** With its share of the origination fee, before the deduction of money paid in advance. */
  readonly askedCents: number;
}

/** The next row with an amount; null: none is left. Must be read before money is allocated. */
export function openDemandOf(state: LedgerState): OpenDemand | null {
  const row = openRow(state);
  if (row === undefined) return null;
  const isExpected = row.isInterestOnly === true && state.prepaidCents === 0;
  const expectedCents = isExpected ? expectedInterest(state, row) : row.amountCents;
  return { interestRow: isExpected ? row : null, expectedCents, askedCents: expectedCents + feeShareCents(state) };
}

function openRow({ rows, nextRow }: LedgerState): OpenRow | undefined {
  let at = nextRow;
  for (let row = rows[at]; row !== undefined && !asksForSomething(row); row = rows[at]) at += 1;
  return rows[at];
}

const asksForSomething = ({ isDeferred, isInterestOnly, amountCents }: OpenRow): boolean =>
  isDeferred !== true && (isInterestOnly === true || amountCents > 0);

/**
 * An interest-only row has the interest that has accrued by its day. A payment in advance pays its expected amount, which is
 * fixed from then on.
 */
export function fixInterestRow(state: LedgerState, { interestRow, expectedCents }: OpenDemand): void {
  if (interestRow === null || interestRow.amountCents === expectedCents) return;
  state.rows = state.rows.map((row) => (row === interestRow ? { ...row, amountCents: expectedCents } : row));
}

function expectedInterest(state: LedgerState, { date }: OpenRow): OpenRow['amountCents'] {
  const copy = copyState(state);
  copy.watcher = null;
  copy.totals = copyTotals(state.totals);
  accrueTo(copy, date);
  return cents(interestFallingDue(copy));
}

/** What the borrower owes in whole cents, including charged-off balances, without the fraction of interest, which cannot be paid. */
export const owedCents = (state: LedgerState): number => owedPrincipalCents(state) + owedInterestCents(state) + owedFeesCents(state);

/** All unpaid fees, charged off or not. */
export const owedFeesCents = (state: LedgerState): number =>
  state.nonDueOriginationFeeCents +
  state.dueOriginationFeeCents +
  state.overdueOriginationFeeCents +
  state.chargedOffOriginationFeeCents +
  state.openFeesCents;
