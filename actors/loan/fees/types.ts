import type { ActorView } from '../../kernel/actor-logic.js';
import type { Amount, AnyId, DateText, DateTimeText, ExternalId, ShortText, Text, TimeOfDay } from '../../wire.js';
import type { ActionRequest } from '../requests.js';

/** Bodies of fees. */

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
  /** For a fee that another system charged: what caused it. */
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

/** A fee of a loan. */
export interface FeeReply {
  readonly id: string;
  readonly type: 'originationFee' | 'drawFee' | 'dynamicFee' | 'serviceFee';
  readonly amount: Amount;
  readonly originalAmount: Amount;
  readonly remainingAmount: Amount;
  readonly status: 'scheduled' | 'booked' | 'paid' | 'canceled';
  readonly createdDate: DateText;
  readonly scheduledDate: DateText | null;
  readonly dueDate: DateText | null;
  readonly feeTypeId: string | null;
  /** The draw of a line of credit that bears it. */
  readonly drawId: string | null;
  /** For a fee in the history of a migrated line: what caused it. */
  readonly migration?: {
    readonly originalDrawId: string;
    readonly originalTransactionId: string | null;
    readonly originalPurchaseId: string | null;
  };
  readonly dynamicFeeDetails: DynamicFeeDetails | null;
  readonly timestamps: { readonly createdAt: DateTimeText };
}

interface DynamicFeeDetails {
  readonly loanFeeId: string;
  readonly loanFeeExternalId: string | null;
  readonly apiName: string | null;
  readonly displayName: string | null;
  readonly caseId: string | null;
  readonly createdBy: ActorView;
  readonly chargeDate: DateText;
  readonly canceledDate: DateText | null;
  readonly canceledBy: ActorView | null;
  readonly transactionId: string | null;
  readonly purchaseId: string | null;
  readonly capitalizedAmount: Amount;
  readonly creditedAmount: Amount;
}
