import { test } from 'tap';
import {
  DISPUTE_STATUSES,
  disputeMachine,
  disputeMoveBetween,
  disputeStatusAfter,
  disputeTargetOf,
  isCounted,
  isHeld,
  isRefundKept,
  isUndecided,
  mayMove,
  orderedMoveBetween,
  PURCHASE_STATUSES,
  purchaseMachine,
  statusAfter,
  statusesFor,
  targetOf,
} from '../../../../actors/loan/purchases/machine.js';

/** Every transition that a caller may order; all others are refused. */
const PURCHASE_ORDERS: Readonly<Record<string, readonly string[]>> = {
  new: ['authorized', 'pending', 'settled', 'declined'],
  authorized: ['pending', 'settled', 'canceled', 'declined'],
  pending: ['settled', 'canceled', 'declined'],
  settled: ['canceled'],
  disputed: [],
  canceled: [],
  declined: [],
};

test('a purchase goes where the contract says, and nowhere else', (t) => {
  t.same(Object.keys(purchaseMachine.states), [...PURCHASE_STATUSES]);
  for (const from of PURCHASE_STATUSES) {
    const reached = PURCHASE_STATUSES.filter((to) => to !== 'new' && orderedMoveBetween(from, to) !== undefined);
    t.same([...reached].sort(), [...(PURCHASE_ORDERS[from] ?? [])].sort(), from);
  }
  t.end();
});

test('disputes alone lead to disputed and back to settled', (t) => {
  t.equal(statusAfter('settled', 'dispute'), 'disputed');
  t.equal(statusAfter('disputed', 'dispute'), 'disputed');
  t.equal(statusAfter('disputed', 'resolve'), 'settled');
  t.equal(targetOf('authorized', 'dispute'), undefined);
  t.throws(() => statusAfter('declined', 'settle'));
  t.end();
});

test('the amount changes while the purchase only holds credit', (t) => {
  t.same(statusesFor('amend'), ['authorized', 'pending']);
  t.same(
    PURCHASE_STATUSES.filter((status) => status !== 'new' && isHeld(status)),
    ['authorized', 'pending'],
  );
  t.same(
    PURCHASE_STATUSES.filter((status) => status !== 'new' && isCounted(status)),
    ['settled', 'disputed'],
  );
  t.ok(mayMove('canceled', 'describe'));
  t.end();
});

const DISPUTE_ORDERS: Readonly<Record<string, readonly string[]>> = {
  new: ['open', 'submitted'],
  open: ['submitted', 'expired', 'canceled'],
  submitted: ['won', 'lost', 'expired'],
  won: [],
  lost: [],
  expired: [],
  canceled: [],
};

test('a dispute that was submitted is not withdrawn, and one that was decided stays so', (t) => {
  t.same(Object.keys(disputeMachine.states), [...DISPUTE_STATUSES]);
  for (const from of DISPUTE_STATUSES) {
    const reached = DISPUTE_STATUSES.filter((to) => to !== 'new' && disputeMoveBetween(from, to) !== undefined);
    t.same([...reached].sort(), [...(DISPUTE_ORDERS[from] ?? [])].sort(), from);
  }
  t.equal(disputeStatusAfter('submitted', 'win'), 'won');
  t.equal(disputeTargetOf('won', 'describe'), 'won');
  t.throws(() => disputeStatusAfter('open', 'win'));
  t.end();
});

test('the provisional refund stands until somebody decides against the borrower', (t) => {
  const statuses = DISPUTE_STATUSES.flatMap((status) => (status === 'new' ? [] : [status]));
  t.same(statuses.filter(isUndecided), ['open', 'submitted']);
  t.same(statuses.filter(isRefundKept), ['open', 'submitted', 'won']);
  t.end();
});
