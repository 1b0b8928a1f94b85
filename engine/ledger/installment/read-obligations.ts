import { must } from '../../assert.js';
import { addDays, type Day, latest } from '../../calendar/index.js';
import { cents, ZERO } from '../../money/index.js';
import { type ComingFee, isFeeWaived, manualFee, NO_COMING_FEES } from '../core/fees.js';
import { roundedCents } from '../core/interest.js';
import { fixedView } from '../core/obligations.js';
import { type NextDue, overdueView } from '../core/overdue.js';
import { adoptSettings, settingsOf } from '../core/rules.js';
import { ACCELERATION_ORDINAL, type ObligationState } from '../core/state.js';
import type { ObligationView, OverdueView, PeriodView, ScheduleRowView } from '../core/views.js';
import { accrueTo } from './accrue.js';
import { copyFee, copyState, copyTotals } from './copies.js';
import { cloneState } from './digest.js';
import { cutFraction, isLastRow, moveRowToDue, owedCents } from './due.js';
import { addFee } from './fees.js';
import { comingInstallments } from './scheduled-interest/pay.js';
import { PaymentList } from './payment-list.js';
import { passDeferred } from './period.js';
import { isPlain, plainRow } from './plain-rows.js';
import { bookedSchedule, carriedFeesOf, emptyRow, fixedRow, type RowStatus } from './schedule-row.js';
import type { LedgerState, OpenRow } from './state.js';

/**
 * The schedule in force: rows that have fallen due, then the expected rows if everything is paid on time. The recurring amount
 * stays, the term becomes shorter or longer, and the last row takes the rest.
 */
export function scheduleOf(state: LedgerState, coming = NO_COMING_FEES): readonly ScheduleRowView[] {
  const rows = bookedSchedule(state);
  if (state.scheduledFacts !== null || !isOpen(state)) return [...rows, ...projectedRows(state, coming)];
  const projection = projectionOf(state, coming);
  while (isOwing(projection)) {
    const row = nextRowOf(projection, statusOfNext(projection, state));
    if (row !== null) rows.push(row);
  }
  return rows;
}

/**
 * Coming rows: the same computation as on their due dates, on a copy in which everything due is paid at once and each row on
 * its date. Each row is computed on demand. Fees of coming days are charged on their days.
 */
export function* projectedRows(state: LedgerState, coming = NO_COMING_FEES): Generator<ScheduleRowView, void> {
  if (!isOpen(state)) return;
  if (state.scheduledFacts !== null) {
    yield* comingInstallments(withFeesOfPeriod(state, coming));
    return;
  }
  const projection = projectionOf(state, coming);
  while (isOwing(projection)) {
    const row = nextRowOf(projection, statusOfNext(projection, state));
    if (row !== null) yield row;
  }
}

const isOpen = ({ status }: LedgerState): boolean => status === 'active' || status === 'frozen';

interface Projection {
  readonly copy: LedgerState;
  readonly isPlain: boolean;
  /** Those that the copy has not charged. */
  coming: readonly ComingFee[];
}

const isOwing = ({ copy }: Projection): boolean =>
  copy.nextRow < copy.rows.length && owedCents(copy) + roundedCents(copy.nonDueInterest) > 0;

const statusOfNext = ({ copy }: Projection, state: LedgerState): RowStatus => (copy.nextRow === state.nextRow ? 'booked' : 'projected');

/** Null: the next row has no amount. */
function nextRowOf(projection: Projection, status: RowStatus): ScheduleRowView | null {
  const { copy, isPlain: isPlainRow } = projection;
  const row = must(copy.rows[copy.nextRow], 'a row follows');
  if (isPlainRow) return plainRow(copy, row, status);
  projection.coming = chargeUntil(copy, row.date, projection.coming);
  const ordinal = copy.nextRow;
  accrueTo(copy, row.date);
  if (row.isDeferred === true) {
    passDeferred(copy);
    return emptyRow(copy, ordinal);
  }
  adoptSettings(copy);
  const obligation = moveRowToDue(copy, row);
  const fees = obligation === null ? [] : carriedFeesOf(copy, obligation, ({ openCents }) => openCents);
  payWhatIsDue(copy);
  return obligation === null ? null : fixedRow(copy, obligation, status, fees);
}

