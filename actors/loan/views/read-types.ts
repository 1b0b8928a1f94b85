import type { Amount, DateText, DateTimeText, RateValue, UnroundedText } from '../../wire.js';

/** An amount with two decimals, or an unrounded one as text with ten. */
export type BalanceValue = Amount | UnroundedText | DateText;

/** Field names begin with the block's name, as `dueInterestAmount` of `dueBalances`. */
export interface BlockReply {
  readonly [name: string]: BalanceValue;
}

/** `GET L/balances`. */
export interface BalancesReply {
  /** The draw, for balances of one draw. */
  readonly drawId?: string;
  readonly isLocked: boolean;
  readonly outstandingBalances: BlockReply;
  readonly outstandingBalancesWithPromo?: { readonly outstandingTotalAmount: Amount };
  readonly nonDueBalances?: BlockReply;
  readonly dueBalances: BlockReply;
  readonly overdueBalances: BlockReply;
  readonly nonAccrualBalances?: BlockReply;
  readonly chargedOffBalances?: BlockReply;
  readonly paidBalances?: BlockReply;
  /** The amount owed to the borrower. */
  readonly reimbursementAmount?: Amount;
  readonly interestAndFeesAmounts?: BlockReply;
  readonly creditBalances?: {
    readonly creditLimitAmount: Amount | null;
    readonly utilizedAmount: Amount | null;
    readonly availableCreditAmount: Amount | null;
    readonly heldAmount: Amount | null;
    readonly creditBalanceAmount: Amount;
  };
  readonly overdueDetails?: {
    readonly isOverdue: boolean;
    readonly daysOverdue: number;
    readonly overdueSinceDate: DateText | null;
    readonly nextDueDate: DateText | null;
    readonly nextDueAmount: Amount | null;
  };
  /** Only of a line of credit, in the order of the draws' activation. */
  readonly drawBalances?: readonly DrawBalancesReply[];
  /** Only of a line of credit, also with `fast`. */
  readonly availableCreditAmount?: Amount | null;
  /** Only of a line of credit: its limit, the used part, and the time of the computation. */
  readonly creditLimitAmount?: Amount | null;
  readonly utilizationAmount?: Amount | null;
  readonly calculatedAt?: DateTimeText;
}

/** The blocks of one draw. */
export interface DrawBalancesReply
  extends Omit<BalancesReply, 'isLocked' | 'calculatedAt' | 'drawBalances' | 'overdueDetails' | 'outstandingBalancesWithPromo'> {
  readonly drawId: string;
}

export interface BalanceHistoryReply {
  readonly isLocked: boolean;
  readonly fromEffectiveDate: DateText;
  readonly toEffectiveDate: DateText;
  readonly days: readonly BlockReply[];
}

export interface InterestReply {
  readonly isLocked: boolean;
  readonly fromEffectiveDate: DateText;
  readonly toEffectiveDate: DateText;
  readonly totalInterestAmount: Amount;
  readonly totalDiscountAmount: Amount;
  readonly days: readonly {
    readonly date: DateText;
    readonly principalAmount: Amount;
    readonly rate: number;
    readonly rateType: 'interestRate';
    /** The draw of a line of credit: each draw has its own days. */
    readonly drawId?: string | null;
    readonly interestAmount: Amount;
    readonly interestBeforeDiscountAmount: Amount;
    readonly unroundedInterestAmount: UnroundedText;
  }[];
}

export interface PayoffReply {
  readonly isLocked: boolean;
  readonly payoffDate: DateText;
  readonly payoffAmount: Amount;
  readonly principalAmount: Amount;
  readonly interestAmount: Amount;
  readonly feesAmount: Amount;
  readonly dailyInterestAmount: Amount;
  readonly unroundedDailyInterestAmount: UnroundedText;
  readonly goodThroughDate: DateText;
  readonly promoPayoffAmount: Amount | null;
  readonly pendingPaymentsAmount: Amount;
}

/** `POST L/payoff-letter`: the figures of the letter, and where it is stored. */
export interface PayoffLetterReply extends PayoffReply {
  readonly documentDescriptorId: string;
  /** Whether it was sent by at least one of the channels. */
  readonly isSent: boolean;
  /** The messages that were sent or blocked. */
  readonly interactionIds: readonly string[];
}

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
  /** Only of lines of credit. */
  readonly loanGracePeriod: GraceReply | null;
  readonly gracePeriod: readonly (GraceReply & { readonly drawId: string | null })[];
}

/** The amount that must be paid by the due date to keep the grace period: no interest on the statement's balance. */
export interface GraceReply {
  readonly fullBalanceAmount: Amount;
  readonly fullBalanceMinusOverdueAmount: Amount;
  readonly totalFulfilledOnDueDateAmount: Amount;
  readonly isGracePeriodEligible: boolean;
}

export interface CalculatedRow {
  readonly date: DateText;
  readonly paymentType: 'periodicPayment';
  readonly amount: Amount;
  readonly principalAmount: Amount;
  readonly interestAmount: Amount;
  readonly interestBeforeDiscountAmount: Amount;
  readonly unroundedPrincipalAmount: UnroundedText;
  readonly unroundedInterestAmount: UnroundedText;
  readonly unroundedInterestBeforeDiscountAmount: UnroundedText;
  readonly feeAmount: Amount;
  readonly remainingPrincipalAmount: Amount;
  readonly isForcedAmount: boolean;
}

/** `POST L/schedule-preview`. */
export interface SchedulePreviewReply {
  readonly schedule: readonly CalculatedRow[];
  readonly aprNominal: RateValue;
  readonly aprEffective: RateValue;
  readonly totalInterestAmount: Amount;
}

/** `POST /utilities/amortize`. */
export interface AmortizeReply extends SchedulePreviewReply {
  readonly paymentFrequency: string;
  readonly periodicPaymentAmount: Amount;
  readonly duration: number;
  readonly startDate: DateText;
  readonly endDate: DateText;
  readonly totalFeesAmount: Amount;
  readonly totalAmount: Amount;
}
