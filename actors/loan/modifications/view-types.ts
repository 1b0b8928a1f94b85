import type { Amount, DateText, DateTimeText } from '../../wire.js';
import type { ActorView } from '../../kernel/actor-view.js';
import type { ScheduleReply, ScheduleRowReply } from '../views/types.js';
import type { PlanStatus } from './plan-machine.js';
import type { ModificationTool, ModificationType, PaymentPlanType, PlanCancellationReason } from './state.js';

/** The schedule after a tool was used, and what the use cost. */
export interface ModifiedScheduleReply extends ScheduleReply {
  readonly feeAmount: Amount;
}

/** One change of a schedule; what does not belong to its type is null. */
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
