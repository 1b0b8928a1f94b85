import type { tags } from 'typia';
import type { ActorView } from '../../kernel/actor-logic.js';
import type { Amount, AnyId, DateText, DateTimeText, ExternalId, ShortText, Text } from '../../wire.js';
import type { ActionRequest, Duration, FrequencyValue, LoanAmount } from '../requests.js';
import type { ScheduleReply, ScheduleRowReply } from '../views/types.js';
import type { ModificationTool, ModificationType, PaymentPlanType, PlanCancellationReason, PlanStatus } from './state.js';

/** Bodies of commands that change a schedule. */

type SpecificDays = readonly (number | ShortText)[] & tags.MaxItems<2>;

/** Fields of a change that was made while another system serviced the loan. */
interface PastRequest {
  readonly migration?: { readonly effectiveDate: DateText } | null;
}

interface ToolRequest extends ActionRequest, PastRequest {
  /** The modification fee of the product is not charged. */
  readonly waiveFee?: boolean;
}

export interface ChangeDueDatesRequest extends ToolRequest {
  readonly dueDatesFrequency: FrequencyValue;
  readonly specificDays?: SpecificDays | null;
  readonly agreementDocumentId?: AnyId | null;
}

export interface DeferDueDateRequest extends ToolRequest {
  readonly existingDueDate: DateText;
  /** A later due date; null or absent: one more after the last. */
  readonly newDueDate?: DateText | null;
}

export interface DeferScheduleRequest extends ToolRequest {
  readonly days: number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<3660>;
  /** Default: the next due date. */
  readonly startDueDate?: DateText | null;
}

export interface ChangeLoanTermsRequest extends ToolRequest {
  readonly selectedDueDate: DateText;
  readonly isExtendLoanDuration?: boolean;
  /** Number of due dates from the selected one on; with `isInterestOnly`, the number of interest-only payments. */
  readonly numberOfPeriods?: Duration | null;
  readonly isInterestOnly?: boolean;
  readonly amount?: LoanAmount | null;
  readonly dueDatesFrequency?: FrequencyValue | null;
  readonly specificDays?: SpecificDays | null;
  readonly agreementDocumentId?: AnyId | null;
}

export interface CreatePaymentPlanRequest extends ActionRequest, PastRequest {
  readonly externalId?: ExternalId | null;
  readonly paymentPlanType: 'fixedAmountAndFees' | 'interestOnlyAndFees';
  readonly numberOfPeriods: Duration;
  /** Of `fixedAmountAndFees`. */
  readonly amount?: LoanAmount | null;
  /** Default: the next due date. */
  readonly selectedDueDate?: DateText | null;
  readonly isExtendLoanDuration?: boolean;
}

export interface CancelPaymentPlanRequest extends ActionRequest, PastRequest {
  readonly reasonDetails?: Text | null;
}

/** The schedule after a tool was used, and the fee. */
export interface ModifiedScheduleReply extends ScheduleReply {
  readonly feeAmount: Amount;
}

/** One change of a schedule. Fields that do not belong to its type are null. */
export interface ScheduleModificationReply {
  readonly object: 'scheduleModification';
  readonly id: string;
  readonly type: ModificationType;
  readonly effectiveDate: DateText;
  readonly createdAt: DateTimeText;
  readonly createdBy: ActorView;
  readonly caseId: string | null;
  readonly agreementDocumentId: string | null;
  readonly loanFeeId: string | null;
  readonly feeAmount: Amount;
  readonly isFeeWaived: boolean;
  readonly existingDueDate: DateText | null;
  readonly newDueDate: DateText | null;
  readonly days: number | null;
  readonly startDueDate: DateText | null;
  readonly selectedDueDate: DateText | null;
  readonly numberOfPeriods: number | null;
  readonly isExtendLoanDuration: boolean | null;
  readonly isInterestOnly: boolean | null;
  readonly amount: Amount | null;
  readonly dueDatesFrequency: string | null;
  readonly specificDays: readonly string[] | null;
  readonly paymentPlanId: string | null;
}

/** What a tool would charge today. */
export interface ModificationFeeReply {
  readonly tool: ModificationTool;
  readonly feeTypeId: string | null;
  readonly apiName: string | null;
  readonly displayName: string | null;
  readonly feeAmount: Amount;
}

export interface PaymentPlanReply {
  readonly object: 'paymentPlan';
  readonly id: string;
  readonly externalId: string | null;
  readonly loanId: string;
  readonly paymentPlanType: PaymentPlanType;
  readonly numberOfPeriods: number;
  readonly amount: Amount | null;
  readonly selectedDueDate: DateText;
  readonly isExtendLoanDuration: boolean;
  readonly status: PlanStatus;
  readonly startDate: DateText;
  readonly endDate: DateText;
  /** The recurring amount before the plan, which resumes after it. */
  readonly originalAmount: Amount;
  readonly cancellationReason: PlanCancellationReason | null;
  readonly reasonDetails: string | null;
  readonly canceledAt: DateTimeText | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText;
  readonly createdBy: ActorView;
  readonly caseId: string | null;
}

export interface PlannedScheduleReply extends PaymentPlanReply {
  readonly schedule: readonly ScheduleRowReply[];
}
