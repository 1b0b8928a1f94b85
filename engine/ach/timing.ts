import { addBusinessDays, addDays, type BusinessCalendar, type Day, FEDERAL_CALENDAR, isBusinessDay } from '../calendar/index.js';
import type { ReturnWindow } from './returns.js';
import { RETURN_CODES } from './returns.js';

/** The most that a same-day entry may move, in cents (Nacha Operating Rules, "Same Day Entry"). */
export const SAME_DAY_LIMIT_CENTS = 100_000_000;

/** When the Federal Reserve takes files for settlement on the same day, in seconds of the day in New York. */
const SAME_DAY_WINDOWS: readonly number[] = [37_800, 53_100, 60_300];

/** Whether a file that is handed over now can settle today. */
export const isInSameDayWindow = (today: Day, secondsOfDay: number, calendar: BusinessCalendar = FEDERAL_CALENDAR): boolean =>
  isBusinessDay(today, calendar) && secondsOfDay <= Math.max(...SAME_DAY_WINDOWS);

/** The day on which the entries of a file shall settle: the same banking day, or the next one. A past or closed day moves on. */
export const effectiveEntryDay = (fileDay: Day, isSameDay: boolean, calendar: BusinessCalendar = FEDERAL_CALENDAR): Day =>
  addBusinessDays(fileDay, isSameDay ? 0 : 1, calendar);

/** The day on which the operator settles an entry: a stale or missing day is the next banking day after the file's. */
export const settlementDayOf = (effective: Day | null, fileDay: Day, calendar: BusinessCalendar = FEDERAL_CALENDAR): Day =>
  effective === null || effective < fileDay ? addBusinessDays(fileDay, 1, calendar) : addBusinessDays(effective, 0, calendar);

/** The last day on which an ordinary return can be in the originator's hands. */
const lastReturnDay = (settled: Day, window: ReturnWindow, calendar: BusinessCalendar = FEDERAL_CALENDAR): Day | null => {
  if (window === 'agreed') return null;
  if ('bankingDays' in window) return addBusinessDays(settled, window.bankingDays, calendar);
  // By the opening of the banking day that follows the sixtieth day.
  return addBusinessDays(addDays(settled, window.calendarDays), 1, calendar);
};

/** Whether a return comes after its window. Codes without a window are never late. */
export function isLateReturn(code: string, settled: Day, received: Day, calendar: BusinessCalendar = FEDERAL_CALENDAR): boolean {
  const window = RETURN_CODES.get(code)?.window ?? 'agreed';
  const last = lastReturnDay(settled, window, calendar);
  return last !== null && received > last;
}

/** At most so many re-presentments of a returned debit, in so many days after the original settlement. */
const MAX_REPRESENTMENTS = 2;
const REPRESENTMENT_DAYS = 180;

/** What a batch of re-presented debits is called; a new entry must not use it. */
export const RETRY_DESCRIPTION = 'RETRY PYMT';

export interface Represented {
  readonly returnCode: string;
  /** Settlement of the first presentment. */
  readonly settled: Day;
  /** Re-presentments so far. */
  readonly attempts: number;
}

/** Whether a returned debit may be presented again on a day: only for lack of funds, twice, within 180 days, for the same amount. */
export const mayRepresent = ({ returnCode, settled, attempts }: Represented, on: Day): boolean =>
  RETURN_CODES.get(returnCode)?.consequence === 'represent' && attempts < MAX_REPRESENTMENTS && on <= addDays(settled, REPRESENTMENT_DAYS);
