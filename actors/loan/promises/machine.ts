import { setup } from 'xstate';
import { assert } from '../../../engine/index.js';

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
    scheduled: { on: { start: 'active', cancel: 'canceled', change: {} } },
    active: { on: { fallBehind: 'overdue', keep: 'kept', break: 'broken', cancel: 'canceled', fallDue: {}, change: {} } },
    overdue: { on: { catchUp: 'active', break: 'broken', cancel: 'canceled', fallDue: {}, change: {} } },
    kept: { type: 'final' },
    broken: { type: 'final' },
    canceled: { type: 'final' },
  },
});

/** What may happen to a plan, in the words of the statechart. */
export type PromiseMove = 'start' | 'fallDue' | 'fallBehind' | 'catchUp' | 'keep' | 'break' | 'cancel' | 'change';

/** The transitions of each state, taken from the statechart once. */
const TRANSITIONS: ReadonlyMap<string, ReadonlyMap<string, PromiseState | null>> = new Map(
  Object.entries(promiseMachine.states).map(([state, node]) => [
    state,
    new Map(
      Object.entries(node.on).map(([move, transitions]) => [move, (transitions[0]?.target?.[0]?.key ?? null) as PromiseState | null]),
    ),
  ]),
);

export const mayMove = (state: PromiseState, move: PromiseMove): boolean => TRANSITIONS.get(state)?.has(move) ?? false;

/** The state after a move that the state allows. */
export function stateAfter(state: PromiseState, move: PromiseMove): PromiseState {
  const target = TRANSITIONS.get(state)?.get(move);
  assert(target !== undefined, `a ${state} promise-to-pay plan cannot ${move}`);
  return target ?? state;
}

export const isOver = (state: PromiseState): boolean => TRANSITIONS.get(state)?.size === 0;

export const promiseStatus = (state: PromiseState): PromiseStatus => (state === 'overdue' ? 'active' : state);
