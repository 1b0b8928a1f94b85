import { Purchases } from '../../../../actors/loan/purchases/purchases.js';
import { test } from 'tap';
import { eligibleDisputeCents, isDisputed, refundableCents } from '../../../../actors/loan/purchases/machine.js';
import type { DisputeStatus } from '../../../../actors/loan/purchases/posting.js';
import { centsFrom } from '../../../engine/numbers.js';
import { aDispute, aPurchase } from './records.js';

const bought = aPurchase();
const refund = aPurchase({
  purchase: 2,
  id: 'DP-0000-0002',
  kind: 'refund',
  originalPurchaseId: bought.id,
  amountCents: centsFrom('40.00'),
});

/** What an open-ended dispute over 40.00 of 100.00 leaves to dispute, by its status. */
const ELIGIBLE: Readonly<Record<DisputeStatus, string>> = {
  open: '60.00',
  submitted: '60.00',
  won: '60.00',
  lost: '100.00',
  expired: '100.00',
  canceled: '100.00',
};

test('open and won disputes lower what can be disputed, the others give it back', (t) => {
  for (const [status, eligible] of Object.entries(ELIGIBLE) as readonly (readonly [DisputeStatus, string])[]) {
    const disputes = [aDispute({ status })];
    t.equal(eligibleDisputeCents({ purchases: Purchases.of([bought, refund]), disputes }, bought), centsFrom(eligible), status);
    t.equal(isDisputed({ disputes }, bought), eligible === '60.00', status);
    t.equal(refundableCents({ purchases: Purchases.of([bought, refund]), disputes }, bought), centsFrom(eligible), status);
  }
  t.end();
});

test('nothing can be disputed of what is not settled, gave money, or stands for another purchase', (t) => {
  for (const status of ['authorized', 'pending', 'canceled', 'declined'] as const) {
    t.equal(eligibleDisputeCents({ purchases: Purchases.of([]), disputes: [] }, aPurchase({ status })), 0, status);
  }
  t.equal(eligibleDisputeCents({ purchases: Purchases.of([]), disputes: [] }, refund), 0);
  const again = aPurchase({ purchase: 3, id: 'DP-0000-0003', amountCents: centsFrom('40.00') });
  const disputes = [aDispute({ status: 'lost', repostedPurchaseId: again.id })];
  t.equal(eligibleDisputeCents({ purchases: Purchases.of([]), disputes }, again), 0);
  t.equal(refundableCents({ purchases: Purchases.of([bought, refund, again]), disputes }, again), 0);
  t.equal(eligibleDisputeCents({ purchases: Purchases.of([]), disputes: [] }, again), centsFrom('40.00'));
  t.end();
});

test('what a merchant gives back can be disputed no more', (t) => {
  const merchants = aPurchase({ ...refund, purchase: 3, id: 'DP-0000-0003', amountCents: centsFrom('30.00') });
  t.equal(eligibleDisputeCents({ purchases: Purchases.of([bought, merchants]), disputes: [] }, bought), centsFrom('70.00'));
  t.equal(
    eligibleDisputeCents({ purchases: Purchases.of([bought, refund, merchants]), disputes: [aDispute({ status: 'open' })] }, bought),
    centsFrom('30.00'),
  );
  t.end();
});

test('refunds on their way count as much as those that are made, declined and canceled ones do not', (t) => {
  const more = (status: 'authorized' | 'pending' | 'settled' | 'canceled' | 'declined') =>
    aPurchase({ ...refund, purchase: 3, id: 'DP-0000-0003', status });
  for (const status of ['authorized', 'pending', 'settled'] as const) {
    t.equal(refundableCents({ purchases: Purchases.of([bought, refund, more(status)]), disputes: [] }, bought), centsFrom('20.00'), status);
  }
  for (const status of ['canceled', 'declined'] as const) {
    t.equal(refundableCents({ purchases: Purchases.of([bought, refund, more(status)]), disputes: [] }, bought), centsFrom('60.00'), status);
  }
  t.equal(refundableCents({ purchases: Purchases.of([bought, refund]), disputes: [] }, bought, refund.id), centsFrom('100.00'));
  t.end();
});
