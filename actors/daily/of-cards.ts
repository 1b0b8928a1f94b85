import { addDays, type Day, formatDay, startOfDay } from '../../engine/index.js';
import { isByFiles, type ProcessorRecord, processorsOf, zoneOf } from '../company/index.js';
import { type CardsSeen, RECONCILIATION, type ReconciliationState } from '../money/index.js';
import { type Look, type Reading, skipped, WAITING, type WorkKind } from './work-kind.js';

/** The longest time between two rounds that leave nothing undone, in milliseconds: payments are looked for every second. */
const PAYMENTS_LATE_MS = 1_800_000;
/** How long after the day processors may take to have its results, in minutes. */
const RESULTS_GRACE_MINUTES = 12 * 60;

/** Those that take new payments, and those that did: what is under way with them goes on. */
const processors = ({ company }: Look): readonly ProcessorRecord[] =>
  [...processorsOf(company).values()].filter(({ stored }) => stored.status !== 'draft' && !isByFiles(stored));

const zoneOfProcessor = ({ company }: Look, { stored }: ProcessorRecord): string => stored.timezone ?? zoneOf(company);

const NOTHING_SEEN: Omit<CardsSeen, 'processorId'> = { startedAt: 0, workedAt: null, fault: null };

const seenOf = ({ outside }: Look, processorId: string | null): Omit<CardsSeen, 'processorId'> =>
  outside.cards.find((seen) => seen.processorId === processorId) ?? NOTHING_SEEN;

const isUsed = ({ company }: Look, processorId: string | null): boolean =>
  processorsOf(company).get(processorId ?? '')?.stored.status === 'active';

/** Goes on all day. */
export const CARD_PAYMENTS: WorkKind = {
  title: 'Payments of a processor of cards',
  due: 'all day',
  includes: ['verifications of new cards', 'authorizations, captures and refunds', 'releases of authorizations that nobody has answered'],
  graceMinutes: PAYMENTS_LATE_MS / 60_000,
  pausedBy: 'work',
  restsUnderWay: true,
  hasOwnZones: true,
  dueOn: (look, day) =>
    processors(look).flatMap((processor) => {
      const zone = zoneOfProcessor(look, processor);
      const dueAt = Math.max(startOfDay(zone, day), processor.createdAt);
      return dueAt >= startOfDay(zone, addDays(day, 1)) ? [] : [{ subjectId: processor.id, zone, day, dueAt }];
    }),
  read(look, { subjectId, zone, day, dueAt }) {
    const { startedAt, workedAt, fault } = seenOf(look, subjectId);
    const end = startOfDay(zone, addDays(day, 1));
    const isWorked = workedAt !== null && workedAt >= dueAt;
    if (look.now >= end)
      return isWorked
        ? { state: 'done', endedAt: end }
        : skipped('The processor was not asked on this day. What has waited is done later.');
    const isLate = isUsed(look, subjectId) && look.now - Math.max(workedAt ?? 0, dueAt, startedAt) > PAYMENTS_LATE_MS;
    return { state: isWorked ? 'running' : 'waiting', isLate, error: fault };
  },
};

/** Of the day before. */
export const CARD_RESULTS: WorkKind = {
  title: 'Results of a processor of cards',
  due: 'each day at midnight of the processor, for the day before',
  includes: [
    'the comparison of its payments, refunds and disputes with the ledger',
    'what the processor pays',
    'the reconciliation of the day',
  ],
  graceMinutes: RESULTS_GRACE_MINUTES,
  pausedBy: 'work',
  hasOwnZones: true,
  dueOn: (look, day) =>
    processors(look).flatMap((processor) => {
      const zone = zoneOfProcessor(look, processor);
      const dueAt = startOfDay(zone, day);
      return dueAt < processor.createdAt ? [] : [{ subjectId: processor.id, zone, day, dueAt }];
    }),
  read: readResults,
};

function readResults(look: Look, { subjectId, day, dueAt }: { subjectId: string | null; day: Day; dueAt: number }): Reading {
  const date = formatDay(addDays(day, -1));
  const { rows } = look.env.listAll(RECONCILIATION, {
    ...(subjectId === null ? {} : { parentId: subjectId }),
    matches: ({ fields }) => fields['date'] === date && fields['hasCardResults'] === true,
    limit: 1,
  });
  const [row] = rows;
  const state = row === undefined ? undefined : look.env.stateOf<ReconciliationState>(RECONCILIATION, row.id);
  if (state?.cardResults === undefined) return look.now < dueAt ? WAITING : { state: 'waiting', error: seenOf(look, subjectId).fault };
  const { itemCount } = state.cardResults;
  return { state: 'done', counts: { items: itemCount, differences: state.items.length }, objectIds: [state.id] };
}
