import type { Amount, AnyId, DateText, ExternalId, ShortText, Text, TimeOfDay } from '../../wire.js';
import type { ActionRequest } from '../requests.js';

/** Bodies of fees (loan-terms 6). */

export interface ChargeFeeRequest extends ActionRequest {
  readonly apiName?: ShortText | null;
  readonly feeTypeId?: AnyId | null;
  readonly externalId?: ExternalId | null;
  readonly feeAmount?: Amount | null;
  /** Another spelling of `feeAmount`. */
  readonly amount?: Amount | null;
  readonly customDisplayName?: ShortText | null;
  readonly chargeDate?: DateText | null;
  readonly chargeTimeOfDay?: TimeOfDay | null;
  readonly triggerPeriodId?: AnyId | null;
  /** Of a fee that another system has charged: what it came with. */
  readonly migration?: FeeOriginRequest | null;
}

interface FeeOriginRequest {
  readonly originalDrawId?: AnyId | null;
  readonly originalTransactionId?: AnyId | null;
  readonly originalPurchaseId?: AnyId | null;
}

export interface ChangeFeeRequest extends ActionRequest {
  readonly feeAmount: Amount;
}

export interface ChangeOriginationFeeRequest extends ActionRequest {
  /** Absent: no fee. */
  readonly feeAmount?: Amount | null;
}

export interface CancelFeeRequest {
  readonly caseId?: AnyId | null;
  readonly reason?: Text | null;
  readonly previewMode?: boolean;
}
