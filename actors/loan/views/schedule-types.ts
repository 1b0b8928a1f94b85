import type { Amount, DateText, DateTimeText } from '../../wire.js';

export interface PeriodReply {
  readonly object: 'loanPeriod';
  readonly id: string;
  readonly startDate: DateText;
  readonly endDate: DateText;
  readonly statementDate: DateText;
  readonly dueDate: DateText;
  readonly status: 'open' | 'closed' | 'future';
  readonly isMigrated: boolean;
}

/** `GET L/obligations`. */
export interface ObligationsReply {
  readonly isLocked: boolean;
  readonly isOverdue: boolean;
  readonly overdueAmount: Amount;
  readonly daysOverdue: number;
  readonly obligations: readonly ObligationReply[];
}

export interface ObligationReply {
  readonly id: string;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText;
  readonly deletedAt: null;
  readonly periodId: string;
  readonly dueDate: DateText;
  readonly obligationAmount: Amount;
  readonly fulfilledAmount: Amount;
  readonly remainingAmount: Amount;
  readonly paymentsAmount: Amount;
  readonly serviceCreditsAmount: Amount;
  readonly overpaymentsAmount: Amount;
  readonly capitalizedAmount: Amount;
  readonly unassignedAmount: Amount;
  readonly overLimitAmount: Amount;
  readonly isFulfilled: boolean;
  readonly isOverdue: boolean;
  readonly isOpen: boolean;
  readonly isLateFeeBlockedByPyramidingConfig: boolean;
  readonly migration: {
    readonly migratedOverdueAmount: Amount;
    readonly migratedOverdueRemainingAmount: Amount;
    readonly migratedDaysOverdue: number;
  } | null;
  /** Of lines of credit. */
  readonly loanGracePeriod: GraceReply | null;
  readonly gracePeriod: readonly (GraceReply & { readonly drawId: string | null })[];
}

/** What paid by the due date keeps the grace: no interest on the statement's balance. */
export interface GraceReply {
  readonly fullBalanceAmount: Amount;
  readonly fullBalanceMinusOverdueAmount: Amount;
  readonly totalFulfilledOnDueDateAmount: Amount;
  readonly isGracePeriodEligible: boolean;
}
