import type { Cents, PurchaseKind, Rate } from '../../../engine/index.js';
import type { Agent, EffectiveTime } from '../../runtime/fact.js';
import type { MetaData } from '../origination.js';
import type { DeclineReason } from '../state.js';

export type PurchaseStatus = 'authorized' | 'pending' | 'settled' | 'canceled' | 'declined' | 'disputed';

/** A purchase on a draw (loans.md 9). Replaced, never written. */
export interface PurchaseRecord {
  /** Its number in the line's ledger facts. */
  readonly purchase: number;
  /** `DP`. */
  readonly id: string;
  /** The number of its draw. */
  readonly draw: number;
  readonly externalId: string | null;
  readonly kind: PurchaseKind;
  readonly status: PurchaseStatus;
  readonly amountCents: Cents;
  /** Null for one that was never settled. */
  readonly originalCents: Cents | null;
  readonly effective: EffectiveTime;
  readonly authorizationPurchaseId: string | null;
  readonly originalPurchaseId: string | null;
  readonly details: PurchaseDetails | null;
  readonly declineReason: DeclineReason | null;
  /** The draw that a migrated one belonged to, by its id. */
  readonly originalDrawId: string | null;
  /** Names the payment that a refund makes of what exceeds the draw's non-due principal. */
  readonly refundPayment: number | null;
  readonly metaData: MetaData | null;
  readonly createdStamp: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly authorizedAt: number | null;
  readonly settledAt: number | null;
  readonly createdBy: Agent;
  readonly caseId: string | null;
}

export interface PurchaseDetails {
  readonly description: string | null;
  readonly pointOfSaleType: 'online' | 'physical' | null;
  readonly categoryId: string | null;
  readonly merchantId: string | null;
  readonly merchantName: string | null;
  readonly metaData: MetaData | null;
  readonly externalCardId: string | null;
  readonly originalCurrencyCents: Cents | null;
  readonly originalCurrencyCode: string;
  readonly conversionRate: Rate;
  readonly merchantCity: string | null;
  readonly merchantState: string | null;
  readonly merchantCountry: string | null;
  readonly merchantCategoryCode: string | null;
}

export type DisputeStatus = 'open' | 'submitted' | 'won' | 'lost' | 'expired' | 'canceled';

/** A dispute over a purchase, whole or in part. */
export interface PurchaseDispute {
  /** `PD`. */
  readonly id: string;
  /** The number of its purchase. */
  readonly purchase: number;
  readonly externalId: string | null;
  readonly caseId: string | null;
  readonly status: DisputeStatus;
  readonly disputedCents: Cents;
  readonly reason: string | null;
  /** The provisional refund that it made. */
  readonly refundPurchaseId: string | null;
  /** The purchase that re-posts the amount after a lost dispute. */
  readonly repostedPurchaseId: string | null;
  readonly metaData: MetaData | null;
  readonly createdStamp: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly openedAt: number;
  readonly submittedAt: number | null;
  readonly expiredAt: number | null;
  readonly wonAt: number | null;
  readonly lostAt: number | null;
  readonly canceledAt: number | null;
}