/** The copy from which coming rows are computed. The past of the loan is not needed. */
function projectionOf(state: LedgerState, coming: readonly ComingFee[]): Projection {
  const copy = copyState(state);
  copy.watcher = null;
  copy.status = 'active';
  copy.fees = state.openFeesCents === 0 ? [] : state.fees.map(copyFee);
  copy.obligations = [];
  copy.replaced = [];
  copy.firstOpenObligation = 0;
  copy.firstUnenforced = 0;
  copy.payments = new PaymentList();
  copy.unknownRates = state.unknownRates === null ? null : { ...state.unknownRates };
  copy.totals = copyTotals(state.totals);
  payWhatIsDue(copy);
  return { copy, isPlain: coming.length === 0 && isPlain(copy), coming };
}

/** A fee of the due date itself is charged behind what falls due then. Returns the fees of that day and later. */
function chargeUntil(copy: LedgerState, dueDay: Day, coming: readonly ComingFee[]): readonly ComingFee[] {
  for (const fee of coming) if (fee.effective.day < dueDay && !isFeeWaived(copy.orders, fee)) addFee(copy, manualFee(fee));
  return coming.filter(({ effective }) => effective.day >= dueDay);
}

/** Of a loan with scheduled interest: its row of the running period takes a fee on whatever day of the period it is charged. */
function withFeesOfPeriod(state: LedgerState, coming: readonly ComingFee[]): LedgerState {
  const row = state.rows[state.nextRow];
  if (coming.length === 0 || row === undefined) return state;
  const copy = cloneState(state);
  chargeUntil(copy, row.date, coming);
  return copy;
}

function payWhatIsDue(copy: LedgerState): void {
  copy.duePrincipalCents = 0;
  copy.overduePrincipalCents = 0;
  copy.dueInterestCents = 0;
  copy.overdueInterestCents = 0;
  cutFraction(copy);
  copy.dueOriginationFeeCents = 0;
  copy.overdueOriginationFeeCents = 0;
  for (const fee of copy.fees) {
    if (fee.dueStatus === 'nonDue' || (fee.dueStatus === 'due' && fee.carriedBy === null)) continue;
    copy.openFeesCents -= fee.openCents;
    fee.openCents = 0;
  }
}

/** The next amount that can be paid on time: unpaid and due today, or else the first row that money in advance does not cover. */
export function nextDueOf(state: LedgerState, coming = NO_COMING_FEES): NextDue | null {
  const due = dueToday(state);
  if (due !== undefined) return { day: due.dueDay, remainingCents: cents(due.remainingCents) };
  if (state.status !== 'active') return null;
  const row = state.rows[state.nextRow];
  if (row !== undefined && coming.length === 0 && isAsScheduled(state, row))
    return { day: row.date, remainingCents: cents(row.amountCents - state.prepaidCents) };
  for (const { date, amountCents, prepaidCents } of projectedRows(state, coming)) {
    if (amountCents > prepaidCents) return { day: date, remainingCents: cents(amountCents - prepaidCents) };
  }
  return null;
}

/** The day of `nextDueOf`. It projects only if the next row alone does not show it. */
export function nextDueDay(state: LedgerState): Day | null {
  const row = state.rows[state.nextRow];
  const isPlainRow = row !== undefined && row.amountCents > 0 && state.prepaidCents === 0 && state.nonDuePrincipalCents > 0;
  if (state.status === 'active' && isPlainRow && asksForPrincipal(row)) return dueToday(state)?.dueDay ?? row.date;
  return nextDueOf(state)?.day ?? null;
}

/** Other rows have only interest, which may be zero, or no amount. */
const asksForPrincipal = ({ isInterestOnly, isDeferred }: OpenRow): boolean => isInterestOnly !== true && isDeferred !== true;

/**
 * Whether the next row has exactly its scheduled amount, and more than the money in advance, as on nearly every loan. Then no row needs a
 * projection. A smaller principal would lower the amount, fees and the last row would raise it, and late rates may cap it.
 */
function isAsScheduled(state: LedgerState, row: OpenRow): boolean {
  if (state.scheduledFacts !== null || state.unknownRates !== null || state.openFeesCents > 0 || isLastRow(state)) return false;
  if (!asksForPrincipal(row) || state.originationAskedCents + state.nonDueOriginationFeeCents > 0) return false;
  return row.amountCents > state.prepaidCents && state.nonDuePrincipalCents >= row.amountCents;
}

