import { addDays, civil, type Day, daysInMonth, instantAt, weekday } from '../../../engine/index.js';
import type { Fault } from '../../errors.js';

/** When the files of a tape are made. */
export interface TapeSchedule {
  readonly schedule: 'daily' | 'weekly' | 'monthly';
  readonly specificDays: readonly number[];
}

const DAYS_OF_WEEK = 7;

/** The days of a schedule, sorted. A daily one has none, and refuses those that a body gives for it. */
export function checkedSchedule(
  { schedule, specificDays }: TapeSchedule,
  isGiven: boolean,
): { readonly specificDays: readonly number[]; readonly faults: readonly Fault[] } {
  const path = 'specificDays';
  if (schedule === 'daily') {
    const faults = isGiven ? [{ path, expected: 'no days with a daily schedule', message: 'a daily tape is made each day' }] : [];
    return { specificDays: [], faults };
  }
  const days = [...new Set(specificDays)].sort((a, b) => a - b);
  if (days.length === 0) return { specificDays: [1], faults: [] };
  if (schedule === 'weekly' && days.some((day) => day > DAYS_OF_WEEK))
    return { specificDays: days, faults: [{ path, expected: '1 Monday to 7 Sunday', message: 'a week has seven days' }] };
  return { specificDays: days, faults: [] };
}

/** The last scheduled day that is not after a day. In a month without a day it is the last one. */
export function lastScheduledDay(schedule: TapeSchedule, through: Day): Day {
  let day = through;
  while (!isScheduled(schedule, day)) day = addDays(day, -1);
  return day;
}

export function isScheduled({ schedule, specificDays }: TapeSchedule, day: Day): boolean {
  if (schedule === 'daily') return true;
  if (schedule === 'weekly') return specificDays.includes(weekday(day));
  const { year, month, day: ofMonth } = civil(day);
  const last = daysInMonth(year, month);
  return specificDays.some((specific) => Math.min(specific, last) === ofMonth);
}

/** The period of a payments tape: from the last report day of the schedule to the day before this one, whose day is not over. */
export const periodBefore = (schedule: TapeSchedule, reportDay: Day): readonly [Day, Day] => {
  const last = addDays(reportDay, -1);
  return [lastScheduledDay(schedule, last), last];
};

/** When the file of a scheduled day is made, in milliseconds. `runTimeOfDay`: `HH:MM`. */
export function scheduledMoment(runTimeOfDay: string, zone: string, day: Day): number {
  const [hour = 0, minute = 0] = runTimeOfDay.split(':').map(Number);
  return instantAt(zone, day, { hour, minute, second: 0 });
}
