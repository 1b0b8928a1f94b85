import { isDeepStrictEqual } from 'node:util';
import type { OperationView } from '../kernel/jobs/share-views.js';
import type { Reading } from './work-kind.js';
import { type DayWork, isOver } from './work-day.js';
import type { NamedDueWork } from './works.js';

/** A reading of work that is as its operation is. */
export type FollowedOperation = Pick<
  OperationView,
  'status' | 'isPaused' | 'progress' | 'counts' | 'errorMessage' | 'startedAt' | 'finishedAt'
>;

/**
 * The reading with what its operation says; null: the operation is no longer known, so that it has ended. Its moments are of the machine:
 * `ahead` is how far the company's clock is ahead of it, in milliseconds.
 */
export function asOperation(reading: Reading, operation: FollowedOperation | null, ahead: number): Reading {
  if (operation === null) return { ...reading, state: 'done' };
  const { status, isPaused, progress, counts, errorMessage, startedAt, finishedAt } = operation;
  const known = {
    ...reading,
    begunAt: Date.parse(startedAt) + ahead,
    endedAt: finishedAt === null ? null : Date.parse(finishedAt) + ahead,
    progress,
    counts: counts === null ? {} : { ...counts },
  };
  switch (status) {
    case 'running':
      return { ...known, state: isPaused ? 'paused' : 'running', error: isPaused ? 'A user has paused the operation.' : null };
    case 'succeeded':
      return { ...known, state: 'done' };
    case 'failed':
      return { ...known, state: 'failed', error: errorMessage };
  }
}

/** Steps of progress that are recorded, as a share of the whole: a work has at most twenty. */
const STEP = 0.05;
const MOST_TEXT = 500;

/** How the work is recorded now; null if nothing of it has changed. */
export function seenWork(before: DayWork | null, due: NamedDueWork, found: Reading, now: number): DayWork | null {
  // A process that has just started does not know yet what its predecessor had begun.
  const reading: Reading = found.state === 'waiting' && before?.state === 'running' ? { ...found, state: 'running' } : found;
  const { state, error = null, objectIds = [], operationId = null } = reading;
  const hasEnded = isOver(reading) || state === 'failed';
  const work: DayWork = {
    key: due.key,
    work: due.work,
    subjectId: due.subjectId,
    zone: due.zone,
    day: due.day,
    dueAt: due.dueAt,
    lateAt: due.lateAt,
    state,
    begunAt: before?.begunAt ?? reading.begunAt ?? (state === 'running' ? now : null),
    endedAt: hasEnded
      ? ((before?.state === state ? before.endedAt : null) ?? (reading.endedAt === undefined ? now : reading.endedAt))
      : null,
    progress: steppedProgress(before, reading),
    counts: hasEnded ? (reading.counts ?? {}) : {},
    error: error === null ? null : error.slice(0, MOST_TEXT),
    operationId: operationId ?? before?.operationId ?? null,
    objectIds: objectIds.length > 0 ? objectIds : (before?.objectIds ?? []),
    lateSince: before?.lateSince ?? lateSince(due, reading, now),
  };
  return isDeepStrictEqual(before, work) ? null : work;
}

function steppedProgress(before: DayWork | null, { state, progress = null }: Reading): DayWork['progress'] {
  if (progress === null || before?.progress == null || before.state !== state) return progress;
  const isStep = Math.abs(progress.done - before.progress.done) >= STEP * Math.max(1, progress.total);
  return isStep || progress.total !== before.progress.total ? progress : before.progress;
}

/** A work is late when it has failed, or is not over when its time of grace is. */
function lateSince({ lateAt }: NamedDueWork, reading: Reading, now: number): number | null {
  if (isOver(reading)) return null;
  if (reading.state === 'failed') return reading.endedAt ?? now;
  if (reading.isLate !== undefined) return reading.isLate ? now : null;
  return now > lateAt ? lateAt : null;
}
