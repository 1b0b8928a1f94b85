import { test } from 'tap';
import {
  mayMove,
  statusAfter,
  TRANSACTION_STATUSES,
  type TransactionMove,
  type TransactionStatus,
} from '../../../../actors/loan/transactions/machine.js';

/** The rows of the contract's "States and transitions" that a loan's own transactions go through. */
const ROWS: readonly (readonly [from: TransactionStatus | 'new', move: TransactionMove, to: TransactionStatus, row: string])[] = [
  ['new', 'schedule', 'scheduled', 'create, future date'],
  ['new', 'initiate', 'initiated', 'create, internal, today'],
  ['new', 'post', 'pending', 'create external, status pending'],
  ['new', 'succeed', 'succeeded', 'create external, status succeeded; create serviceCredit of today'],
  ['new', 'fail', 'failed', 'create external, status failed'],
  ['scheduled', 'initiate', 'initiated', 'processing day reached, internal'],
  ['scheduled', 'fallDue', 'scheduled', 'processing day reached, external'],
  ['scheduled', 'post', 'pending', 'the caller updates an external one'],
  ['scheduled', 'succeed', 'succeeded', 'the day of a credit; the caller updates an external one'],
  ['scheduled', 'fail', 'failed', 'the caller updates an external one'],
  ['scheduled', 'cancel', 'canceled', 'cancel'],
  ['scheduled', 'reschedule', 'scheduled', 'reschedule'],
  ['initiated', 'handOver', 'pending', 'file delivered'],
  ['pending', 'succeed', 'succeeded', 'no return within the window'],
  ['initiated', 'succeed', 'succeeded', 'no return within the window'],
  ['pending', 'fail', 'failed', 'return, decline, caller update'],
  ['initiated', 'fail', 'failed', 'return, decline, caller update'],
  ['succeeded', 'fail', 'failed', 'late return, external correction'],
  ['succeeded', 'dispute', 'inDispute', 'dispute opened'],
  ['inDispute', 'chargeBack', 'chargeback', 'chargeback booked'],
  ['succeeded', 'chargeBack', 'chargeback', 'chargeback booked'],
  ['inDispute', 'winDispute', 'succeeded', 'dispute won (money 3)'],
  ['chargeback', 'reverseChargeback', 'succeeded', 'chargeback reversed'],
  ['succeeded', 'reverse', 'succeeded', 'reverse'],
  ['succeeded', 'backdate', 'succeeded', 'backdate (rule 2)'],
];

/** The end of hold days changes no status. */
const HELD: readonly TransactionStatus[] = ['initiated', 'pending', 'succeeded', 'inDispute'];

const MOVES = [...new Set(ROWS.map(([, move]) => move))];

for (const [from, move, to, row] of ROWS) {
  test(`${from} by ${move} becomes ${to}: ${row}`, (t) => {
    t.ok(mayMove(from, move));
    t.equal(statusAfter(from, move), to);
    t.end();
  });
}

test('no status allows a move that the contract does not name', (t) => {
  for (const status of TRANSACTION_STATUSES) {
    for (const move of MOVES) {
      const isNamed = ROWS.some(([from, named]) => from === status && named === move);
      t.equal(mayMove(status, move), isNamed, `${status} ${move}`);
    }
    t.equal(
      mayMove(status, 'expireHold'),
      HELD.some((held) => held === status),
      `${status} expireHold`,
    );
  }
  t.end();
});
