import type { tags } from 'typia';
import type { AnyId, DateText, DateTimeText, ExternalId, MetaData, PositiveAmount, Text, TimeOfDay } from '../../wire.js';
import type { PageQuery } from '../../list-order.js';
import type { ActionRequest, DeclineReasonRequest } from '../requests.js';
import type { PurchaseDetailsRequest } from './details.js';
import type { DisputeStatus, PurchaseStatus } from './posting.js';

/** Bodies and queries of purchases and their disputes. */

/** The filter's spelling of cash back is accepted everywhere. */
export type PurchaseTypeRequest = 'regular' | 'refund' | 'cashBack' | 'cashback' | 'cashAdvance' | 'balanceTransfer';

export interface CreatePurchaseRequest extends ActionRequest {
  readonly externalId?: ExternalId | null;
  readonly type?: PurchaseTypeRequest;
  readonly status?: 'authorized' | 'pending' | 'settled' | 'declined';
  readonly amount: PositiveAmount & tags.Maximum<999999999.99>;
  /** Today when it is absent; a past day is replayed. */
  readonly purchaseDate?: DateText | null;
  readonly purchaseTimeOfDay?: TimeOfDay | null;
  /** The authorization that this settlement releases. */
  readonly authorizationPurchaseId?: AnyId | null;
  /** Of a refund: the purchase that is refunded. */
  readonly originalPurchaseId?: AnyId | null;
  readonly purchaseDetails?: PurchaseDetailsRequest | null;
  readonly declineReason?: DeclineReasonRequest | null;
  /** Of history that a migration brings to its static draw. */
  readonly migration?: { readonly originalDrawId?: AnyId | null } | null;
  readonly metadata?: MetaData | null;
}

export interface CreatePurchaseQuery {
  /** Over the credit limit, too. */
  readonly force?: boolean;
  /** The ledger work is done in the request all the same. */
  readonly sync?: boolean;
}

/** Absent fields stay. */
export interface UpdatePurchaseRequest extends ActionRequest {
  readonly status?: PurchaseStatus;
  /** While it is authorized or pending. */
  readonly amount?: PositiveAmount & tags.Maximum<999999999.99>;
  readonly externalId?: ExternalId | null;
  readonly purchaseDetails?: PurchaseDetailsRequest | null;
  readonly declineReason?: DeclineReasonRequest | null;
}

/** Ends are inclusive. */
export interface PurchaseFilters {
  readonly types?: readonly PurchaseTypeRequest[];
  readonly statuses?: readonly PurchaseStatus[];
  readonly fromEffectiveAt?: DateTimeText;
  readonly toEffectiveAt?: DateTimeText;
  readonly fromCreatedAt?: DateTimeText;
  readonly toCreatedAt?: DateTimeText;
}

export interface ListPurchasesQuery extends PageQuery, PurchaseFilters {
  /** `effectiveAt` or `createdAt`, with `-` for descending. */
  readonly sortBy?: readonly string[];
}

export type PurchaseTimestamp = 'effectiveAt' | 'authorizedAt' | 'settledAt' | 'createdAt';

export interface PurchaseTimelineQuery extends PageQuery, PurchaseFilters {
  /** Each purchase is placed at the first of these that it has. Default `effectiveAt`. */
  readonly timestamps?: readonly PurchaseTimestamp[];
}

export interface CreateDisputeRequest extends ActionRequest {
  readonly externalId?: ExternalId | null;
  /** Default true. */
  readonly createDisputeCase?: boolean;
  readonly status?: 'open' | 'submitted';
  /** Required, under this name or the other. */
  readonly disputedAmount?: PositiveAmount;
  readonly amount?: PositiveAmount;
  readonly reason?: Text | null;
  readonly metadata?: MetaData | null;
}

/** Absent fields stay. */
export interface UpdateDisputeRequest extends ActionRequest {
  readonly status?: DisputeStatus;
  readonly externalId?: ExternalId | null;
  readonly reason?: Text | null;
  /** With a dispute that is lost, expires or is withdrawn: the purchase that has re-posted the amount already. */
  readonly repostedPurchaseId?: AnyId;
  readonly metadata?: MetaData | null;
}

export interface ListDisputesQuery extends PageQuery {
  readonly statuses?: readonly DisputeStatus[];
}
