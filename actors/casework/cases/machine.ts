import type { CaseStatus } from '../../company/index.js';
import { setup } from 'xstate';
import { must } from '../../../engine/index.js';

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
    initiated: { on: { process: 'processing', cancel: 'canceled', delete: 'deleted', work: {}, note: {}, view: {} } },
    processing: {
      on: { stepBack: 'initiated', complete: 'completed', cancel: 'canceled', delete: 'deleted', work: {}, note: {}, view: {} },
    },
    completed: { on: { reopen: 'reopened', note: {}, view: {} } },
    canceled: { on: { reopen: 'reopened', note: {}, view: {} } },
    reopened: { on: { process: 'processing', complete: 'completed', cancel: 'canceled', delete: 'deleted', work: {}, note: {}, view: {} } },
    deleted: { type: 'final' },
  },
});

export type CaseMove = 'process' | 'stepBack' | 'complete' | 'cancel' | 'reopen' | 'delete' | 'work' | 'note' | 'view';

/** A status, or deleted: kept, and out of reach. */
export type CaseStanding = CaseStatus | 'deleted';

/** The transitions of each state, taken from the statechart once: the move, and where it leads. */
const TRANSITIONS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(caseMachine.states).map(([state, node]) => [
    state,
    new Map(Object.entries(node.on).map(([move, transitions]) => [move, transitions[0]?.target?.[0]?.key ?? state])),
  ]),
);

const movesOf = (state: CaseStanding): ReadonlyMap<string, string> => must(TRANSITIONS.get(state), `a case is never ${state}`);

export const mayMove = (state: CaseStanding, move: CaseMove): boolean => movesOf(state).has(move);

/** The statuses that a case can take next. */
export const nextStatuses = (state: CaseStanding): readonly string[] =>
  [...new Set(movesOf(state).values())].filter((next) => next !== state && next !== 'deleted');

export const isActive = (state: CaseStanding): boolean => mayMove(state, 'work');

export const isClosed = (state: CaseStanding): boolean => mayMove(state, 'reopen');
