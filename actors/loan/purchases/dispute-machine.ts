import { setup } from 'xstate';
import { assert } from '../../../engine/index.js';
import { Chart, STAYS } from '../../statechart.js';

/** Every status of a purchase dispute, with the moment before its first one. */
export const DISPUTE_STATUSES = ['new', 'open', 'submitted', 'won', 'lost', 'expired', 'canceled'] as const;

export type DisputeStatus = Exclude<(typeof DISPUTE_STATUSES)[number], 'new'>;

/** The life of a dispute: what was submitted to the network is decided there, and is not withdrawn. */
export const disputeMachine = setup({
  types: { events: {} as { readonly type: DisputeMove } },
}).createMachine({
  id: 'dispute',
  initial: 'new',
  states: {
    new: { on: { open: 'open', submit: 'submitted' } },
    open: { on: { submit: 'submitted', expire: 'expired', cancel: 'canceled', describe: STAYS } },
    submitted: { on: { win: 'won', lose: 'lost', expire: 'expired', describe: STAYS } },
    won: { on: { describe: STAYS } },
    lost: { on: { describe: STAYS } },
    expired: { on: { describe: STAYS } },
    canceled: { on: { describe: STAYS } },
  },
});

export type DisputeMove = 'open' | 'submit' | 'win' | 'lose' | 'expire' | 'cancel' | 'describe';

export const disputeChart = new Chart<DisputeStatus | 'new', DisputeMove>(disputeMachine);

/** Undefined when the status does not allow the move. */
export const disputeTargetOf = (from: DisputeStatus | 'new', move: DisputeMove): DisputeStatus | 'new' | undefined =>
  disputeChart.target(from, move);

export function disputeStatusAfter(from: DisputeStatus | 'new', move: DisputeMove): DisputeStatus {
  const target = disputeChart.after(from, move);
  assert(target !== 'new', 'a dispute begins with a move');
  return target;
}

/** The move that leads from one status to another; undefined when none does. */
export const disputeMoveBetween = (from: DisputeStatus | 'new', to: DisputeStatus): DisputeMove | undefined =>
  disputeChart.moveBetween(from, to);

/** Still to be decided. */
export const isUndecided = (status: DisputeStatus): boolean => status === 'open' || status === 'submitted';

/** The provisional refund stands: nobody has decided against the borrower. */
export const isRefundKept = (status: DisputeStatus): boolean => isUndecided(status) || status === 'won';
