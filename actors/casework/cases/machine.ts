import type { CaseStatus } from '../../company/index.js';
import { setup } from 'xstate';
import { Chart, STAYS, moves } from '../../statechart.js';

/**
 * The lifecycle of a case. A transition without a target is allowed in that status and does not change it: `work` is every
 * change of fields, owner, associations, snooze, calls, escalation and blocks. A closed case accepts only notes and views
 * until it is reopened.
 */
export const caseMachine = setup({
  types: moves<CaseMove>(),
}).createMachine({
  id: 'case',
  initial: 'initiated',
  states: {
    initiated: { on: { process: 'processing', cancel: 'canceled', delete: 'deleted', work: STAYS, note: STAYS, view: STAYS } },
    processing: {
      on: { stepBack: 'initiated', complete: 'completed', cancel: 'canceled', delete: 'deleted', work: STAYS, note: STAYS, view: STAYS },
    },
    completed: { on: { reopen: 'reopened', note: STAYS, view: STAYS } },
    canceled: { on: { reopen: 'reopened', note: STAYS, view: STAYS } },
    reopened: {
      on: { process: 'processing', complete: 'completed', cancel: 'canceled', delete: 'deleted', work: STAYS, note: STAYS, view: STAYS },
    },
    deleted: { type: 'final' },
  },
});

export type CaseMove = 'process' | 'stepBack' | 'complete' | 'cancel' | 'reopen' | 'delete' | 'work' | 'note' | 'view';

/** A status, or `deleted`: the case is kept, but requests cannot reach it. */
export type StoredCaseStatus = CaseStatus | 'deleted';

export const caseChart = new Chart<StoredCaseStatus, CaseMove>(caseMachine);

export const mayMove = (state: StoredCaseStatus, move: CaseMove): boolean => caseChart.allows(state, move);

/** The statuses that a case can take next. */
export const nextStatuses = (state: StoredCaseStatus): readonly string[] =>
  caseChart.nextStates(state).filter((next) => next !== 'deleted');

export const isActive = (state: StoredCaseStatus): boolean => mayMove(state, 'work');

export const isClosed = (state: StoredCaseStatus): boolean => mayMove(state, 'reopen');
