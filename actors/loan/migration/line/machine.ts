import { setup } from 'xstate';
import { Chart } from '../../../statechart.js';
import type { PastTransactionStatus } from './history.js';

/** The life of a transaction that another system has recorded. It begins in any of its states. */
export const pastTransactionMachine = setup({}).createMachine({
  id: 'pastTransaction',
  initial: 'pending',
  states: {
    pending: { on: { succeed: 'succeeded', fail: 'failed' } },
    succeeded: { on: { fail: 'failed' } },
    failed: { type: 'final' },
  },
});

type PastTransactionMove = 'succeed' | 'fail';

export const pastTransactionChart = new Chart<PastTransactionStatus, PastTransactionMove>(pastTransactionMachine);
