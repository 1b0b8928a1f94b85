import { setup } from 'xstate';
import { Chart, STAYS } from '../../statechart.js';

const ADVANCE_STATUSES = ['scheduled', 'pending', 'settled', 'canceled'] as const;
export type AdvanceStatus = (typeof ADVANCE_STATUSES)[number];
export type AdvanceMove = 'post' | 'settle' | 'cancel' | 'change';

/** The life of an advance. A scheduled one whose status has not moved by its day is canceled the day after. */
export const advanceMachine = setup({
  types: { events: {} as { readonly type: AdvanceMove } },
}).createMachine({
  id: 'advance',
  initial: 'scheduled',
  states: {
    scheduled: { on: { post: 'pending', settle: 'settled', cancel: 'canceled', change: STAYS } },
    pending: { on: { settle: 'settled', cancel: 'canceled', change: STAYS } },
    settled: { on: { cancel: 'canceled' } },
    canceled: { type: 'final' },
  },
});

export const advanceChart = new Chart<AdvanceStatus, AdvanceMove>(advanceMachine);

export const mayMove = (status: AdvanceStatus, move: AdvanceMove): boolean => advanceChart.allows(status, move);
