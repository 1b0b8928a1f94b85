import { assert } from '../assert.js';
import { civil, type Day, dayOf, daysInMonth } from '../calendar/index.js';
import type { UnitPeriod } from './unit-period.js';

/** A span in unit periods: whole ones, which compound, and a fraction, which does not. */
export interface Timing {
  readonly whole: number;
  readonly part: number;
  /** The fraction is `part / parts`. */
  readonly parts: number;
}

const NOW: Timing = { whole: 0, part: 0, parts: 1 };

const DAYS_PER_YEAR = 365;

/** Day numbers above this lie in the second half of a month. */
const FIRST_HALF_DAYS = 15;

/**
 * How to count the unit periods from the zero point of a transaction to each of its dates. Whole ones are counted
 * backwards from the later date, so that the remainder stands in front (Appendix J (b)(5)).
 *
 * | Unit          | Remainder                                              |
 * |---------------|--------------------------------------------------------|
 * | month         | days / 30                                              |
 * | m months      | (30 x months + days) / (30 m): its fraction            |
 * | semimonth     | (30 x months + days) / 15: its fraction, one for the series |
 * | day, k weeks  | none, days / (7 k)                                     |
 * | year          | whole months / 12, else days / 365                     |
 * | single term   | none: the term is the unit                             |
 */
export function timings(unit: UnitPeriod, origin: Day, dates: readonly Day[]): readonly Timing[] {
  switch (unit.type) {
    case 'day':
      return dates.map((date) => ({ ...NOW, whole: date - origin }));
    case 'weeks':
      return dates.map((date) => split(date - origin, 7 * unit.count));
    case 'months': {
      const anchor = anchorDay(dates);
      return dates.map((date) => monthsTiming(origin, date, anchor, unit.count));
    }
    case 'semimonth':
      return semimonths(origin, dates);
    case 'year': {
      const anchor = anchorDay(dates);
      return dates.map((date) => yearTiming(origin, date, anchor));
    }
    case 'termInDays':
    case 'termInMonths':
      return dates.map((date) => (date === origin ? NOW : { ...NOW, whole: 1 }));
  }
}

function split(amount: number, parts: number): Timing {
  const whole = Math.floor(amount / parts);
  return { whole, part: amount - whole * parts, parts };
}

function monthsTiming(origin: Day, date: Day, anchor: number, count: number): Timing {
  const { months, days } = monthsBack(origin, date, anchor);
  return split(30 * months + days, 30 * count);
}

function yearTiming(origin: Day, date: Day, anchor: number): Timing {
  const { months, days } = monthsBack(origin, date, anchor);
  const whole = Math.floor(months / 12);
  if (days === 0) return { whole, part: months - 12 * whole, parts: 12 };
  return { whole, part: monthsEarlier(date, 12 * whole, anchor) - origin, parts: DAYS_PER_YEAR };
}

/** The series keeps the fraction of its first date; a date that is off its two days is counted for itself. */
function semimonths(origin: Day, dates: readonly Day[]): readonly Timing[] {
  const series = dates.filter((date) => date > origin);
  const halves = [series.filter(isFirstHalf), series.filter((date) => !isFirstHalf(date))].map(anchorDay);
  const isRegular = (date: Day): boolean => isAnchored(date, halves[isFirstHalf(date) ? 0 : 1] ?? 0);
  const first = series.find(isRegular);
  const start = first === undefined ? NOW : semimonthTiming(origin, first);
  return dates.map((date) => {
    if (date <= origin) return NOW;
    if (first === undefined || date < first || !isRegular(date)) return semimonthTiming(origin, date);
    return { ...start, whole: start.whole + halfMonthIndex(date) - halfMonthIndex(first) };
  });
}

function semimonthTiming(origin: Day, date: Day): Timing {
  const { months, days } = monthsBack(origin, date, 0);
  return split(30 * months + days, 15);
}

const isFirstHalf = (date: Day): boolean => civil(date).day <= FIRST_HALF_DAYS;

function halfMonthIndex(date: Day): number {
  const { year, month } = civil(date);
  return (year * 12 + month) * 2 + (isFirstHalf(date) ? 0 : 1);
}

/** The greatest number of whole months that fits between two dates, counted back from the later, and the days left. */
function monthsBack(origin: Day, date: Day, anchor: number): { readonly months: number; readonly days: number } {
  assert(date >= origin, 'unit periods are counted forward from the zero point');
  const from = civil(origin);
  const to = civil(date);
  let months = (to.year - from.year) * 12 + to.month - from.month;
  let back = monthsEarlier(date, months, anchor);
  if (back < origin) {
    months -= 1;
    back = monthsEarlier(date, months, anchor);
  }
  return { months, days: origin === back ? 0 : back - origin };
}

/** A date so many months earlier. The last day of a short month stands for the anchor day of its series. */
function monthsEarlier(date: Day, months: number, anchor: number): Day {
  if (months === 0) return date;
  const { year, month, day } = civil(date);
  const index = year * 12 + month - 1 - months;
  const targetYear = Math.floor(index / 12);
  const targetMonth = index - targetYear * 12 + 1;
  const wanted = anchor > day && day === daysInMonth(year, month) ? anchor : day;
  return dayOf(targetYear, targetMonth, Math.min(wanted, daysInMonth(targetYear, targetMonth)));
}

/** The day of the month that a series keeps, or 0 when its dates keep none. */
function anchorDay(dates: readonly Day[]): number {
  const anchor = Math.max(0, ...dates.map((date) => civil(date).day));
  return dates.every((date) => isAnchored(date, anchor)) ? anchor : 0;
}

function isAnchored(date: Day, anchor: number): boolean {
  const { year, month, day } = civil(date);
  return day === Math.min(anchor, daysInMonth(year, month));
}
