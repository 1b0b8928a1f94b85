import type { Cents, PurchaseKind, Rate } from '../../../engine/index.js';
import type { Agent, EffectiveTime } from '../../kernel/fact.js';
import type { MetaData } from '../origination/terms.js';
import type { DeclineReason } from '../state.js';
import type { DisputeStatus } from './dispute-machine.js';
import type { PurchaseStatus } from './machine.js';

export type { DisputeStatus } from './dispute-machine.js';
export type { PurchaseStatus } from './machine.js';

/** A purchase on a draw. Replaced, never written. */
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
  /** The amount at creation; shown once it was settled. */
  readonly originalCents: Cents;
  /** When it was made, as the caller says. */
  readonly made: EffectiveTime;
  /** When the ledger counts it: when it was made, or when it was settled where that came later. */
  readonly effective: EffectiveTime;
  readonly authorizationPurchaseId: string | null;
  readonly originalPurchaseId: string | null;
  readonly details: PurchaseDetails | null;
  readonly declineReason: DeclineReason | null;
  /** The draw that a migrated one belonged to, by its id. */
  readonly originalDrawId: string | null;
  /** Names the payment that a refund makes of what exceeds the draw's non-due principal. */
  readonly refundPayment: number | null;
  /** The id of that payment. */
  readonly refundTransactionId: string | null;
  readonly metaData: MetaData | null;
  readonly createdStamp: number;
  /** Milliseconds of the company's clock, as those that follow. */
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

/** Kinds that raise the draw's balance and hold credit before; the others lower it. */
export const raisesBalance = (kind: PurchaseKind): boolean => kind !== 'refund' && kind !== 'cashBack';
