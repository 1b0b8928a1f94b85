import { type Day, dayOf, daysInMonth } from '../calendar/index.js';

/** The day of a date that exists. */
export function calendarDay(year: number, month: number, day: number): Day | undefined {
  if (year < 1900 || year > 2199 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return dayOf(year, month, day);
}

/** YYMMDD of the years 2000 to 2099. */
export function shortDay(text: string): Day | undefined {
  const [, yy, mm, dd] = /^(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  return yy === undefined ? undefined : calendarDay(2000 + Number(yy), Number(mm), Number(dd));
}

/** The date of `2026-03-02` or `2026-03-02T10:00:00Z`, as the bank has written it: its own day, whatever the zone. */
export function isoDay(text: string): Day | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)(?:[T+Z-].*)?$/.exec(text) ?? [];
  return year === undefined ? undefined : calendarDay(Number(year), Number(month), Number(day));
}
