import { setup } from 'xstate';
import { assert } from '../../../engine/index.js';

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
        pay: {},
        answerFailure: {},
        adoptSchedule: {},
        changeInstrument: {},
        reschedulePayment: {},
        cancelPayment: {},
      },
    },
    suspended: {
      on: {
        resume: 'active',
        complete: 'completed',
        cancel: 'canceled',
        answerFailure: {},
        adoptSchedule: {},
        changeInstrument: {},
        reschedulePayment: {},
        cancelPayment: {},
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

/** The transitions of each status, taken from the statechart once. */
const TRANSITIONS: ReadonlyMap<string, ReadonlyMap<string, AutopayStatus | null>> = new Map(
  Object.entries(autopayMachine.states).map(([status, node]) => [
    status,
    new Map(
      Object.entries(node.on).map(([move, transitions]) => [move, (transitions[0]?.target?.[0]?.key ?? null) as AutopayStatus | null]),
    ),
  ]),
);

export const mayMove = (status: AutopayStatus, move: AutopayMove): boolean => TRANSITIONS.get(status)?.has(move) === true;

export function statusAfter(from: AutopayStatus | 'new', move: AutopayMove): AutopayStatus {
  const target = TRANSITIONS.get(from)?.get(move);
  assert(target !== undefined, `an autopay plan that is ${from} cannot ${move}`);
  const next = target ?? from;
  assert(next !== 'new', 'a plan begins with a move that has a target');
  return next;
}
