import { YEAR_UNITS } from '../money/index.js';
import { civil, type Day, dayOf, isLeapYear } from './day.js';

/**
 * The day counts of the contract: what a day is worth and by which year length the annual rate is divided.
 *
 * | Method         | A day counts                                             | Divisor              |
 * |----------------|----------------------------------------------------------|----------------------|
 * | daily365       | 1                                                        | 365                  |
 * | daily360       | 1                                                        | 360                  |
 * | actualActual   | 1                                                        | 366 in leap years, else 365 |
 * | monthly30360   | 1; day 31: 0; last day of February: 30 - day + 1         | 360                  |
 */
export type DayCountMethod = 'daily365' | 'daily360' | 'actualActual' | 'monthly30360';

export const DAY_COUNT_METHODS: readonly DayCountMethod[] = ['daily365', 'daily360', 'actualActual', 'monthly30360'];

const UNITS_OF_360 = YEAR_UNITS / 360;
const UNITS_OF_365 = YEAR_UNITS / 365;
const UNITS_OF_366 = YEAR_UNITS / 366;

/**
 * The day units of the nights in `[from, to)`, in parts of `YEAR_UNITS`: multiply by balance and rate for
 * the interest. Additive: `dayUnits(a, b) + dayUnits(b, c) = dayUnits(a, c)`, so periods may be cut anywhere.
 */
export function dayUnits(method: DayCountMethod, from: Day, to: Day): number {
  switch (method) {
    case 'daily365':
      return (to - from) * UNITS_OF_365;
    case 'daily360':
      return (to - from) * UNITS_OF_360;
    case 'actualActual':
      return (to - from) * UNITS_OF_365 - (leapYearDaysBefore(to) - leapYearDaysBefore(from)) * (UNITS_OF_365 - UNITS_OF_366);
    case 'monthly30360':
      return (days360Before(to) - days360Before(from)) * UNITS_OF_360;
  }
}

/** Days of `monthly30360` since year 0: each month is worth 30, whatever day of it carries the difference. */
function days360Before(value: Day): number {
  const { year, month, day } = civil(value);
  return 360 * year + 30 * (month - 1) + Math.min(day - 1, 30);
}

/** Days that lie in leap years, from year 1 up to the day before `value`. */
function leapYearDaysBefore(value: Day): number {
  const { year } = civil(value);
  const past = year - 1;
  const leapYears = Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
  return leapYears * 366 + (isLeapYear(year) ? value - dayOf(year, 1, 1) : 0);
}
