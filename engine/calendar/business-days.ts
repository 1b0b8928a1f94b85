import { addDays, civil, type Day, dayOf, daysInMonth, weekday } from './day.js';

/** A holiday of the Federal Reserve Banks. `observed` is the weekday on which they close for it, if there is one. */
export interface Holiday {
  readonly name: string;
  readonly date: Day;
  readonly observed: Day | null;
}

/** What happens to a due date that is not a business day (loan type `schedule.nonBusinessDays`). */
export type NonBusinessDays = 'keep' | 'next' | 'previous';

interface HolidayRule {
  readonly name: string;
  /** First year of the holiday in its present form. */
  readonly since: number;
  readonly dateIn: (year: number) => Day;
}

const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;
const SUNDAY = 7;

/** The standard holiday schedule of the Federal Reserve System (5 U.S.C. 6103 without Inauguration Day). */
const HOLIDAY_RULES: readonly HolidayRule[] = [
  { name: "New Year's Day", since: 1870, dateIn: (year) => dayOf(year, 1, 1) },
  { name: 'Birthday of Martin Luther King, Jr.', since: 1986, dateIn: (year) => nthWeekday(year, 1, MONDAY, 3) },
  { name: "Washington's Birthday", since: 1971, dateIn: (year) => nthWeekday(year, 2, MONDAY, 3) },
  { name: 'Memorial Day', since: 1971, dateIn: (year) => lastWeekday(year, 5, MONDAY) },
  { name: 'Juneteenth National Independence Day', since: 2021, dateIn: (year) => dayOf(year, 6, 19) },
  { name: 'Independence Day', since: 1870, dateIn: (year) => dayOf(year, 7, 4) },
  { name: 'Labor Day', since: 1894, dateIn: (year) => nthWeekday(year, 9, MONDAY, 1) },
  { name: 'Columbus Day', since: 1971, dateIn: (year) => nthWeekday(year, 10, MONDAY, 2) },
  { name: 'Veterans Day', since: 1978, dateIn: (year) => dayOf(year, 11, 11) },
  { name: 'Thanksgiving Day', since: 1942, dateIn: (year) => nthWeekday(year, 11, THURSDAY, 4) },
  { name: 'Christmas Day', since: 1870, dateIn: (year) => dayOf(year, 12, 25) },
];

/** Years whose closed days are kept. */
const MAX_CACHED_YEARS = 512;

const closedDays = new Map<number, ReadonlySet<Day>>();

/** The holidays of a year, in order. */
export function holidays(year: number): readonly Holiday[] {
  return HOLIDAY_RULES.filter((rule) => year >= rule.since).map((rule) => {
    const date = rule.dateIn(year);
    return { name: rule.name, date, observed: observedOn(date) };
  });
}

/** Days on which a company is closed beside weekends. `isFederal`: the days of the Federal Reserve Banks count, too. */
export interface BusinessCalendar {
  readonly closed: ReadonlySet<Day>;
  readonly isFederal: boolean;
}

/** The calendar of a company that names no holidays of its own. */
export const FEDERAL_CALENDAR: BusinessCalendar = { closed: new Set<Day>(), isFederal: true };

/** Monday to Friday without the days on which the Federal Reserve Banks or the company are closed. */
export function isBusinessDay(value: Day, { closed, isFederal }: BusinessCalendar = FEDERAL_CALENDAR): boolean {
  return weekday(value) < SATURDAY && !closed.has(value) && !(isFederal && closedIn(civil(value).year).has(value));
}

/**
 * The business day that lies `count` business days after (or, negative, before) a day. Zero is the day itself, moved on to a business day.
 */
export function addBusinessDays(value: Day, count: number, calendar: BusinessCalendar = FEDERAL_CALENDAR): Day {
  if (count === 0) return isBusinessDay(value, calendar) ? value : addBusinessDays(value, 1, calendar);
  const step = count < 0 ? -1 : 1;
  let moved = value;
  for (let left = Math.abs(count); left > 0; left -= isBusinessDay(moved, calendar) ? 1 : 0) moved = addDays(moved, step);
  return moved;
}

export function shiftToBusinessDay(value: Day, policy: NonBusinessDays): Day {
  if (policy === 'keep' || isBusinessDay(value)) return value;
  return addBusinessDays(value, policy === 'next' ? 1 : -1);
}

/** A holiday on a Sunday closes the Monday after; on a Saturday the Banks are open the Friday before. */
function observedOn(date: Day): Day | null {
  const fallsOn = weekday(date);
  if (fallsOn === SATURDAY) return null;
  return fallsOn === SUNDAY ? addDays(date, 1) : date;
}

function closedIn(year: number): ReadonlySet<Day> {
  const known = closedDays.get(year);
  if (known) return known;
  const closed = new Set<Day>();
  for (const holiday of holidays(year)) {
    if (holiday.observed !== null) closed.add(holiday.observed);
  }
  if (closedDays.size >= MAX_CACHED_YEARS) closedDays.clear();
  closedDays.set(year, closed);
  return closed;
}

function nthWeekday(year: number, month: number, wanted: number, nth: number): Day {
  const first = dayOf(year, month, 1);
  return addDays(first, ((wanted - weekday(first) + 7) % 7) + (nth - 1) * 7);
}

function lastWeekday(year: number, month: number, wanted: number): Day {
  const last = dayOf(year, month, daysInMonth(year, month));
  return addDays(last, -((weekday(last) - wanted + 7) % 7));
}
