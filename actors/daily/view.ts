import { addDays, dayAt, type Day, formatDay } from '../../engine/index.js';
import { companyOf, type PausedWorkView, pausedWorksView, zoneOf } from '../company/index.js';
import { refuseProperty } from '../errors.js';
import type { QueryEnv, QueryOf, QuerySpec } from '../kernel/actor.js';
import { type DateText, dateText, type DateTimeText, dateTimeText, dayOfText, orNull } from '../wire.js';
import type { Look, Outside, PausedBy, Reading } from './work-kind.js';
import { type DayWork, isOver, WORK_DAY, type WorkDayState, type WorkName, type WorkState } from './work-day.js';
import { type NamedDueWork, readWork, WORKS, worksDueOn } from './works.js';

export interface WorkCalendarQuery {
  /** Default: today in the time zone of the company. */
  readonly date?: DateText;
  /** With `toDate`, in place of `date`: at most 31 days. */
  readonly fromDate?: DateText;
  readonly toDate?: DateText;
}

export interface DayWorkView {
  /** Unique within the day. */
  readonly id: string;
  readonly object: 'dayWork';
  readonly work: WorkName;
  readonly title: string;
  /** What is done with it. */
  readonly includes: readonly string[];
  /** What it is for: a processor, investor, settlement, loan tape, credit agency, campaign or loan type; null: the company. */
  readonly subjectId: string | null;
  readonly timezone: string;
  /** The day that it is about: the close of a day is due on the next one. */
  readonly forDate: DateText;
  readonly dueAt: DateTimeText;
  /** When it counts as late if it is not over. */
  readonly lateAt: DateTimeText;
  readonly state: WorkState;
  /** It has failed, or is not over in time. */
  readonly isLate: boolean;
  /** Also of work that was late and is done; null: it never was. */
  readonly lateSince: DateTimeText | null;
  readonly startedAt: DateTimeText | null;
  readonly endedAt: DateTimeText | null;
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly counts: Readonly<Record<string, number>>;
  /** Why it has failed, does not go on, or did not run. */
  readonly error: string | null;
  readonly operationId: string | null;
  readonly objectIds: readonly string[];
  /** How it is paused: its operation, the status of its campaign or loan tape, or the work by its name. */
  readonly pausedBy: PausedBy | null;
}

export interface WorkDayView {
  readonly date: DateText;
  /** When something of it was recorded last; null: nothing was due. */
  readonly updatedAt: DateTimeText | null;
  readonly works: readonly DayWorkView[];
}

export interface WorkCalendarView {
  readonly object: 'workCalendar';
  readonly companyId: string;
  readonly timezone: string;
  readonly fromDate: DateText;
  readonly toDate: DateText;
  /** What users have paused by its name. */
  readonly pausedWorks: readonly PausedWorkView[];
  readonly days: readonly WorkDayView[];
}

/** Days of one answer, and days after which work that is not over is no longer looked at. */
const MOST_DAYS = 31;

/** A day that the service watches. */
interface WatchedDay {
  readonly day: Day;
  /** Null while nothing of it is recorded. */
  readonly id: string | null;
  readonly since: number;
  readonly works: readonly { readonly before: DayWork | null; readonly due: NamedDueWork; readonly reading: Reading }[];
}

export interface LookQuery {
  readonly outside: Outside;
  /** Without a recorded day: what was due before was not watched. */
  readonly since: number;
}

export interface LookReply {
  readonly days: readonly WatchedDay[];
}

export const workDayQueries: readonly QuerySpec<WorkDayState>[] = [
  {
    kind: WORK_DAY,
    type: 'operation.daily',
    on: 'company',
    read: ({ query, env }: QueryOf<WorkCalendarQuery>) => calendarView(query, env),
  },
  // The service's own: no route leads here.
  { kind: WORK_DAY, type: 'workDay.look', on: 'company', read: ({ query, env }: QueryOf<LookQuery>) => lookAt(query, env) },
];

function calendarView(query: WorkCalendarQuery, env: QueryEnv): WorkCalendarView {
  const company = companyOf(env, env.tenant);
  const zone = zoneOf(company);
  const [from, to] = span(query, dayAt(zone, env.now));
  const recorded = recordedDays(env, from, to);
  return {
    object: 'workCalendar',
    companyId: env.tenant.company,
    timezone: zone,
    fromDate: dateText(from),
    toDate: dateText(to),
    pausedWorks: pausedWorksView(company),
    days: Array.from({ length: to - from + 1 }, (_, at) => {
      const day = addDays(from, at);
      const state = recorded.find((each) => each.day === day);
      return { date: dateText(day), updatedAt: orNull(dateTimeText, state?.updatedAt), works: state === undefined ? [] : worksView(state) };
    }),
  };
}

