import { instantAt, ZERO } from '../../../engine/index.js';
import {
  type Amount,
  amount,
  type DateText,
  dateText,
  type DateTimeText,
  dateTimeText,
  type MetaData,
  orNull,
  type TimeOfDay,
  timeOfDay,
} from '../../wire.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { recordOf } from '../context.js';
import type { LoanState } from '../state.js';
import type { DeclineReasonView } from '../views/types.js';
import { eligibleDisputeCents } from './bounds.js';
import { type PurchaseDetailsView, purchaseDetailsView } from './details.js';
import { drawIdOf } from './evolve.js';
import type { PurchaseRecord, PurchaseStatus } from './purchase.js';
import { type RefundSplit, refundSplitOf } from './refund-split.js';

/** A purchase as replies show it. */
export interface PurchaseReply {
  readonly object: 'purchase';
  readonly id: string;
  readonly externalId: string | null;
  readonly displayId: string;
  readonly drawId: string;
  readonly lineOfCreditId: string;
  readonly type: 'regular' | 'refund' | 'cashBack' | 'cashAdvance' | 'balanceTransfer';
  readonly status: PurchaseStatus;
  readonly amount: Amount;
  /** At creation; null for one that was never settled. */
  readonly originalAmount: Amount | null;
  readonly purchaseDate: DateText;
  readonly purchaseTimeOfDay: TimeOfDay;
  readonly authorizationPurchaseId: string | null;
  readonly originalPurchaseId: string | null;
  readonly purchaseDetails: PurchaseDetailsView | null;
  readonly declineReason: DeclineReasonView | null;
  readonly eligibleDisputeAmount: Amount;
  readonly migration: { readonly originalDrawId: string } | null;
  readonly metadata: MetaData | null;
  readonly caseId: string | null;
  /** Of what lowers the balance. */
  readonly refundDetails: RefundDetailsView | null;
  readonly timestamps: {
    readonly createdAt: DateTimeText;
    readonly updatedAt: DateTimeText;
    readonly authorizedAt: DateTimeText | null;
    readonly settledAt: DateTimeText | null;
    readonly effectiveAt: DateTimeText;
  };
}

/** How a refund was given to the draw: its non-due principal first, the rest as a payment of the service's own. */
export interface RefundDetailsView {
  /** Null when nothing was left for a payment. */
  readonly refundTransactionId: string | null;
  readonly refundNonDuePrincipalAmount: Amount;
  readonly refundTransactionAmount: Amount;
}

export const purchaseView = (state: LoanState, env: EvolveEnv, purchase: PurchaseRecord): PurchaseReply => ({
  object: 'purchase',
  id: purchase.id,
  externalId: purchase.externalId,
  displayId: purchase.externalId ?? purchase.id,
  drawId: drawIdOf(state, purchase),
  lineOfCreditId: state.id,
  type: purchase.kind,
  status: purchase.status,
  amount: amount(purchase.amountCents),
  originalAmount: purchase.settledAt === null ? null : amount(purchase.originalCents),
  purchaseDate: dateText(purchase.made.day),
  purchaseTimeOfDay: timeOfDay(purchase.made.seconds),
  authorizationPurchaseId: purchase.authorizationPurchaseId,
  originalPurchaseId: purchase.originalPurchaseId,
  purchaseDetails: purchaseDetailsView(purchase.details),
  declineReason: purchase.declineReason,
  eligibleDisputeAmount: amount(eligibleDisputeCents(state, purchase)),
  migration: orNull((originalDrawId: string) => ({ originalDrawId }), purchase.originalDrawId),
  metadata: purchase.metaData,
  caseId: purchase.caseId,
  refundDetails: orNull((split: RefundSplit) => refundView(purchase, split), refundSplitOf(state, env, purchase)),
  timestamps: {
    createdAt: dateTimeText(purchase.createdAt),
    updatedAt: dateTimeText(purchase.updatedAt),
    authorizedAt: orNull(dateTimeText, purchase.authorizedAt),
    settledAt: orNull(dateTimeText, purchase.settledAt),
    effectiveAt: dateTimeText(effectiveAtOf(recordOf(state).zone, purchase)),
  },
});

const refundView = ({ refundTransactionId }: PurchaseRecord, { nonDuePrincipalCents, paymentCents }: RefundSplit): RefundDetailsView => ({
  refundTransactionId: paymentCents > ZERO ? refundTransactionId : null,
  refundNonDuePrincipalAmount: amount(nonDuePrincipalCents),
  refundTransactionAmount: amount(paymentCents),
});

/** Milliseconds of the moment at which a purchase counts, in the line's zone. */
export const effectiveAtOf = (zone: string, { effective }: Pick<PurchaseRecord, 'effective'>): number =>
  instantAt(zone, effective.day, timeOfDay(effective.seconds));
