import { type Cents, cents, least, ZERO } from '../../../engine/index.js';
import { isRefundKept } from './dispute-machine.js';
import { isCounted, isHeld } from './machine.js';
import type { Purchases } from './purchases.js';
import { type PurchaseDispute, type PurchaseRecord, raisesBalance } from './purchase.js';

interface Known {
  readonly purchases: Pick<Purchases, 'refundsOf'>;
  readonly disputes: readonly PurchaseDispute[];
}

/** What of a purchase may be disputed: its amount less open and won disputes and the merchant's refunds; nothing of what is not settled. */
export function eligibleDisputeCents({ purchases, disputes }: Known, purchase: PurchaseRecord): Cents {
  if (!isCounted(purchase.status) || !raisesBalance(purchase.kind) || isReposted(disputes, purchase)) return ZERO;
  let eligible: number = purchase.amountCents;
  for (const dispute of disputes) {
    if (dispute.purchase === purchase.purchase && isRefundKept(dispute.status)) eligible -= dispute.disputedCents;
  }
  return least(cents(Math.max(0, eligible)), refundableCents({ purchases, disputes }, purchase));
}

/**
 * What of a purchase may still be refunded: its amount less the refunds that are made or on their way. The refund of a
 * dispute that was not won was re-posted and counts no more. `but` is left out, because it is changed.
 */
export function refundableCents({ purchases, disputes }: Known, purchase: PurchaseRecord, but?: string): Cents {
  if (isReposted(disputes, purchase)) return ZERO;
  let refundable: number = purchase.amountCents;
  for (const { id, status, amountCents } of purchases.refundsOf(purchase.id)) {
    if (id === but || disputes.some(({ refundPurchaseId, status: of }) => refundPurchaseId === id && !isRefundKept(of))) continue;
    if (isHeld(status) || isCounted(status)) refundable -= amountCents;
  }
  return cents(Math.max(0, refundable));
}

/** A purchase is disputed as long as a dispute over it is to be decided, or was won. */
export const isDisputed = ({ disputes }: Pick<Known, 'disputes'>, { purchase }: Pick<PurchaseRecord, 'purchase'>): boolean =>
  disputes.some((dispute) => dispute.purchase === purchase && isRefundKept(dispute.status));

/** What a dispute re-posted stands for the purchase that was disputed: that one is disputed again, and refunded. */
const isReposted = (disputes: readonly PurchaseDispute[], { id }: Pick<PurchaseRecord, 'id'>): boolean =>
  disputes.some(({ repostedPurchaseId }) => repostedPurchaseId === id);
