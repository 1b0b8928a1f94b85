import { type Day, formatDay, parseDay, weekday, civil } from './day.js';

/** How often a payment falls due. */
export type PaymentFrequency = 'weekly' | 'everyTwoWeeks' | 'twiceMonthly' | 'monthly' | 'singleTerm';

export const PAYMENT_FREQUENCIES: readonly PaymentFrequency[] = ['weekly', 'everyTwoWeeks', 'twiceMonthly', 'monthly', 'singleTerm'];

/**
 * A frequency together with its days. Weekdays are 1 (Monday) to 7 (Sunday); days of the month are 1 to 31,
 * where a shorter month uses its last day and 31 is therefore always the last.
 */
export type DueDateRule =
  | { readonly type: 'weekly'; readonly weekday: number }
  | { readonly type: 'everyTwoWeeks'; readonly weekday: number; readonly cycleStart: Day | null }
  | { readonly type: 'twiceMonthly'; readonly days: readonly [number, number] }
  | { readonly type: 'monthly'; readonly day: number }
  | { readonly type: 'singleTerm'; readonly day: number };

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** Half a month: the second day of a pair that is derived from one. */
const HALF_MONTH_DAYS = 15;

/**
 * Reads `specificDays` of a request: integers, digits in strings and English day names in any case.
 * Undefined when the days do not fit the frequency. Without days they follow from the activation date.
 */
export function parseDueDateRule(
  frequency: PaymentFrequency,
  specificDays: readonly (string | number)[] | null | undefined,
  activation: Day,
): DueDateRule | undefined {
  if (specificDays === null || specificDays === undefined || specificDays.length === 0) return dueDateRuleOf(frequency, activation);
  const [first, second, ...rest] = specificDays;
  if (rest.length > 0 || first === undefined) return undefined;
  switch (frequency) {
    case 'weekly': {
      const parsed = second === undefined ? parseWeekday(first) : undefined;
      return parsed === undefined ? undefined : { type: 'weekly', weekday: parsed };
    }
    case 'everyTwoWeeks': {
      const parsed = parseWeekday(first);
      const cycleStart = second === undefined ? null : parseDay(String(second));
      return parsed === undefined || cycleStart === undefined ? undefined : { type: 'everyTwoWeeks', weekday: parsed, cycleStart };
    }
    case 'twiceMonthly': {
      const a = parseDayOfMonth(first);
      const b = second === undefined ? undefined : parseDayOfMonth(second);
      if (a === undefined || b === undefined || a === b) return undefined;
      return { type: 'twiceMonthly', days: a < b ? [a, b] : [b, a] };
    }
    case 'monthly':
    case 'singleTerm': {
      const parsed = second === undefined ? parseDayOfMonth(first) : undefined;
      return parsed === undefined ? undefined : { type: frequency, day: parsed };
    }
  }
}

/** The rule of a loan that names no days: the activation's own weekday or day of the month. */
export function dueDateRuleOf(frequency: PaymentFrequency, activation: Day): DueDateRule {
  const { day } = civil(activation);
  switch (frequency) {
    case 'weekly':
      return { type: 'weekly', weekday: weekday(activation) };
    case 'everyTwoWeeks':
      return { type: 'everyTwoWeeks', weekday: weekday(activation), cycleStart: null };
    case 'twiceMonthly': {
      const other = day <= HALF_MONTH_DAYS ? day + HALF_MONTH_DAYS : day - HALF_MONTH_DAYS;
      return { type: 'twiceMonthly', days: [Math.min(day, other), Math.max(day, other)] };
    }
    case 'monthly':
    case 'singleTerm':
      return { type: frequency, day };
  }
}

/** `specificDays` as they are answered: strings, whatever form they were sent in. */
export function formatSpecificDays(rule: DueDateRule): readonly string[] {
  switch (rule.type) {
    case 'weekly':
      return [String(rule.weekday)];
    case 'everyTwoWeeks':
      return rule.cycleStart === null ? [String(rule.weekday)] : [String(rule.weekday), formatDay(rule.cycleStart)];
    case 'twiceMonthly':
      return rule.days.map(String);
    case 'monthly':
    case 'singleTerm':
      return [String(rule.day)];
  }
}

function parseWeekday(value: string | number): number | undefined {
  const named = WEEKDAYS.indexOf(String(value).toLowerCase());
  return named >= 0 ? named + 1 : parseInteger(value, 7);
}

const parseDayOfMonth = (value: string | number): number | undefined => parseInteger(value, 31);

function parseInteger(value: string | number, greatest: number): number | undefined {
  const text = String(value);
  if (!/^[1-9]\d?$/.test(text)) return undefined;
  const parsed = Number(text);
  return parsed <= greatest ? parsed : undefined;
}
