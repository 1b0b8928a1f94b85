import type { Cents, Day, PaymentFrequency } from '../../../engine/index.js';
import type { ModificationFees } from '../../company/index.js';
import type { Agent } from '../../kernel/fact.js';
import type { PlanStatus } from './plan-machine.js';

/** The tools that a product may charge for. */
export type ModificationTool = keyof ModificationFees;

export const MODIFICATION_TYPES = [
  'changeDueDates',
  'deferDueDate',
  'deferSchedule',
  'changeLoanTerms',
  'deferRemainingBalances',
  'paymentPlan',
  'cancelPaymentPlan',
] as const;

/** What a product's `limits.maxDeferralsPerYear` counts. */
export const DEFERRAL_TYPES = ['deferDueDate', 'deferSchedule'] as const;

export type ModificationType = (typeof MODIFICATION_TYPES)[number];

/** What was done to a schedule over the life of its loan. */
export interface Modifications {
  /** In the order of recording. */
  readonly history: readonly ScheduleModification[];
  readonly plans: readonly PaymentPlan[];
}

/** Nearly all loans have none: one object serves them. */
export const NO_MODIFICATIONS: Modifications = { history: [], plans: [] };

/** One change of the schedule: what was asked for, and where it stands in the ledger's facts. */
export interface ScheduleModification {
  readonly id: string;
  readonly terms: ModificationTerms;
  /** The ledger's fact. */
  readonly sequence: number;
  readonly effectiveDay: Day;
  readonly recordedDay: Day;
  readonly recordedAt: number;
  readonly by: Agent;
  readonly caseId: string | null;
  readonly agreementDocumentId: string | null;
  /** What the tool has charged, and under which id. */
  readonly fee: { readonly id: string; readonly amountCents: Cents } | null;
  readonly isFeeWaived: boolean;
}

/** What somebody asked for, by tool. */
export type ModificationTerms =
  | {
      readonly type: 'changeDueDates';
      readonly dueDatesFrequency: PaymentFrequency;
      readonly specificDays: readonly string[];
      readonly firstDay: Day;
    }
  | { readonly type: 'deferDueDate'; readonly existingDay: Day; readonly newDay: Day }
  | { readonly type: 'deferSchedule'; readonly startDay: Day; readonly days: number; readonly numberOfPeriods: number }
  | {
      readonly type: 'changeLoanTerms';
      readonly selectedDay: Day;
      readonly numberOfPeriods: number | null;
      readonly isExtendLoanDuration: boolean;
      readonly isInterestOnly: boolean;
      readonly amountCents: Cents | null;
      readonly dueDatesFrequency: PaymentFrequency | null;
      readonly specificDays: readonly string[] | null;
    }
  | { readonly type: 'deferRemainingBalances' }
  | { readonly type: 'paymentPlan' | 'cancelPaymentPlan'; readonly paymentPlanId: string };

export type PaymentPlanType = 'fixedAmountAndFees' | 'interestOnlyAndFees';
export type PlanCancellationReason = 'canceledByUser' | 'loanAccelerated' | 'loanChargedOff' | 'loanCanceled';

/** What a plan was agreed to be. */
export interface PaymentPlanTerms {
  readonly id: string;
  readonly externalId: string | null;
  readonly paymentPlanType: PaymentPlanType;
  readonly numberOfPeriods: number;
  /** Of `fixedAmountAndFees`. */
  readonly amountCents: Cents | null;
  readonly isExtendLoanDuration: boolean;
  /** The first and the last due date of the plan. */
  readonly startDay: Day;
  readonly endDay: Day;
  /** The recurring amount that resumes after it. */
  readonly originalCents: Cents;
}

export interface PaymentPlan extends PaymentPlanTerms {
  /** The ledger's fact that placed its rows. */
  readonly sequence: number;
  readonly status: PlanStatus;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly by: Agent;
  readonly caseId: string | null;
  readonly canceledAt: number | null;
  readonly cancellationReason: PlanCancellationReason | null;
  readonly reasonDetails: string | null;
}

export const activePlanOf = ({ plans }: Modifications): PaymentPlan | undefined => plans.find((plan) => plan.status === 'active');
