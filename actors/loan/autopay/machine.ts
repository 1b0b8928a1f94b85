import { setup } from 'xstate';
import { assert } from '../../../engine/index.js';
import { Chart, STAYS } from '../../statechart.js';

/** Every status of an autopay plan, with the moment before its first one. */
const AUTOPAY_STATUSES = ['new', 'active', 'suspended', 'completed', 'canceled'] as const;

export type AutopayStatus = Exclude<(typeof AUTOPAY_STATUSES)[number], 'new'>;

/**
 * The life of an autopay plan. `suspend` and `resume` follow a loan that is frozen;
 * `complete` is the end of a loan that the plan has paid off to its last row. A transition without a target leaves the
 * status as it is.
 */
export const autopayMachine = setup({
  types: { events: {} as { readonly type: AutopayMove } },
}).createMachine({
  id: 'autopay',
  initial: 'new',
  states: {
    new: { on: { start: 'active' } },
    active: {
      on: {
        suspend: 'suspended',
        complete: 'completed',
        cancel: 'canceled',
        pay: STAYS,
        answerFailure: STAYS,
        adoptSchedule: STAYS,
        changeInstrument: STAYS,
        reschedulePayment: STAYS,
        cancelPayment: STAYS,
      },
    },
    suspended: {
      on: {
        resume: 'active',
        complete: 'completed',
        cancel: 'canceled',
        answerFailure: STAYS,
        adoptSchedule: STAYS,
        changeInstrument: STAYS,
        reschedulePayment: STAYS,
        cancelPayment: STAYS,
      },
    },
    completed: { type: 'final' },
    canceled: { type: 'final' },
  },
});

export type AutopayMove =
  | 'start'
  | 'suspend'
  | 'resume'
  | 'complete'
  | 'cancel'
  | 'pay'
  | 'answerFailure'
  | 'adoptSchedule'
  | 'changeInstrument'
  | 'reschedulePayment'
  | 'cancelPayment';

export const autopayChart = new Chart<AutopayStatus | 'new', AutopayMove>(autopayMachine);

export const mayMove = (status: AutopayStatus, move: AutopayMove): boolean => autopayChart.allows(status, move);

export function statusAfter(from: AutopayStatus | 'new', move: AutopayMove): AutopayStatus {
  const next = autopayChart.after(from, move);
  assert(next !== 'new', 'a plan begins with a move that has a target');
  return next;
}