function span({ date, fromDate, toDate }: WorkCalendarQuery, today: Day): readonly [Day, Day] {
  if (date !== undefined && (fromDate !== undefined || toDate !== undefined))
    refuseProperty('date', 'date, or fromDate and toDate', 'A calendar is of one day, or from a day to another.');
  const to = dayOfText(date ?? toDate ?? formatDay(today));
  const from = date === undefined && fromDate !== undefined ? dayOfText(fromDate) : to;
  const name = date === undefined ? 'toDate' : 'date';
  if (to > today) refuseProperty(name, `${dateText(today)} or earlier`, 'The day is to come: nothing of it is recorded.');
  if (from > to) refuseProperty('fromDate', `${dateText(to)} or earlier`, 'The first day is after the last one.');
  if (to - from >= MOST_DAYS) refuseProperty('fromDate', `at most ${MOST_DAYS} days`, `A calendar has at most ${MOST_DAYS} days.`);
  return [from, to];
}

function recordedDays(env: QueryEnv, from: Day, to: Day): readonly WorkDayState[] {
  const { rows } = env.listAll(WORK_DAY, {
    parentId: env.tenant.company,
    matches: ({ fields }) => Number(fields['day']) >= from && Number(fields['day']) <= to,
    limit: MOST_DAYS + 1,
  });
  return rows.flatMap(({ id }) => env.stateOf<WorkDayState>(WORK_DAY, id) ?? []);
}

const worksView = ({ works }: WorkDayState): readonly DayWorkView[] =>
  Object.values(works)
    .toSorted((a, b) => a.dueAt - b.dueAt || (a.key < b.key ? -1 : 1))
    .map(workView);

function workView(work: DayWork): DayWorkView {
  const kind = WORKS.get(work.work);
  return {
    id: work.key,
    object: 'dayWork',
    work: work.work,
    title: kind?.title ?? work.work,
    includes: kind?.includes ?? [],
    subjectId: work.subjectId,
    timezone: work.zone,
    forDate: dateText(work.day),
    dueAt: dateTimeText(work.dueAt),
    lateAt: dateTimeText(work.lateAt),
    state: work.state,
    isLate: work.lateSince !== null && !isOver(work),
    lateSince: orNull(dateTimeText, work.lateSince),
    startedAt: orNull(dateTimeText, work.begunAt),
    endedAt: orNull(dateTimeText, work.endedAt),
    progress: work.progress,
    counts: work.counts,
    error: work.error,
    operationId: work.operationId,
    objectIds: work.objectIds,
    pausedBy: kind?.pausedBy ?? null,
  };
}

/** Days with work that is not over, and those from the newest recorded one to today. */
function lookAt({ outside, since }: LookQuery, env: QueryEnv): LookReply {
  const company = companyOf(env, env.tenant);
  const look: Look = { env, company, outside, now: env.now };
  const today = dayAt(zoneOf(company), env.now);
  const oldest = addDays(today, 1 - MOST_DAYS);
  const recorded = recordedDays(env, oldest, today);
  const newest = Math.max(...recorded.map(({ day }) => day ?? oldest));
  const days: WatchedDay[] = [];
  for (let day = oldest; day <= today; day = addDays(day, 1)) {
    const state = recorded.find((each) => each.day === day);
    // Nothing is planned for days that are over, except those on which nobody looked.
    const isPlanned = day === today || (recorded.length > 0 && day > newest);
    const isOpen = state !== undefined && !Object.values(state.works).every(isOver);
    if (isPlanned || isOpen) days.push(watched(look, day, { state, isPlanned, since: recorded.length === 0 ? since : 0 }));
  }
  return { days };
}

interface Planning {
  readonly state: WorkDayState | undefined;
  readonly isPlanned: boolean;
  readonly since: number;
}

function watched(look: Look, day: Day, { state, isPlanned, since }: Planning): WatchedDay {
  const from = state?.since ?? since;
  const before = Object.values(state?.works ?? {});
  const known = new Set(before.map(({ key }) => key));
  const due = isPlanned ? worksDueOn(look, day, from).slice(0, MOST_WORKS) : [];
  const named = new Set(due.map(({ key }) => key));
  const all: WatchedDay['works'][number][] = [];
  for (const work of before) {
    if (isOver(work)) continue;
    const isGone = isPlanned && !named.has(work.key) && work.state === 'waiting';
    const reading = isGone ? NO_LONGER_DUE : readWork(look, work);
    if (reading !== null) all.push({ before: work, due: work, reading });
  }
  for (const work of due) {
    const reading = known.has(work.key) ? null : readWork(look, work);
    if (reading !== null) all.push({ before: null, due: work, reading });
  }
  return { day, id: state?.id ?? null, since: from, works: all };
}

/** Works of one day that are watched. */
const MOST_WORKS = 2_000;

const NO_LONGER_DUE: Reading = { state: 'skipped', error: 'It is no longer due: a setting was changed before its time.' };
