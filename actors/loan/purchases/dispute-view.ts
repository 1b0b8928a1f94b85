import { must } from '../../../engine/index.js';
import { type Amount, amount, type DateTimeText, dateTimeText, type MetaData, orNull } from '../../wire.js';
import type { LoanState } from '../state.js';
import { drawIdOf } from './evolve.js';
import type { DisputeStatus, PurchaseDispute } from './purchase.js';

/** A dispute over a purchase as replies show it. */
export interface PurchaseDisputeReply {
  readonly object: 'purchaseDispute';
  readonly id: string;
  readonly companyId: string;
  readonly purchaseId: string;
  readonly drawId: string;
  readonly lineOfCreditId: string;
  readonly externalId: string | null;
  readonly caseId: string | null;
  readonly status: DisputeStatus;
  readonly disputedAmount: Amount;
  readonly reason: string | null;
  /** The provisional refund. */
  readonly refundPurchaseId: string | null;
  readonly repostedPurchaseId: string | null;
  readonly metadata: MetaData | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText;
  readonly deletedAt: null;
  readonly timestamps: {
    readonly openedAt: DateTimeText;
    readonly submittedAt: DateTimeText | null;
    readonly expiredAt: DateTimeText | null;
    readonly wonAt: DateTimeText | null;
    readonly lostAt: DateTimeText | null;
    readonly canceledAt: DateTimeText | null;
  };
}

export function disputeView(state: LoanState, dispute: PurchaseDispute): PurchaseDisputeReply {
  const purchase = must(state.purchases.numbered(dispute.purchase), 'a dispute is about a purchase');
  return {
    object: 'purchaseDispute',
    id: dispute.id,
    companyId: state.tenant.company,
    purchaseId: purchase.id,
    drawId: drawIdOf(state, purchase),
    lineOfCreditId: state.id,
    externalId: dispute.externalId,
    caseId: dispute.caseId,
    status: dispute.status,
    disputedAmount: amount(dispute.disputedCents),
    reason: dispute.reason,
    refundPurchaseId: dispute.refundPurchaseId,
    repostedPurchaseId: dispute.repostedPurchaseId,
    metadata: dispute.metaData,
    createdAt: dateTimeText(dispute.createdAt),
    updatedAt: dateTimeText(dispute.updatedAt),
    deletedAt: null,
    timestamps: {
      openedAt: dateTimeText(dispute.openedAt),
      submittedAt: orNull(dateTimeText, dispute.submittedAt),
      expiredAt: orNull(dateTimeText, dispute.expiredAt),
      wonAt: orNull(dateTimeText, dispute.wonAt),
      lostAt: orNull(dateTimeText, dispute.lostAt),
      canceledAt: orNull(dateTimeText, dispute.canceledAt),
    },
  };
}
