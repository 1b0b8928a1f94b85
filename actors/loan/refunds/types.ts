import type { AtFaultParty } from '../../company/index.js';
import type { Amount, AnyId, DateText, DateTimeText, PositiveAmount, TimeOfDay } from '../../wire.js';
import type { ProceedsDetailsRequest, ProceedsDetailsView } from '../proceeds-details.js';
import type { ActionRequest } from '../requests.js';

/** Bodies of the commands on refunds, and their replies. */

export interface CreateRefundRequest extends ActionRequest {
  readonly refundDate?: DateText | null;
  readonly refundTimeOfDay?: TimeOfDay | null;
  readonly refundAmount: PositiveAmount;
  readonly atFaultParty: AtFaultParty;
  readonly isRefundOriginationFee?: boolean;
  readonly isRefundLateFees?: boolean;
  readonly isRefundOtherFees?: boolean;
  readonly refundDetails?: ProceedsDetailsRequest | null;
}

/** Absent fields stay. */
export interface UpdateRefundRequest extends ActionRequest {
  readonly refundDate?: DateText;
  readonly refundTimeOfDay?: TimeOfDay | null;
  readonly refundAmount?: PositiveAmount;
  readonly atFaultParty?: AtFaultParty;
  readonly isRefundOriginationFee?: boolean;
  readonly isRefundLateFees?: boolean;
  readonly isRefundOtherFees?: boolean;
  readonly refundDetails?: ProceedsDetailsRequest | null;
}

export interface CancelRefundRequest extends ActionRequest {
  readonly caseId?: AnyId | null;
}

export interface RefundReply {
  readonly id: string;
  readonly status: 'applied' | 'canceled';
  readonly refundDate: DateText;
  readonly refundTimeOfDay: TimeOfDay;
  readonly refundAmount: Amount;
  readonly originalAmount: Amount;
  readonly isFullRefund: boolean;
  readonly atFaultParty: AtFaultParty;
  /** The account of `refunds.billing` that the loan type named for the party; null where it named none. */
  readonly billedAccount: string | null;
  readonly isRefundOriginationFee: boolean;
  readonly isRefundLateFees: boolean;
  readonly isRefundOtherFees: boolean;
  readonly refundDetails: ProceedsDetailsView | null;
  readonly caseId: string | null;
  readonly timestamps: { readonly createdAt: DateTimeText; readonly updatedAt: DateTimeText; readonly canceledAt: DateTimeText | null };
}

export interface RefundsReply {
  readonly eligibleRefundAmount: Amount;
  readonly refunds: readonly RefundReply[];
}
