import { civil, type Day, addDays, weekday } from './day.js';

/** The days that a crontab names: by day of month, month and day of week (why without a package: docs/decisions/crontab-days.md). */
export interface DaySchedule {
  /** Null where the field is `*`. */
  readonly daysOfMonth: ReadonlySet<number> | null;
  readonly months: ReadonlySet<number> | null;
  /** 0 = Sunday. */
  readonly weekdays: ReadonlySet<number> | null;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

interface Field {
  readonly from: number;
  readonly to: number;
  /** The name of `from` and of those behind it. */
  readonly names: readonly string[];
}

const DAY_OF_MONTH: Field = { from: 1, to: 31, names: [] };
const MONTH: Field = { from: 1, to: 12, names: MONTHS };
/** 7 is Sunday too. */
const DAY_OF_WEEK: Field = { from: 0, to: 7, names: WEEKDAYS };

/** Reads the three fields of days: day of month, month, day of week. Undefined where one is none. */
export function parseDaySchedule(dayOfMonth: string, month: string, dayOfWeek: string): DaySchedule | undefined {
  const [days, months, week] = [parseField(dayOfMonth, DAY_OF_MONTH), parseField(month, MONTH), parseField(dayOfWeek, DAY_OF_WEEK)];
  if (days === undefined || months === undefined || week === undefined) return undefined;
  return { daysOfMonth: days, months, weekdays: week === null ? null : new Set([...week].map((value) => value % 7)) };
}

/** `*`, `1-5`, `*\/2`, `1,15`, `MON-FRI`. Undefined where it is none of these, null where it is any. */
function parseField(text: string, field: Field): ReadonlySet<number> | null | undefined {
  if (text === '*') return null;
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const range = parsePart(part, field);
    if (range === undefined) return undefined;
    for (let value = range.from; value <= range.to; value += range.step) values.add(value);
  }
  return values;
}

function parsePart(part: string, field: Field): { readonly from: number; readonly to: number; readonly step: number } | undefined {
  const match = /^(\*|[A-Za-z0-9]+)(?:-([A-Za-z0-9]+))?(?:\/([0-9]{1,2}))?$/.exec(part);
  const [, first = '', last, every] = match ?? [];
  if (match === null || (first === '*' && last !== undefined)) return undefined;
  const from = first === '*' ? field.from : valueOf(first, field);
  const to = first === '*' || (last === undefined && every !== undefined) ? field.to : last === undefined ? from : valueOf(last, field);
  const step = every === undefined ? 1 : Number(every);
  return from === undefined || to === undefined || from > to || step === 0 ? undefined : { from, to, step };
}

function valueOf(text: string, { from, to, names }: Field): number | undefined {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return named + from;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= from && value <= to ? value : undefined;
}

/** As crontab has it: where both days of the month and of the week are named, one of them is enough. */
function isScheduledOn({ daysOfMonth, months, weekdays }: DaySchedule, value: Day): boolean {
  const { month, day } = civil(value);
  if (months !== null && !months.has(month)) return false;
  const [ofMonth, ofWeek] = [daysOfMonth?.has(day), weekdays?.has(weekday(value) % 7)];
  if (ofMonth === undefined || ofWeek === undefined) return (ofMonth ?? true) && (ofWeek ?? true);
  return ofMonth || ofWeek;
}

/** Days that are looked through: every date of the calendar comes within eight years. */
const MOST_DAYS = 366 * 8;

/** The first scheduled day from one on; null where none comes, as for 30 February. */
export function nextScheduled(schedule: DaySchedule, from: Day): Day | null {
  for (let ahead = 0; ahead < MOST_DAYS; ahead += 1) {
    const next = addDays(from, ahead);
    if (isScheduledOn(schedule, next)) return next;
  }
  return null;
}
