import { assert } from '../assert.js';
import { addDays, civil, type Day, dayOf, daysInMonth, weekday } from './day.js';
import type { DueDateRule } from './due-date-rule.js';

export interface FirstDueDateInput {
  readonly rule: DueDateRule;
  readonly activation: Day;
  /** Loan type: the first due date lies more than this many days after activation. */
  readonly minDaysToFirstDueDate: number;
  /** Loan: at least this many days between activation and the first due date. */
  readonly bufferToPushOutSchedule: number;
}

/** The first date of the rule that both limits allow. */
export function firstDueDate(input: FirstDueDateInput): Day {
  const days = Math.max(input.minDaysToFirstDueDate + 1, input.bufferToPushOutSchedule);
  return dueDateOnOrAfter(input.rule, addDays(input.activation, days));
}

/** The first date on or after `from` that fits the rule. A cycle without a start begins at that date. */
export function dueDateOnOrAfter(rule: DueDateRule, from: Day): Day {
  switch (rule.type) {
    case 'weekly':
      return weekdayOnOrAfter(rule.weekday, from);
    case 'everyTwoWeeks': {
      if (rule.cycleStart === null) return weekdayOnOrAfter(rule.weekday, from);
      const start = weekdayOnOrAfter(rule.weekday, rule.cycleStart);
      return addDays(start, Math.ceil((from - start) / 14) * 14);
    }
    case 'twiceMonthly': {
      const { year, month } = civil(from);
      const index = monthIndex(year, month);
      return firstFrom(from, [...pairOfMonth(index, rule.days), ...pairOfMonth(index + 1, rule.days)]);
    }
    case 'monthly':
    case 'singleTerm': {
      const { year, month } = civil(from);
      const index = monthIndex(year, month);
      return firstFrom(from, [dayOfMonthIndex(index, rule.day), dayOfMonthIndex(index + 1, rule.day)]);
    }
  }
}

/**
 * `count` due dates from the first one on. Months keep the anchor day and not the previous date: after
 * 28 February a rule of day 31 returns to 31 March. A first date that was moved off its rule stays, and
 * the dates after it follow the rule again.
 */
export function dueDates(rule: DueDateRule, first: Day, count: number): readonly Day[] {
  assert(Number.isSafeInteger(count) && count >= 0, `not a count of due dates: ${count}`);
  if (count === 0) return [];
  switch (rule.type) {
    case 'weekly':
      return stepDays(first, weekdayOnOrAfter(rule.weekday, addDays(first, 1)), 7, count);
    case 'everyTwoWeeks':
      return stepDays(first, secondOfCycle(rule.weekday, first), 14, count);
    case 'twiceMonthly':
      return stepHalfMonths(first, rule.days, count);
    case 'monthly':
      return stepMonths(first, rule.day, count);
    case 'singleTerm':
      return [first];
  }
}

/** The due dates up to and with `end`, at most `limit` of them. */
export function dueDatesUntil(rule: DueDateRule, first: Day, end: Day, limit: number): readonly Day[] {
  const days = Math.max(0, end - first + 1);
  return dueDates(rule, first, Math.min(days, limit)).filter((date) => date <= end);
}

function stepDays(first: Day, second: Day, days: number, count: number): readonly Day[] {
  const dates: Day[] = [first];
  for (let index = 1; index < count; index += 1) dates.push(addDays(second, (index - 1) * days));
  return dates;
}

function secondOfCycle(wanted: number, first: Day): Day {
  return weekday(first) === wanted ? addDays(first, 14) : weekdayOnOrAfter(wanted, addDays(first, 8));
}

function stepMonths(first: Day, anchor: number, count: number): readonly Day[] {
  const { year, month } = civil(first);
  const start = monthIndex(year, month);
  const dates: Day[] = [first];
  for (let index = 1; index < count; index += 1) dates.push(dayOfMonthIndex(start + index, anchor));
  return dates;
}

function stepHalfMonths(first: Day, days: readonly [number, number], count: number): readonly Day[] {
  const { year, month } = civil(first);
  const dates: Day[] = [first];
  for (let index = monthIndex(year, month); dates.length < count; index += 1) {
    for (const date of pairOfMonth(index, days)) {
      if (date > first && dates.length < count) dates.push(date);
    }
  }
  return dates;
}

const monthIndex = (year: number, month: number): number => year * 12 + month - 1;

/** The anchor day in a month, or the month's last day where it is shorter. */
function dayOfMonthIndex(index: number, anchor: number): Day {
  const year = Math.floor(index / 12);
  const month = index - year * 12 + 1;
  return dayOf(year, month, Math.min(anchor, daysInMonth(year, month)));
}

/** Two days of a month. No two periods may share a due date: where both fall on the last day, the first is a day earlier. */
function pairOfMonth(index: number, days: readonly [number, number]): readonly [Day, Day] {
  const second = dayOfMonthIndex(index, days[1]);
  const first = dayOfMonthIndex(index, days[0]);
  return [first < second ? first : addDays(second, -1), second];
}

const weekdayOnOrAfter = (wanted: number, from: Day): Day => addDays(from, (wanted - weekday(from) + 7) % 7);

function firstFrom(from: Day, dates: readonly Day[]): Day {
  const found = dates.find((date) => date >= from);
  assert(found !== undefined, 'a month after another one has a later due date');
  return found;
}
