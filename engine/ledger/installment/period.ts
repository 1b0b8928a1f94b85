import { must } from '../../assert.js';
import { type Day, type DueDateRule, dueDates } from '../../calendar/index.js';
import type { LedgerState, OpenRow } from './state.js';

/** Passes a deferred row: fees and interest wait for the next row, without rounding. */
export function passDeferred(state: LedgerState): void {
  state.nextRow += 1;
  beginPeriod(state);
}

/** The counters of a period start again. */
export function beginPeriod(state: LedgerState): void {
  state.periodStart = state.day;
  state.unassignedCents = 0;
  state.totals.interestAccruedBeforePeriod = state.totals.interestAccrued;
  state.totals.interestDiscountBeforePeriod = state.totals.interestDiscount;
}

/** The first coming row. Due dates that passed while the loan was frozen or paid off are skipped. */
export function firstRowAfter(state: LedgerState): number {
  let first = state.nextRow;
  for (let row = state.rows[first]; row !== undefined && isPassed(state, row); row = state.rows[first]) first += 1;
  return first;
}

/** A row that a charge has added today stays open for further charges of today, even if it is paid. */
const isPassed = ({ day, scheduledFacts }: LedgerState, { date, isClosing }: OpenRow): boolean =>
  date < day || (date === day && (scheduledFacts === null || isClosing !== true));

/** Drops due dates that passed without falling due. The last of them began the running period. */
export function letPass(state: LedgerState): void {
  const next = firstRowAfter(state);
  const passed = state.rows[next - 1];
  if (next === state.nextRow || passed === undefined) return;
  state.nextRow = next;
  state.periodStart = passed.date;
}

/**
 * Moves every row that has not fallen due by the number of passed due dates, so that the next row is after today. The last
 * rows follow the rule.
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

/** The rule of further due dates after a single payment: monthly. */
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
