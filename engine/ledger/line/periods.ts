import { must } from '../../assert.js';
import { addDays, type Day, dayOf, dueDateOnOrAfter, type DueDateRule, dueDates } from '../../calendar/index.js';
import { beginStep, JOB_TIMES } from '../core/clock.js';
import type { LinePeriod, LineState } from './state.js';
import type { LineSchedule } from './terms.js';

/** The days of a period, except the first one. */
type PeriodDays = Pick<LinePeriod, 'statementDate' | 'dueDate'>;

/** The previous statement and due date. */
interface Before {
  readonly statement: Day;
  readonly due: Day;
}

/** The period that begins with the activation. Its statement is on a later day. */
export function firstPeriod(schedule: LineSchedule, activation: Day): LinePeriod {
  return periodOf(0, activation, daysAfter(schedule, { statement: activation, due: activation }));
}

/** The period that begins on the statement date of the previous one, by the schedule in force. */
export function periodAfter(schedule: LineSchedule, previous: LinePeriod): LinePeriod {
  const before: Before = { statement: previous.statementDate, due: previous.dueDate };
  return periodOf(previous.ordinal + 1, previous.statementDate, daysAfter(schedule, before));
}

const periodOf = (ordinal: number, startDate: Day, { statementDate, dueDate }: PeriodDays): LinePeriod => ({
  ordinal,
  startDate,
  endDate: addDays(statementDate, -1),
  statementDate,
  dueDate,
});

/**
 * The first statement and due date of the schedule in the right order: each statement after the previous due date, each due
 * date before the next statement.
 */
function daysAfter(schedule: LineSchedule, before: Before): PeriodDays {
  switch (schedule.type) {
    case 'fixedDueDate': {
      const rule = anchored(schedule.due, before.due);
      const gap = gapOf(rule, schedule.statementToDueDays);
      const dueDate = dueDateOnOrAfter(rule, addDays(later(before.due, before.statement), gap + 1));
      return { statementDate: addDays(dueDate, -gap), dueDate };
    }
    case 'fixedStatementDate': {
      const rule = anchored(schedule.statement, before.statement);
      const statementDate = statementAfter(rule, before);
      return { statementDate, dueDate: addDays(statementDate, gapOf(rule, schedule.statementToDueDays)) };
    }
    case 'fixedBoth': {
      const statementDate = statementAfter(schedule.statement, before);
      const dueDate = dueDateOnOrAfter(schedule.due, addDays(statementDate, 1));
      const next = dueDateOnOrAfter(schedule.statement, addDays(statementDate, 1));
      // If a short month brings both days together, the due date is one day before the next statement.
      return { statementDate, dueDate: dueDate < next ? dueDate : addDays(next, -1) };
    }
  }
}

const statementAfter = (rule: DueDateRule, { statement, due }: Before): Day => dueDateOnOrAfter(rule, addDays(later(statement, due), 1));

/** A two-week cycle without a start continues from the previous date; a single agreed date continues monthly. */
function anchored(rule: DueDateRule, before: Day): DueDateRule {
  if (rule.type === 'singleTerm') return { type: 'monthly', day: rule.day };
  return rule.type === 'everyTwoWeeks' && rule.cycleStart === null ? { ...rule, cycleStart: before } : rule;
}

/** The days from statement to due date, shorter in short periods, so that each due date is in the next period. */
const gapOf = (rule: DueDateRule, days: number): number => Math.min(days, shortestDays(rule) - 1);

function shortestDays(rule: DueDateRule): number {
  switch (rule.type) {
    case 'weekly':
      return 7;
    case 'everyTwoWeeks':
      return 14;
    case 'twiceMonthly': {
      const dates = dueDates(rule, dueDateOnOrAfter(rule, FEBRUARY), 4);
      return dates.reduce((least, date, position) => Math.min(least, date - (dates[position - 1] ?? Number.NEGATIVE_INFINITY)), 31);
    }
    case 'monthly':
    case 'singleTerm':
      return 28;
  }
}

/** 2023-02-01: the month in which the days of a pair come closest. */
const FEBRUARY = dayOf(2023, 2, 1);

const later = (a: Day, b: Day): Day => (a > b ? a : b);

export const runningPeriod = (state: LineState): LinePeriod => must(state.periods.at(-1), 'a line always has a running period');

/** 00:20 of a statement date: the period that has ended is closed and the next begins. */
export function rollPeriod(state: LineState): LinePeriod {
  const ended = runningPeriod(state);
  const next = periodAfter(state.schedule, ended);
  state.periods.push(next);
  beginStep(state, JOB_TIMES.periods);
  emitPeriod(state, next);
  return ended;
}

export function emitPeriod({ watcher, day, seconds }: LineState, { ordinal: period, startDate, endDate, dueDate }: LinePeriod): void {
  watcher?.happened({ type: 'periodStarted', day, seconds, period, startDate, endDate, dueDate });
}

/** Skips periods that passed while the line was paid off: they have no obligations. */
export function catchUpPeriods(state: LineState): void {
  while (runningPeriod(state).statementDate <= state.day) state.periods.push(periodAfter(state.schedule, runningPeriod(state)));
}
