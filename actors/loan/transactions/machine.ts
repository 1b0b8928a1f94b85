import { setup } from 'xstate';
import { assert } from '../../../engine/index.js';
import { Chart, STAYS, moves } from '../../statechart.js';

/** Every status of a transaction; `new` is before the first one. */
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
 * The statuses of a transaction. A transition without a target is a move that is allowed in that status and does not change it.
 *
 * `initiate` and `handOver` are for money that the service moves itself, `post` and `fallDue` for external payments, which it only records.
 * A credit becomes `succeeded` at once.
 */
export const transactionMachine = setup({
  types: moves<TransactionMove>(),
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
        reschedule: STAYS,
        fallDue: STAYS,
      },
    },
    initiated: {
      on: { handOver: 'pending', succeed: 'succeeded', fail: 'failed', expireHold: STAYS },
    },
    pending: {
      on: { succeed: 'succeeded', fail: 'failed', expireHold: STAYS },
    },
    succeeded: {
      on: {
        fail: 'failed',
        dispute: 'inDispute',
        chargeBack: 'chargeback',
        reverse: STAYS,
        backdate: STAYS,
        expireHold: STAYS,
      },
    },
    inDispute: {
      on: { chargeBack: 'chargeback', winDispute: 'succeeded', expireHold: STAYS },
    },
    chargeback: {
      on: { reverseChargeback: 'succeeded' },
    },
    failed: { type: 'final' },
    canceled: { type: 'final' },
  },
});

/** The moves of a transaction, named as in its statechart. */
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

export const transactionChart = new Chart<TransactionStatus | 'new', TransactionMove>(transactionMachine);

export const mayMove = (status: TransactionStatus | 'new', move: TransactionMove): boolean => transactionChart.allows(status, move);

/** The status after a move that the status allows. */
export function statusAfter(status: TransactionStatus | 'new', move: TransactionMove): TransactionStatus {
  const next = transactionChart.after(status, move);
  assert(next !== 'new', 'a transaction begins with a move that has a target');
  return next;
}

/** The move that leads from one status to another; undefined if there is none. */
export const moveBetween = (from: TransactionStatus | 'new', to: TransactionStatus): TransactionMove | undefined =>
  transactionChart.moveBetween(from, to);

/** The statuses that allow a move, in the order of a transaction's life. */
export const statusesFor = (move: TransactionMove): readonly TransactionStatus[] =>
  transactionChart.statesFor(move).filter((status) => status !== 'new');
