import {
  addDays,
  type Day,
  dueDateOnOrAfter,
  dueDates,
  type DueDateRule,
  endlessRule,
  type PaymentFrequency,
  shiftToBusinessDay,
} from '../../../engine/index.js';
import type { LoanTypeSettings } from '../../company/index.js';

/** Days of a period, to measure how far a first new due date may lie from the last kept one. */
const PERIOD_DAYS: Readonly<Record<PaymentFrequency, number>> = {
  weekly: 7,
  everyTwoWeeks: 14,
  twiceMonthly: 15,
  monthly: 30,
  singleTerm: 30,
};

type ScheduleSettings = LoanTypeSettings['schedule'];

export const onBusinessDays = (dates: readonly Day[], { nonBusinessDays }: ScheduleSettings): readonly Day[] =>
  dates.map((date) => shiftToBusinessDay(date, nonBusinessDays));

/** Dates of a rule after a last one. */
export const datesAfter = (rule: DueDateRule, last: Day, count: number): readonly Day[] =>
  dueDates(endlessRule(rule), last, count + 1).slice(1);

/**
 * The first due date of a new rule after the last one that is kept: the product's least distance away, at most one and a
 * half new periods, and of what lies between the nearest to a whole period. Null when the rule has none there.
 */
export function firstNewDate(rule: DueDateRule, lastKept: Day, { minDaysToFirstDueDate }: ScheduleSettings): Day | null {
  const period = PERIOD_DAYS[rule.type];
  let found: Day | null = null;
  for (let days = Math.max(1, minDaysToFirstDueDate); days <= Math.floor((period * 3) / 2); days += 1) {
    const date = addDays(lastKept, days);
    const isNearer = found === null || Math.abs(days - period) <= Math.abs(found - lastKept - period);
    if (isNearer && dueDateOnOrAfter(rule, date) === date) found = date;
  }
  return found;
}
