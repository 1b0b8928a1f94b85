import { Bug } from '../assert.js';

declare const brand: unique symbol;

/** A calendar date as whole days since 1970-01-01. */
export type Day = number & { readonly [brand]: 'Day' };

/** The parts of a date, month 1..12. */
export interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export function day(value: number): Day {
  if (!isDay(value)) throw new Bug(`not a day: ${value}`);
  return value;
}

function isDay(value: number): value is Day {
  return Number.isSafeInteger(value);
}

/** Gregorian date to day number, by counting from 1 March of year 0 (leap days fall at year's end). */
export function dayOf(year: number, month: number, dayOfMonth: number): Day {
  const shiftedYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(shiftedYear / 400);
  const yearOfEra = shiftedYear - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + dayOfMonth - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return day(era * 146_097 + dayOfEra - 719_468);
}

export function civil(value: Day): CivilDate {
  const shifted = value + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthIndex = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthIndex + 2) / 5) + 1,
  };
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the sum may lie behind the last safe integer, where `NEVER` is moved
export const addDays = (value: Day, days: number): Day => (value + days) as Day;

export const earliest = (a: Day, b: Day): Day => (a < b ? a : b);

export const latest = (a: Day, b: Day): Day => (a > b ? a : b);

export const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** 1 = Monday .. 7 = Sunday. 1970-01-01 was a Thursday. */
export const weekday = (value: Day): number => ((((value + 3) % 7) + 7) % 7) + 1;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Reads `YYYY-MM-DD` of the years 1900 to 2299. Undefined for anything else, 30 February included. */
export function parseDay(text: string): Day | undefined {
  const match = DATE.exec(text);
  if (!match) return undefined;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const dayOfMonth = Number(match[3]);
  if (year < 1900 || year > 2299 || month < 1 || month > 12) return undefined;
  if (dayOfMonth < 1 || dayOfMonth > daysInMonth(year, month)) return undefined;
  return dayOf(year, month, dayOfMonth);
}

/** `YYYY-MM-DD`. */
export function formatDay(value: Day): string {
  const known = dayTexts.get(value);
  if (known !== undefined) return known;
  const { year, month, day: dayOfMonth } = civil(value);
  const text = `${year.toString().padStart(4, '0')}-${month.toString().padStart(2, '0')}-${dayOfMonth.toString().padStart(2, '0')}`;
  if (dayTexts.size >= MAX_DAY_TEXTS) dayTexts.clear();
  dayTexts.set(value, text);
  return text;
}

/** The days of a portfolio's schedules, some decades, are printed again and again. A full cache is emptied. */
const MAX_DAY_TEXTS = 65_536;
const dayTexts = new Map<Day, string>();

/** The same date of another month; the last of that month where it is shorter. */
export function addMonths(from: Day, months: number): Day {
  const { year, month, day: date } = civil(from);
  const at = year * 12 + month - 1 + months;
  const [toYear, toMonth] = [Math.floor(at / 12), (at % 12) + 1];
  return dayOf(toYear, toMonth, Math.min(date, daysInMonth(toYear, toMonth)));
}

/** The same date of another year; the last of February where there is no 29th. */
export function addYears(from: Day, years: number): Day {
  const { year, month, day: dayOfMonth } = civil(from);
  return dayOf(year + years, month, Math.min(dayOfMonth, daysInMonth(year + years, month)));
}
