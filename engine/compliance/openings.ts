import { addDays, type Day, dayAt, startOfDay, stretchesOfDay } from '../calendar/index.js';

/*
 * What a matter of time is made of. An opening says, for any moment, the earliest one from it on at which it stands
 * open; null when none comes within the horizon. A contact is allowed at a moment when each opening answers that very moment.
 */

type OpensAt = (at: number) => number | null;

export interface Opening {
  /** `hours` are judged at noon where the caller asks for it. */
  readonly type: 'hours' | 'dates';
  readonly opensAt: OpensAt;
}

/** How far a search for a moment goes. */
const HORIZON_DAYS = 30;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
export const MINUTES_A_DAY = 1_440;

/** Minutes of a local day, from the first to before the last. */
export type Minutes = readonly [from: number, to: number];

/** Shut in the minutes that a day's row names. Wall time is read off instants, so that a clock that is moved hides or doubles nothing. */
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

/** The first instant from one on that lies in none of the minutes; `midnight` is where their clock says zero. */
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

/** At most `limit` contacts on the days of a window that ends with the day of the contact: calendar days of the zone, that day counted. */
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

/** At most `limit` contacts within a span of time that ends with the contact. */
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

/** Shut for good. */
export const NEVER: Opening = { type: 'dates', opensAt: () => null };

/** The earliest moment at which all stand open: the least common one, found by going from one to the next. */
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
