import type { tags } from 'typia';
import type { AnyId, DateText, DateTimeText, ExternalId, MetaData, PositiveAmount, Text, TimeOfDay } from '../../wire.js';
import type { PageQuery } from '../../list-order.js';
import type { ActionRequest, DeclineReasonRequest } from '../requests.js';
import type { PurchaseDetailsRequest } from './details.js';
import type { DisputeStatus, PurchaseStatus } from './posting.js';

/** Both spellings of cash back are accepted everywhere. */
export type PurchaseTypeRequest = 'regular' | 'refund' | 'cashBack' | 'cashback' | 'cashAdvance' | 'balanceTransfer';

export interface CreatePurchaseRequest extends ActionRequest {
  readonly externalId?: ExternalId | null;
  readonly type?: PurchaseTypeRequest;
  readonly status?: 'authorized' | 'pending' | 'settled' | 'declined';
  readonly amount: PositiveAmount & tags.Maximum<999999999.99>;
  /** Default: today. A past day causes a replay. */
  readonly purchaseDate?: DateText | null;
  readonly purchaseTimeOfDay?: TimeOfDay | null;
  /** The authorization that this settlement releases. */
  readonly authorizationPurchaseId?: AnyId | null;
  /** For a refund: the purchase that is refunded. */
  readonly originalPurchaseId?: AnyId | null;
  readonly purchaseDetails?: PurchaseDetailsRequest | null;
  readonly declineReason?: DeclineReasonRequest | null;
  /** For a migration's history on its static draw. */
  readonly migration?: { readonly originalDrawId?: AnyId | null } | null;
  readonly metadata?: MetaData | null;
}

export interface CreatePurchaseQuery {
  /** Accepts a purchase above the credit limit. */
  readonly force?: boolean;
  /** Accepted and ignored: the ledger is always updated within the request. */
  readonly sync?: boolean;
}

/** Absent fields stay. */
export interface UpdatePurchaseRequest extends ActionRequest {
  readonly status?: PurchaseStatus;
  /** Only while it is authorized or pending. */
  readonly amount?: PositiveAmount & tags.Maximum<999999999.99>;
  readonly externalId?: ExternalId | null;
  readonly purchaseDetails?: PurchaseDetailsRequest | null;
  readonly declineReason?: DeclineReasonRequest | null;
}

/** Both ends are inclusive. */
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
  /** A purchase is listed at the first of these times that it has. Default: `effectiveAt`. */
  readonly timestamps?: readonly PurchaseTimestamp[];
}

export interface CreateDisputeRequest extends ActionRequest {
  readonly externalId?: ExternalId | null;
  /** Default true. */
  readonly createDisputeCase?: boolean;
  readonly status?: 'open' | 'submitted';
  /** Required, as `disputedAmount` or as `amount`. */
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
  /** If the dispute is lost, expires or is withdrawn: the purchase by which the caller has re-posted the amount already. */
  readonly repostedPurchaseId?: AnyId | null;
  readonly metadata?: MetaData | null;
}

export interface ListDisputesQuery extends PageQuery {
  readonly statuses?: readonly DisputeStatus[];
}
