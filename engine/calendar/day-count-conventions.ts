import { addDays, civil, type Day, dayOf, daysInMonth, isLeapYear } from './day.js';

/**
 * Published day count conventions, for figures of other sources. Loans accrue by a `DayCountMethod`.
 *
 * | Convention              | Days                                                            | Year          |
 * |-------------------------|-----------------------------------------------------------------|---------------|
 * | actual360, 364, 365     | actual                                                          | 360, 364, 365 |
 * | actualActualIsda        | actual, split at 1 January                                      | 365 or 366 a part |
 * | actualActualSpreadsheet | actual                                                          | see below     |
 * | thirty360Us             | start on 31 or on February's last day: 30; then an end on 31: 30 | 360          |
 * | thirty360Bond           | ISDA's Bond Basis: start on 31: 30; then an end on 31 after a start on 30: 30 | 360 |
 * | thirtyE360              | each 31: 30                                                     | 360           |
 *
 * The year of `actualActualSpreadsheet`: for periods up to one year, 366 days if a leap day lies inside, else 365; for longer periods, the
 * mean of all years touched.
 */
export type DayCountConvention =
  | 'actual360'
  | 'actual364'
  | 'actual365'
  | 'actualActualIsda'
  | 'actualActualSpreadsheet'
  | 'thirty360Us'
  | 'thirty360Bond'
  | 'thirtyE360';

/** An exact number of years. */
export interface YearFraction {
  readonly numerator: number;
  readonly denominator: number;
}

/** The days between two dates as the convention counts them; `from` is not after `to`. */
export function daysBetween(convention: DayCountConvention, from: Day, to: Day): number {
  switch (convention) {
    case 'thirty360Us':
      return thirty360(from, to, endOfUs(from, to));
    case 'thirty360Bond':
      return bondBasis(from, to);
    case 'thirtyE360':
      return days360(from, Math.min(30, civil(from).day), to, Math.min(30, civil(to).day));
    case 'actual360':
    case 'actual364':
    case 'actual365':
    case 'actualActualIsda':
    case 'actualActualSpreadsheet':
      return to - from;
  }
}

export function yearFraction(convention: DayCountConvention, from: Day, to: Day): YearFraction {
  const days = daysBetween(convention, from, to);
  switch (convention) {
    case 'actual365':
      return { numerator: days, denominator: 365 };
    case 'actual364':
      return { numerator: days, denominator: 364 };
    case 'actual360':
    case 'thirty360Us':
    case 'thirty360Bond':
    case 'thirtyE360':
      return { numerator: days, denominator: 360 };
    case 'actualActualIsda':
      return isda(from, to);
    case 'actualActualSpreadsheet':
      return spreadsheetBasis1(from, to);
  }
}

/** A start on the 31st or on February's last day counts as the 30th. */
function startOfUs(from: Day): number {
  const { day } = civil(from);
  return day === 31 || isLastOfFebruary(from) ? 30 : day;
}

function endOfUs(from: Day, to: Day): number {
  const { day } = civil(to);
  return day === 31 && startOfUs(from) >= 30 ? 30 : day;
}

const thirty360 = (from: Day, to: Day, endDay: number): number => days360(from, startOfUs(from), to, endDay);

/** February's end is left as it is (ISDA 2006 definitions, 4.16 f). */
function bondBasis(from: Day, to: Day): number {
  const startDay = Math.min(30, civil(from).day);
  const { day } = civil(to);
  return days360(from, startDay, to, day === 31 && startDay === 30 ? 30 : day);
}

function days360(from: Day, startDay: number, to: Day, endDay: number): number {
  const a = civil(from);
  const b = civil(to);
  return 360 * (b.year - a.year) + 30 * (b.month - a.month) + endDay - startDay;
}

function isLastOfFebruary(value: Day): boolean {
  const { year, month, day } = civil(value);
  return month === 2 && day === daysInMonth(year, 2);
}

function isda(from: Day, to: Day): YearFraction {
  let ordinaryDays = 0;
  let leapDays = 0;
  for (let start = from; start < to; ) {
    const { year } = civil(start);
    const nextYear = dayOf(year + 1, 1, 1);
    const end = nextYear < to ? nextYear : to;
    if (isLeapYear(year)) leapDays += end - start;
    else ordinaryDays += end - start;
    start = end;
  }
  return { numerator: ordinaryDays * 366 + leapDays * 365, denominator: 365 * 366 };
}

function spreadsheetBasis1(from: Day, to: Day): YearFraction {
  const first = civil(from).year;
  const last = civil(to).year;
  const days = to - from;
  if (to <= sameDayNextYear(from)) return { numerator: days, denominator: hasLeapDay(from, to) ? 366 : 365 };
  const years = last - first + 1;
  return { numerator: days * years, denominator: dayOf(last + 1, 1, 1) - dayOf(first, 1, 1) };
}

/** Within one leap year, or with a 29 February from `from` up to and with `to`. */
function hasLeapDay(from: Day, to: Day): boolean {
  const first = civil(from).year;
  const last = civil(to).year;
  if (first === last) return isLeapYear(first);
  const leapDayIn = (year: number): boolean => isLeapYear(year) && dayOf(year, 2, 29) >= from && dayOf(year, 2, 29) <= to;
  return leapDayIn(first) || leapDayIn(last);
}

function sameDayNextYear(value: Day): Day {
  const { year, month, day } = civil(value);
  return month === 2 && day === 29 ? addDays(dayOf(year + 1, 3, 1), -1) : dayOf(year + 1, month, day);
}
