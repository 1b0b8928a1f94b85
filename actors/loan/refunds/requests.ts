import type { AnyId, DateText, PositiveAmount, TimeOfDay } from '../../wire.js';
import type { ProceedsDetailsRequest } from '../proceeds-details.js';
import type { ActionRequest } from '../requests.js';
import type { AtFaultParty } from './refund.js';

/** Bodies of refund commands. */
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
