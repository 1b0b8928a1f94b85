import type { CaseStatus } from '../../company/index.js';
import { setup } from 'xstate';
import { Chart, STAYS } from '../../statechart.js';

/**
 * The life of a case. A transition without a target is something that may be done in that status and leaves it
 * as it is: `work` is every change of fields, owner, associations, snooze, calls, escalation and blocks. A closed case
 * takes notes and views alone, until it is reopened.
 */
export const caseMachine = setup({
  types: { events: {} as { readonly type: CaseMove } },
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

/** A status, or deleted: kept, and out of reach. */
export type CaseStanding = CaseStatus | 'deleted';

export const caseChart = new Chart<CaseStanding, CaseMove>(caseMachine);

export const mayMove = (state: CaseStanding, move: CaseMove): boolean => caseChart.allows(state, move);

/** The statuses that a case can take next. */
export const nextStatuses = (state: CaseStanding): readonly string[] => caseChart.nextStates(state).filter((next) => next !== 'deleted');

export const isActive = (state: CaseStanding): boolean => mayMove(state, 'work');

export const isClosed = (state: CaseStanding): boolean => mayMove(state, 'reopen');
