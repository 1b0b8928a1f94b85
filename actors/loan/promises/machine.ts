import { setup } from 'xstate';
import { Chart, STAYS } from '../../statechart.js';

/** Where a promise-to-pay plan stands. `overdue` shows as status `active` with `isOverdue`. */
const PROMISE_STATES = ['scheduled', 'active', 'overdue', 'kept', 'broken', 'canceled'] as const;

export type PromiseState = (typeof PROMISE_STATES)[number];
export type PromiseStatus = Exclude<PromiseState, 'overdue'>;

/**
 * The life of a promise-to-pay plan. All but `change` and `cancel` follow from the days and from the
 * borrower's payments. A transition without a target leaves the plan where it is.
 */
export const promiseMachine = setup({
  types: { events: {} as { readonly type: PromiseMove } },
}).createMachine({
  id: 'promiseToPayPlan',
  initial: 'scheduled',
  states: {
    scheduled: { on: { start: 'active', cancel: 'canceled', change: STAYS } },
    active: { on: { fallBehind: 'overdue', keep: 'kept', break: 'broken', cancel: 'canceled', fallDue: STAYS, change: STAYS } },
    overdue: { on: { catchUp: 'active', break: 'broken', cancel: 'canceled', fallDue: STAYS, change: STAYS } },
    kept: { type: 'final' },
    broken: { type: 'final' },
    canceled: { type: 'final' },
  },
});

/** What may happen to a plan, in the words of the statechart. */
export type PromiseMove = 'start' | 'fallDue' | 'fallBehind' | 'catchUp' | 'keep' | 'break' | 'cancel' | 'change';

export const promiseChart = new Chart<PromiseState, PromiseMove>(promiseMachine);

export const mayMove = (state: PromiseState, move: PromiseMove): boolean => promiseChart.allows(state, move);

/** The state after a move that the state allows. */
export const stateAfter = (state: PromiseState, move: PromiseMove): PromiseState => promiseChart.after(state, move);

export const isOver = (state: PromiseState): boolean => promiseChart.isOver(state);

export const promiseStatus = (state: PromiseState): PromiseStatus => (state === 'overdue' ? 'active' : state);
