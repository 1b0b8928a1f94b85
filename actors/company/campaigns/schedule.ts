import { addDays, type Day, dayAt, type DaySchedule, instantAt, nextScheduled, parseDaySchedule } from '../../../engine/index.js';
import { refuseProperty } from '../../errors.js';

/*
 * The schedule of a campaign: five fields as of a crontab, of which minute and hour must be `P`, for the platform
 * picks the moment. A run starts between 05:00 and 07:00 of the company, each campaign at its own minute. A service that was away then
 * starts it later on the same day; a day that has passed without a run brings none.
 */

const FIRST_HOUR = 5;
const MINUTES = 120;

/** Throws 400 for what is no schedule. */
export function checkedSchedule(text: string): string {
  const [minute, hour, , , dayOfWeek = '', ...more] = text.trim().split(/\s+/);
  const fault =
    minute !== 'P' || hour !== 'P'
      ? 'Minute and hour must be P: a time of day cannot be given.'
      : more.length > 0 || dayOfWeek === ''
        ? 'A schedule has five fields.'
        : readSchedule(text) === undefined
          ? 'A day of month, month or day of week is none.'
          : null;
  if (fault !== null) refuseProperty('schedule', 'five fields such as "P P * * 1-5"', fault);
  return text.trim().split(/\s+/).join(' ');
}

function readSchedule(text: string): DaySchedule | undefined {
  const [, , dayOfMonth = '', month = '', dayOfWeek = ''] = text.trim().split(/\s+/);
  return parseDaySchedule(dayOfMonth, month, dayOfWeek);
}

/** What says when a campaign runs next. */
export interface Scheduled {
  readonly schedule: string | null;
  /** The first day that may have a run. */
  readonly runsFrom: Day;
}

interface CompanyTime {
  /** Milliseconds of the company's clock. */
  readonly now: number;
  readonly zone: string;
}

/** The moment of the next run, in milliseconds; null for a campaign that only runs by hand. Days that have passed bring none. */
export function nextRunOf(id: string, { schedule, runsFrom }: Scheduled, { now, zone }: CompanyTime): number | null {
  const days = schedule === null ? undefined : readSchedule(schedule);
  const today = dayAt(zone, now);
  const day = days === undefined ? null : nextScheduled(days, runsFrom > today ? runsFrom : today);
  return day === null ? null : momentOf(id, day, zone);
}

/** The moment of the run that a campaign is to have on a day; null where its schedule has none on it, or it has had one. */
export const runDueOn = (id: string, { schedule, runsFrom }: Scheduled, day: Day, zone: string): number | null =>
  day < runsFrom ? null : runOn(id, schedule, day, zone);

/** The moment of the run on a day, in milliseconds; null where the schedule has none on it. */
export function runOn(id: string, schedule: string | null, day: Day, zone: string): number | null {
  const days = schedule === null ? undefined : readSchedule(schedule);
  return days !== undefined && nextScheduled(days, day) === day ? momentOf(id, day, zone) : null;
}

/** The minute is the campaign's own, so that not all start at once. */
function momentOf(id: string, day: Day, zone: string): number {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521;
  const minutes = FIRST_HOUR * 60 + (sum % MINUTES);
  return instantAt(zone, day, { hour: Math.floor(minutes / 60), minute: minutes % 60, second: 0 });
}

/** The first day for a schedule that begins now: today where its moment is still to come. */
export function firstRunDay(id: string, now: number, zone: string): Day {
  const today = dayAt(zone, now);
  return momentOf(id, today, zone) > now ? today : addDays(today, 1);
}
