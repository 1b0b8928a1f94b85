import { addDays, type Day, instantAt, isBusinessDay, startOfDay } from '../../engine/index.js';
import { isByFiles, moneyCalendarOf, type ProcessorRecord, processorsOf, zoneOf } from '../company/index.js';
import type { CatalogRow } from '../kernel/actor.js';
import { ACH_FILE, type AchFileState, type BankSeen, slotText } from '../money/index.js';
import { type DueWork, type Look, type Reading, skipped, WAITING, type WorkKind } from './work-kind.js';

type Cutoff = 'sameDay' | 'nextDay';

const cutoffOf = (kind: Cutoff, work: Pick<WorkKind, 'title' | 'due' | 'includes' | 'graceMinutes'>): WorkKind => ({
  ...work,
  pausedBy: 'work',
  restsUnderWay: true,
  hasOwnZones: true,
  dueOn: (look, day) =>
    processors(look, day).flatMap((processor) => {
      const { cutoffSeconds, sameDayCutoffSeconds } = processor.stored;
      const seconds = kind === 'sameDay' ? sameDayCutoffSeconds : cutoffSeconds;
      const zone = zoneOfProcessor(look, processor);
      if (seconds === null) return [];
      const dueAt = instantAt(zone, day, {
        hour: Math.floor(seconds / 3_600),
        minute: Math.floor(seconds / 60) % 60,
        second: seconds % 60,
      });
      return dueAt < processor.createdAt ? [] : [{ subjectId: processor.id, zone, day, dueAt }];
    }),
  read: (look, due) => readCutoff(look, due, kind),
});

const DRAFT = 'draft';

/** Those that make and take files on a banking day. */
function processors({ company }: Look, day: Day): readonly ProcessorRecord[] {
  if (!isBusinessDay(day, moneyCalendarOf(company))) return [];
  return [...processorsOf(company).values()].filter(({ stored }) => stored.status !== DRAFT && isByFiles(stored));
}

const zoneOfProcessor = ({ company }: Look, { stored }: ProcessorRecord): string => stored.timezone ?? zoneOf(company);

const NOTHING_SEEN: Omit<BankSeen, 'processorId'> = {
  startedAt: 0,
  cutoffs: { sameDay: null, nextDay: null },
  inboxReadAt: null,
  fault: null,
};

const seenOf = ({ outside }: Look, processorId: string | null): Omit<BankSeen, 'processorId'> =>
  outside.banks.find((bank) => bank.processorId === processorId) ?? NOTHING_SEEN;

function filesOf(
  { env }: Look,
  processorId: string | null,
  matches: (fields: CatalogRow['fields'], row: CatalogRow) => boolean,
): readonly AchFileState[] {
  const { rows } = env.listAll(ACH_FILE, {
    ...(processorId === null ? {} : { parentId: processorId }),
    matches: (row) => matches(row.fields, row),
    limit: MOST_FILES,
  });
  return rows.flatMap(({ id }) => env.stateOf<AchFileState>(ACH_FILE, id) ?? []);
}

/** Files of a day that are named. */
const MOST_FILES = 50;

function readCutoff(look: Look, { subjectId, day, dueAt }: DueWork, kind: Cutoff): Reading {
  const slot = slotText({ day, kind });
  const [file] = filesOf(look, subjectId, (fields) => fields['slot'] === slot);
  if (file !== undefined) return readFile(file);
  const { cutoffs, fault } = seenOf(look, subjectId);
  const seen = cutoffs[kind];
  if (seen === dueAt) return { state: 'nothingDue' };
  if (seen !== null && seen > dueAt)
    return skipped('The service was not there at the cut-off. What has waited is in the file of a later one.');
  return look.now < dueAt ? WAITING : { state: 'waiting', error: fault };
}

function readFile({ id, status, isApplied, failure, entryCount, createdAt, uploadedAt }: AchFileState): Reading {
  const known = { begunAt: createdAt, objectIds: [id] };
  if (status === 'failed') return { ...known, state: 'failed', error: failure };
  if (status === 'created' || !isApplied) return { ...known, state: 'running', error: failure };
  return { ...known, state: 'done', endedAt: uploadedAt, counts: { entries: entryCount } };
}

export const ACH_FILES: WorkKind = cutoffOf('nextDay', {
  title: 'ACH file of a processor',
  due: 'each banking day at the cut-off of the processor, in its zone',
  includes: ['the file with the debits, credits and account checks that wait', 'its upload', 'the day of the reconciliation'],
  graceMinutes: 30,
});

export const ACH_SAME_DAY_FILES: WorkKind = cutoffOf('sameDay', {
  title: 'Same-day ACH file of a processor',
  due: 'each banking day at the same-day cut-off of the processor, in its zone',
  includes: ['the file with the payments of the same day', 'its upload'],
  graceMinutes: 15,
});

/** The longest time between two looks into the folder of a bank, in milliseconds: it is read every half an hour. */
const INBOX_LATE_MS = 2 * 3_600_000;

/** The folder is read all day. */
export const ACH_INBOX: WorkKind = {
  title: 'Files from the bank of a processor',
  due: 'every half an hour of each banking day',
  includes: ['returns', 'notifications of change', 'confirmations, and files that were not confirmed in time'],
  graceMinutes: INBOX_LATE_MS / 60_000,
  pausedBy: 'work',
  restsUnderWay: true,
  hasOwnZones: true,
  dueOn: (look, day) =>
    processors(look, day).flatMap((processor) => {
      const { id, stored, createdAt } = processor;
      const zone = zoneOfProcessor(look, processor);
      const dueAt = Math.max(startOfDay(zone, day), createdAt);
      return stored.sftp.host === null || dueAt >= startOfDay(zone, addDays(day, 1)) ? [] : [{ subjectId: id, zone, day, dueAt }];
    }),
  read(look, { subjectId, zone, day, dueAt }) {
    const { startedAt, inboxReadAt, fault } = seenOf(look, subjectId);
    const end = startOfDay(zone, addDays(day, 1));
    const isRead = inboxReadAt !== null && inboxReadAt >= dueAt;
    // The returns of a processor that is no longer used are still taken, for as long as its bank lets the service in.
    const isUsed = processorsOf(look.company).get(subjectId ?? '')?.stored.status === 'active';
    const isLate = isUsed && look.now < end && look.now - Math.max(inboxReadAt ?? 0, dueAt, startedAt) > INBOX_LATE_MS;
    if (look.now < end) return isRead ? { state: 'running', isLate, error: fault } : { state: 'waiting', isLate, error: fault };
    if (!isRead) return skipped('The folder of the bank was not read on this day. What was in it is taken later.');
    const files = filesOf(look, subjectId, (fields, { createdStamp }) => fields['direction'] !== 'outgoing' && createdStamp > 0).filter(
      ({ createdAt }) => createdAt >= dueAt && createdAt < end,
    );
    const failed = files.filter(({ status }) => status === 'failed').length;
    return { state: 'done', endedAt: end, counts: { files: files.length, failed }, objectIds: files.map(({ id }) => id) };
  },
};