function dueToday({ status, obligations, firstOpenObligation }: LedgerState): ObligationState | undefined {
  if (status !== 'active' && status !== 'accelerated') return undefined;
  for (let at = firstOpenObligation; at < obligations.length; at += 1) {
    const obligation = obligations[at];
    if (obligation !== undefined && !obligation.isFulfilled && !obligation.isEnforced) return obligation;
  }
  return undefined;
}

/** Obligations by due date: the fixed ones, then the open one of the running period. */
export function obligationsOf(state: LedgerState, coming = NO_COMING_FEES): readonly ObligationView[] {
  const views = state.obligations.map((obligation) => fixedObligation(state, obligation));
  const open = openObligation(state, coming);
  if (open !== null) views.push(open);
  return views;
}

function fixedObligation(state: LedgerState, obligation: ObligationState): ObligationView {
  return fixedView(obligation, obligation.ordinal === ACCELERATION_ORDINAL ? periodOf(state, obligation.dueDay) : obligation.ordinal);
}

/** The period whose due date is the first on or after a day. */
function periodOf(state: LedgerState, dueDay: Day): number {
  const found = state.rows.findIndex((row) => row.date >= dueDay);
  return found === -1 ? state.rows.length - 1 : found;
}

/** The expected obligation of the running period, as of today. */
function openObligation(state: LedgerState, coming: readonly ComingFee[]): ObligationView | null {
  const row = state.status === 'active' || state.status === 'frozen' ? state.rows[state.nextRow] : undefined;
  if (row === undefined || owedCents(state) === 0) return null;
  const [next] = projectedRows(state, coming);
  // Rows without an amount are not among them.
  if (next === undefined || next.ordinal !== state.nextRow || next.amountCents === 0) return null;
  const { amountCents, prepaidCents } = next;
  const remainingCents = amountCents - prepaidCents;
  return {
    ordinal: state.nextRow,
    period: state.nextRow,
    dueDay: row.date,
    obligationCents: amountCents,
    fulfilledCents: prepaidCents,
    remainingCents: cents(remainingCents),
    paymentsCents: ZERO,
    serviceCreditsCents: ZERO,
    overpaymentsCents: prepaidCents,
    capitalizedCents: ZERO,
    unassignedCents: cents(state.unassignedCents),
    isFulfilled: remainingCents === 0,
    isOverdue: false,
    isOpen: true,
    isLateFeeBlockedByPyramidingConfig: false,
  };
}

/** Periods of the schedule: each ends the day before its due date. */
export function periodsOf(state: LedgerState): readonly PeriodView[] {
  return state.rows.map((row, ordinal) => periodOfRow(state, ordinal, row.date));
}

const periodOfRow = (state: LedgerState, ordinal: number, dueDay: Day): PeriodView => ({
  ordinal,
  startDay: ordinal === 0 ? state.terms.activation : (state.rows[ordinal - 1]?.date ?? state.terms.activation),
  endDay: addDays(dueDay, -1),
  statementDay: statementDay(state, ordinal),
  dueDay,
  status: ordinal < state.nextRow ? 'closed' : ordinal === state.nextRow ? 'open' : 'future',
});

/** The due date, or a configured number of days before the end of the period; always after the first day of the period. */
function statementDay(state: LedgerState, ordinal: number): Day {
  const { date } = must(state.rows[ordinal], 'a row of the schedule');
  const offsetDays = settingsOf(state).statementOffsetDays ?? 0;
  if (offsetDays === 0) return date;
  const start = ordinal === 0 ? state.terms.activation : (state.rows[ordinal - 1]?.date ?? state.terms.activation);
  return latest(addDays(start, 1), addDays(date, -1 - offsetDays));
}

/** The period of the next statement; null if there is no coming due date. */
export function comingPeriod(state: LedgerState): PeriodView | null {
  const row = state.status === 'active' ? state.rows[state.nextRow] : undefined;
  return row === undefined || row.date <= state.day ? null : periodOfRow(state, state.nextRow, row.date);
}

/** The last due date that has passed; null before the first one. */
export function lastFallenDue(state: LedgerState): { readonly period: number; readonly dueDay: Day } | null {
  const last = state.obligations.findLast(({ ordinal }) => ordinal !== ACCELERATION_ORDINAL);
  return last === undefined ? null : { period: last.ordinal, dueDay: last.dueDay };
}

/** How far the loan is overdue, and what is due next. */
export const overdueOf = (state: LedgerState, coming = NO_COMING_FEES): OverdueView => overdueView(state, nextDueOf(state, coming));
