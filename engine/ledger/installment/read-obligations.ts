import { must } from '../../assert.js';
import { addDays, type Day } from '../../calendar/index.js';
import type { Cents } from '../../money/index.js';
import { type NextDue, nextDueOf } from './next-due.js';
import type { ObligationLedger } from '../core/obligation-ledger.js';
import { daysOverdueOf, oldestOverdue, overdueCents } from './overdue.js';
import { projectedRows } from './read-schedule.js';
import { settingsOf } from '../core/settings.js';
import { type LedgerState } from './state.js';
import { ACCELERATION_ORDINAL, type ObligationState } from '../core/state.js';
import { owedCents } from './owed.js';
import type { ObligationView, OverdueView, PeriodView } from '../core/views.js';

/** Obligations by due date: the fixed ones, then the open one of the running period. */
export function obligationsOf(state: LedgerState): readonly ObligationView[] {
  const views = state.obligations.map((obligation) => fixedObligation(state, obligation));
  const open = openObligation(state);
  if (open !== null) views.push(open);
  return views;
}

function fixedObligation(state: LedgerState, obligation: ObligationState): ObligationView {
  return fixedView(obligation, obligation.ordinal === ACCELERATION_ORDINAL ? periodOf(state, obligation.dueDay) : obligation.ordinal);
}

export function fixedView(obligation: ObligationState, period: number): ObligationView {
  return {
    ordinal: obligation.ordinal,
    period,
    dueDay: obligation.dueDay,
    obligationCents: obligation.amountCents as Cents,
    fulfilledCents: (obligation.amountCents - obligation.remainingCents) as Cents,
    remainingCents: obligation.remainingCents as Cents,
    paymentsCents: obligation.paymentsCents as Cents,
    serviceCreditsCents: obligation.creditsCents as Cents,
    overpaymentsCents: obligation.prepaidCents as Cents,
    capitalizedCents: obligation.capitalizedCents as Cents,
    unassignedCents: obligation.unassignedCents as Cents,
    isFulfilled: obligation.isFulfilled,
    isOverdue: obligation.isEnforced && !obligation.isFulfilled,
    isOpen: false,
    isLateFeeBlockedByPyramidingConfig: obligation.isLateFeeBlocked,
  };
}

/** The period whose due date is the first on or after a day. */
function periodOf(state: LedgerState, dueDay: Day): number {
  const found = state.rows.findIndex((row) => row.date >= dueDay);
  return found === -1 ? state.rows.length - 1 : found;
}

/** What the running period will ask for, as far as it is known today. */
function openObligation(state: LedgerState): ObligationView | null {
  const row = state.status === 'active' || state.status === 'frozen' ? state.rows[state.nextRow] : undefined;
  if (row === undefined || owedCents(state) === 0) return null;
  const [next] = projectedRows(state);
  // A row that asks for nothing is not among them.
  if (next === undefined || next.ordinal !== state.nextRow || next.amountCents === 0) return null;
  const { amountCents, prepaidCents } = next;
  const remainingCents = amountCents - prepaidCents;
  return {
    ordinal: state.nextRow,
    period: state.nextRow,
    dueDay: row.date,
    obligationCents: amountCents,
    fulfilledCents: prepaidCents,
    remainingCents: remainingCents as Cents,
    paymentsCents: 0 as Cents,
    serviceCreditsCents: 0 as Cents,
    overpaymentsCents: prepaidCents,
    capitalizedCents: 0 as Cents,
    unassignedCents: state.unassignedCents as Cents,
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

/** On the due date, or a configured number of days before the end of the period; never on the period's first day or before it. */
function statementDay(state: LedgerState, ordinal: number): Day {
  const { date } = must(state.rows[ordinal], 'a row of the schedule');
  const offsetDays = settingsOf(state).statementOffsetDays ?? 0;
  if (offsetDays === 0) return date;
  const start = ordinal === 0 ? state.terms.activation : (state.rows[ordinal - 1]?.date ?? state.terms.activation);
  return Math.max(addDays(start, 1), addDays(date, -1 - offsetDays)) as Day;
}

/** The period whose statement comes next: null when no due date is to come. */
export function comingPeriod(state: LedgerState): PeriodView | null {
  const row = state.status === 'active' ? state.rows[state.nextRow] : undefined;
  return row === undefined || row.date <= state.day ? null : periodOfRow(state, state.nextRow, row.date);
}

/** The due date that came last; null before the first one. */
export function lastFallenDue(state: LedgerState): { readonly period: number; readonly dueDay: Day } | null {
  const last = state.obligations.findLast(({ ordinal }) => ordinal !== ACCELERATION_ORDINAL);
  return last === undefined ? null : { period: last.ordinal, dueDay: last.dueDay };
}

/** How far behind the loan is, and what comes next. */
export const overdueOf = (state: LedgerState): OverdueView => overdueView(state, nextDueOf(state));

export function overdueView(state: ObligationLedger, next: NextDue | null): OverdueView {
  const oldest = oldestOverdue(state);
  return {
    isOverdue: oldest !== undefined,
    daysOverdue: oldest === undefined ? 0 : daysOverdueOf(state, oldest),
    overdueCents: overdueCents(state) as Cents,
    overdueSince: oldest?.dueDay ?? null,
    oldestObligation: oldest?.ordinal ?? null,
    nextDueDate: next?.day ?? null,
    nextDueCents: next?.remainingCents ?? null,
  };
}
