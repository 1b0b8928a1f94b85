import { setup } from 'xstate';
import { assert } from '../../../engine/index.js';

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
    open: { on: { submit: 'submitted', expire: 'expired', cancel: 'canceled', describe: {} } },
    submitted: { on: { win: 'won', lose: 'lost', expire: 'expired', describe: {} } },
    won: { on: { describe: {} } },
    lost: { on: { describe: {} } },
    expired: { on: { describe: {} } },
    canceled: { on: { describe: {} } },
  },
});

export type DisputeMove = 'open' | 'submit' | 'win' | 'lose' | 'expire' | 'cancel' | 'describe';

const MOVES: readonly DisputeMove[] = ['open', 'submit', 'win', 'lose', 'expire', 'cancel'];

/** The transitions of each status, taken from the statechart once. */
const TRANSITIONS: ReadonlyMap<string, ReadonlyMap<string, DisputeStatus | null>> = new Map(
  Object.entries(disputeMachine.states).map(([status, node]) => [
    status,
    new Map(
      Object.entries(node.on).map(([move, transitions]) => [move, (transitions[0]?.target?.[0]?.key ?? null) as DisputeStatus | null]),
    ),
  ]),
);

/** Undefined when the status does not allow the move. */
export function disputeTargetOf(from: DisputeStatus | 'new', move: DisputeMove): DisputeStatus | 'new' | undefined {
  const target = TRANSITIONS.get(from)?.get(move);
  return target === null ? from : target;
}

export function disputeStatusAfter(from: DisputeStatus | 'new', move: DisputeMove): DisputeStatus {
  const target = disputeTargetOf(from, move);
  assert(target !== undefined && target !== 'new', `a ${from} dispute cannot ${move}`);
  return target;
}

/** The move that leads from one status to another; undefined when none does. */
export const disputeMoveBetween = (from: DisputeStatus | 'new', to: DisputeStatus): DisputeMove | undefined =>
  MOVES.find((move) => disputeTargetOf(from, move) === to);

/** Still to be decided. */
export const isUndecided = (status: DisputeStatus): boolean => status === 'open' || status === 'submitted';

/** The provisional refund stands: nobody has decided against the borrower. */
export const isRefundKept = (status: DisputeStatus): boolean => isUndecided(status) || status === 'won';
