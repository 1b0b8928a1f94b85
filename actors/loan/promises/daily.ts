import type { FactDraft } from '../../kernel/fact.js';
import type { ScheduledWork } from '../scheduled-work.js';
import type { LoanState } from '../state.js';
import type { PromiseMoved } from './evolve.js';
import { livePlan, promiseTask } from './tracking.js';

/** Promises to pay, day by day: they start, fall due, fall behind or are caught up with, and end. */
export const promiseWork: ScheduledWork = {
  nextDay: (state) => promiseTask(state)?.day ?? null,
  *due(state, day) {
    for (let draft = moveBy(state, day); draft !== null; draft = moveBy(state, day)) yield draft;
  },
};

function moveBy(state: LoanState, today: number): FactDraft | null {
  const plan = livePlan(state);
  const next = promiseTask(state);
  if (plan === null || next === null || next.day > today) return null;
  const { move, day, promise, cancellationReason } = next;
  const body: PromiseMoved = {
    planId: plan.id,
    move,
    day,
    promiseId: promise?.id ?? null,
    cancellationReason,
    reasonDetails: null,
    caseId: null,
  };
  return { type: 'PromiseMoved', body };
}
