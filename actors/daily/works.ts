import { addDays, type Day, formatDay, startOfDay } from '../../engine/index.js';
import { isPausable, isWorkPaused, zoneOf } from '../company/index.js';
import type { DueWork, Look, Reading, WorkKind } from './work-kind.js';
import { ACH_FILES, ACH_INBOX, ACH_SAME_DAY_FILES } from './of-banks.js';
import { CARD_PAYMENTS, CARD_RESULTS } from './of-cards.js';
import { DAY_CLOSE, PRIVACY_NOTICES, REMINDERS } from './of-loans.js';
import { CAMPAIGNS, CREDIT_FILES, LOAN_TAPES, SETTLEMENT_TRANSFERS, SETTLEMENTS } from './of-parties.js';
import type { WorkName } from './work-day.js';

/** All automatic work of a company that has its day: the calendar, its alerts and its metrics are made from this table. */
export const WORKS: ReadonlyMap<WorkName, WorkKind> = new Map<WorkName, WorkKind>([
  ['dayClose', DAY_CLOSE],
  ['reminders', REMINDERS],
  ['privacyNotices', PRIVACY_NOTICES],
  ['campaign', CAMPAIGNS],
  ['achFile', ACH_FILES],
  ['achSameDayFile', ACH_SAME_DAY_FILES],
  ['achInbox', ACH_INBOX],
  ['cardPayments', CARD_PAYMENTS],
  ['cardResults', CARD_RESULTS],
  ['settlement', SETTLEMENTS],
  ['settlementTransfer', SETTLEMENT_TRANSFERS],
  ['loanTape', LOAN_TAPES],
  ['creditFile', CREDIT_FILES],
]);

/** A work of a day of the calendar. */
export interface NamedDueWork extends DueWork {
  readonly work: WorkName;
  readonly key: string;
  readonly lateAt: number;
}

const MINUTE_MS = 60_000;

/** What is due on a day of the company, in the order of its time. */
export function worksDueOn(look: Look, day: Day, since: number): readonly NamedDueWork[] {
  const zone = zoneOf(look.company);
  const begin = startOfDay(zone, day);
  const end = startOfDay(zone, addDays(day, 1));
  const nearby = [addDays(day, -1), day, addDays(day, 1)];
  return [...WORKS]
    .flatMap(([work, kind]) =>
      (kind.hasOwnZones === true ? nearby : [day])
        .flatMap((own) => kind.dueOn(look, own))
        .filter(({ dueAt }) => dueAt >= begin && dueAt < end && dueAt >= since)
        .map((due) => ({
          ...due,
          work,
          key: [work, due.subjectId ?? due.zone, formatDay(due.day)].join('/'),
          lateAt: due.dueAt + kind.graceMinutes * MINUTE_MS,
        })),
    )
    .sort((a, b) => a.dueAt - b.dueAt);
}

/** The state of a work now. Null if this release does not know a work of that name. */
export function readWork(look: Look, due: NamedDueWork): Reading | null {
  const kind = WORKS.get(due.work);
  if (kind === undefined) return null;
  const reading = kind.read(look, due);
  return kind.pausedBy === 'work' && rests(kind, reading) && look.now >= due.dueAt && isPaused(look, due)
    ? { ...reading, state: 'paused', error: 'A user has paused it.' }
    : reading;
}

const rests = ({ restsUnderWay }: WorkKind, { state }: Reading): boolean =>
  state === 'waiting' || (state === 'running' && restsUnderWay === true);

const isPaused = ({ company }: Look, { work, subjectId }: NamedDueWork): boolean =>
  isPausable(work) && subjectId !== null && isWorkPaused(company, work, subjectId);
