import { setup } from 'xstate';
import { Chart } from '../../statechart.js';

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

export const planChart = new Chart<PlanStatus, PlanMove>(planMachine);

export const mayMovePlan = (status: PlanStatus, move: PlanMove): boolean => planChart.allows(status, move);

/** The status after a move that the status allows. */
export const planStatusAfter = (status: PlanStatus, move: PlanMove): PlanStatus => planChart.after(status, move);
