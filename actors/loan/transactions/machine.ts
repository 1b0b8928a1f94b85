import { setup } from 'xstate';
import { assert } from '../../../engine/index.js';

/** Every status of a transaction, with the moment before its first one. */
export const TRANSACTION_STATUSES = [
  'new',
  'scheduled',
  'initiated',
  'pending',
  'succeeded',
  'failed',
  'canceled',
  'inDispute',
  'chargeback',
] as const;

export type TransactionStatus = Exclude<(typeof TRANSACTION_STATUSES)[number], 'new'>;

/**
 * The life of a transaction. A transition without a target is
 * something that may be done in that status and leaves it as it is.
 *
 * `initiate` and `handOver` are for money that the service moves itself, `post` and `fallDue` for what others move
 * and the service only records; a credit goes straight to `succeeded`.
 */
export const transactionMachine = setup({
  types: { events: {} as { readonly type: TransactionMove } },
}).createMachine({
  id: 'transaction',
  initial: 'new',
  states: {
    new: {
      on: { schedule: 'scheduled', initiate: 'initiated', post: 'pending', succeed: 'succeeded', fail: 'failed' },
    },
    scheduled: {
      on: {
        initiate: 'initiated',
        post: 'pending',
        succeed: 'succeeded',
        fail: 'failed',
        cancel: 'canceled',
        reschedule: {},
        fallDue: {},
      },
    },
    initiated: {
      on: { handOver: 'pending', succeed: 'succeeded', fail: 'failed', expireHold: {} },
    },
    pending: {
      on: { succeed: 'succeeded', fail: 'failed', expireHold: {} },
    },
    succeeded: {
      on: {
        fail: 'failed',
        dispute: 'inDispute',
        chargeBack: 'chargeback',
        reverse: {},
        backdate: {},
        expireHold: {},
      },
    },
    inDispute: {
      on: { chargeBack: 'chargeback', winDispute: 'succeeded', expireHold: {} },
    },
    chargeback: {
      on: { reverseChargeback: 'succeeded' },
    },
    failed: { type: 'final' },
    canceled: { type: 'final' },
  },
});

/** What may happen to a transaction, in the words of the statechart. */
export type TransactionMove =
  | 'schedule'
  | 'initiate'
  | 'post'
  | 'succeed'
  | 'fail'
  | 'cancel'
  | 'reschedule'
  | 'fallDue'
  | 'handOver'
  | 'dispute'
  | 'chargeBack'
  | 'reverse'
  | 'backdate'
  | 'expireHold'
  | 'winDispute'
  | 'reverseChargeback';

/** The transitions of each status, taken from the statechart once: asking costs two look-ups. */
const TRANSITIONS: ReadonlyMap<string, ReadonlyMap<string, TransactionStatus | null>> = new Map(
  Object.entries(transactionMachine.states).map(([status, node]) => [
    status,
    new Map(
      Object.entries(node.on).map(([move, transitions]) => [move, (transitions[0]?.target?.[0]?.key ?? null) as TransactionStatus | null]),
    ),
  ]),
);

export function mayMove(status: TransactionStatus | 'new', move: TransactionMove): boolean {
  return transitionsOf(status).has(move);
}

/** The status after a move that the status allows. */
export function statusAfter(status: TransactionStatus | 'new', move: TransactionMove): TransactionStatus {
  const target = transitionsOf(status).get(move);
  assert(target !== undefined, `a ${status} transaction cannot ${move}`);
  const next = target ?? status;
  assert(next !== 'new', 'a transaction begins with a move that has a target');
  return next;
}

/** The move that leads from one status to another; undefined when none does. */
export function moveBetween(from: TransactionStatus, to: TransactionStatus): TransactionMove | undefined {
  for (const [move, target] of transitionsOf(from)) if (target === to) return move as TransactionMove;
  return undefined;
}

/** The statuses in which a move is legal, in the order of life. */
export function statusesFor(move: TransactionMove): readonly TransactionStatus[] {
  return TRANSACTION_STATUSES.filter((status): status is TransactionStatus => status !== 'new' && mayMove(status, move));
}

function transitionsOf(status: string): ReadonlyMap<string, TransactionStatus | null> {
  const transitions = TRANSITIONS.get(status);
  assert(transitions !== undefined, `a status without a state: ${status}`);
  return transitions;
}
