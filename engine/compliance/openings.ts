import { addDays, type Day, dayAt, startOfDay, stretchesOfDay } from '../calendar/index.js';

/*
 * Restrictions in time. For any moment an opening gives the earliest moment from then on at which it is open; null if there is none within
 * the horizon. A contact is allowed at a moment if every opening gives that same moment.
 */

type OpensAt = (at: number) => number | null;

export interface Opening {
  /** `hours` are judged at noon if the caller asks for it. */
  readonly type: 'hours' | 'dates';
  readonly opensAt: OpensAt;
}

/** How many days a search for a moment covers. */
const HORIZON_DAYS = 30;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
export const MINUTES_A_DAY = 1_440;

/** Minutes of a local day, `[from, to)`. */
export type Minutes = readonly [from: number, to: number];

/** Closed in the minutes that `shutOn` gives for a day. Local times come from instants, so changes of the clock skip or repeat nothing. */
export function shutDuring(zone: string, shutOn: (day: Day) => readonly Minutes[]): Opening {
  return { type: 'hours', opensAt: (at) => firstOpen(zone, shutOn, at) };
}

/** Open in these minutes of each day. */
export const openDuring = (zone: string, [from, to]: Minutes): Opening =>
  shutDuring(zone, () => [
    [0, from],
    [to, MINUTES_A_DAY],
  ]);

function firstOpen(zone: string, shutOn: (day: Day) => readonly Minutes[], at: number): number | null {
  const today = dayAt(zone, at);
  for (let ahead = 0; ahead <= HORIZON_DAYS + 1; ahead++) {
    const day = addDays(today, ahead);
    const shut = shutOn(day);
    for (const { from, to, offsetMs } of stretchesOfDay(zone, day)) {
      if (to <= at) continue;
      const open = firstOutside(shut, Math.max(at, from), day * DAY_MS - offsetMs);
      if (open < to) return open;
    }
  }
  return null;
}

/** The first instant from `from` on outside of the minutes; `midnight` is the instant of minute zero. */
function firstOutside(shut: readonly Minutes[], from: number, midnight: number): number {
  let moment = from;
  for (let isMoved = true; isMoved; ) {
    isMoved = false;
    for (const [start, end] of shut) {
      if (moment < midnight + start * MINUTE_MS || moment >= midnight + end * MINUTE_MS) continue;
      moment = midnight + end * MINUTE_MS;
      isMoved = true;
    }
  }
  return moment;
}

/** At most `limit` contacts in a window of calendar days of the zone; the day of the contact is the last day of the window. */
export interface FrequencyLimit {
  readonly limit: number;
  readonly days: number;
}

export function atMost({ limit, days }: FrequencyLimit, zone: string, moments: readonly number[]): Opening {
  const taken = moments.map((moment) => dayAt(zone, moment));
  const isFull = (day: Day): boolean => taken.filter((other) => other > day - days && other <= day).length >= limit;
  return {
    type: 'dates',
    opensAt(at) {
      const today = dayAt(zone, at);
      if (!isFull(today)) return at;
      for (let ahead = 1; ahead <= HORIZON_DAYS; ahead++)
        if (!isFull(addDays(today, ahead))) return startOfDay(zone, addDays(today, ahead));
      return null;
    },
  };
}

/** At most `limit` contacts in a span of time that ends with the contact. */
export function atMostWithin({ limit, spanMs }: SpanLimit, moments: readonly number[]): Opening {
  const newestFirst = moments.toSorted((one, other) => other - one);
  return {
    type: 'dates',
    opensAt(at) {
      const leaves = (newestFirst.filter((moment) => moment <= at)[limit - 1] ?? -Infinity) + spanMs;
      return Math.max(at, leaves);
    },
  };
}

export interface SpanLimit {
  readonly limit: number;
  readonly spanMs: number;
}

/** Never open. */
export const NEVER: Opening = { type: 'dates', opensAt: () => null };

/** The earliest moment at which all are open, found by moving from one opening to the next. */
export function earliestOpen(openings: readonly Opening[], at: number): number | null {
  const last = at + HORIZON_DAYS * DAY_MS;
  let moment = at;
  for (let isMoved = true; isMoved; ) {
    isMoved = false;
    for (const { opensAt } of openings) {
      const open = opensAt(moment);
      if (open === null || open > last) return null;
      isMoved ||= open > moment;
      moment = open;
    }
  }
  return moment;
}
