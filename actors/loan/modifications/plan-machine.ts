import { setup } from 'xstate';
import { assert } from '../../../engine/index.js';

/**
 * The life of a payment plan: it is over when its last due date has passed or its loan is paid off; somebody
 * cancels it, or the loan leaves the statuses in which it has due dates.
 */
export const planMachine = setup({
  types: { events: {} as { readonly type: PlanMove } },
}).createMachine({
  id: 'paymentPlan',
  initial: 'active',
  states: {
    active: { on: { complete: 'completed', cancel: 'canceled' } },
    completed: { type: 'final' },
    canceled: { type: 'final' },
  },
});

export type PlanStatus = 'active' | 'completed' | 'canceled';
export type PlanMove = 'complete' | 'cancel';

const TARGETS: ReadonlyMap<string, ReadonlyMap<string, string | undefined>> = new Map(
  Object.entries(planMachine.states).map(([status, node]) => [
    status,
    new Map(Object.entries(node.on).map(([move, transitions]) => [move, transitions[0]?.target?.[0]?.key])),
  ]),
);

export const mayMovePlan = (status: PlanStatus, move: PlanMove): boolean => TARGETS.get(status)?.has(move) === true;

/** The status after a move that the status allows. */
export function planStatusAfter(status: PlanStatus, move: PlanMove): PlanStatus {
  const next = TARGETS.get(status)?.get(move);
  assert(next !== undefined, `a ${status} plan cannot ${move}`);
  return next as PlanStatus;
}
