import type { AmortizationRounding } from '../../amortization/index.js';
import type { Day, DayCountMethod, DueDateRule } from '../../calendar/index.js';
import type { ScheduledKeeping } from '../scheduled/index.js';
import type { Cents, Rate } from '../../money/index.js';
import type { AccrualMethod, RateTimeline } from '../../rates/index.js';
import type { Bucket, Component } from '../../waterfall.js';

/**
 * The contract of one installment loan, resolved to engine types. It is the first argument of every replay; facts are the
 * second.
 */
export interface LedgerTerms {
  readonly activation: Day;
  /** First day that bears interest: the activation day, or the day after it (`interest.firstDay`). */
  readonly interestFrom: Day;
  readonly principalCents: Cents;
  readonly originationFee: OriginationFee;
  readonly rates: RateTimeline;
  readonly dayCount: DayCountMethod;
  readonly accrualMethod: AccrualMethod;
  /** Ascending by due date, all after activation. The amounts have no shares of the origination fee. */
  readonly rows: readonly DueRow[];
  /** The rule of due dates after the last row: for shifted due dates, and for a balance that is left after the last row. */
  readonly dueDateRule: DueDateRule;
  /** Rounding of re-amortized amounts and of interest that falls due. */
  readonly rounding: AmortizationRounding;
  /** Interest falls due in whole cents; its fraction stays and is dropped when the last whole cent is paid. Absent: false. */
  readonly isFractionKept?: boolean;
  /**
   * The last row has its scheduled amount; what late payers owe beyond it falls due with a closing row. Absent: the last row has all that
   * is left.
   */
  readonly isLastAsScheduled?: boolean;
  /** Interest never accrues beyond this over the life of the loan. */
  readonly totalInterestCapCents: Cents | null;
  /** Terms of scheduled interest; absent: the loan accrues daily interest. */
  readonly keeping?: ScheduledKeeping;
  /** The configuration of the loan type by its first day; the first entry covers the activation. */
  readonly settings: readonly Since<LedgerSettings>[];
}

/** A setting's value from a day on (inclusive). */
export interface Since<T> {
  readonly from: Day;
  readonly value: T;
}

export interface DueRow {
  readonly date: Day;
  readonly amountCents: Cents;
  /** The split of the amount as disclosed. */
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  /** The caller has fixed the amount: no re-amortization changes it. */
  readonly isForced: boolean;
}

export interface OriginationFee {
  readonly amountCents: Cents;
  /** On top of the first row, in equal parts a row (remainder last), or due by itself at activation. */
  readonly logic: 'firstPayment' | 'spread' | 'separate';
}

export interface LedgerSettings {
  /** The version of the rules; absent: the newest. */
  readonly rules?: number;
  /** False: overdue principal bears no interest. */
  readonly isAccruingOnOverdue: boolean;
  /** `afterDueDate`: unpaid due interest becomes principal the day after the due date. */
  readonly capitalization: 'none' | 'afterDueDate';
  /** The default of the loan type for payments without this flag. */
  readonly isPrepaymentEnabled: boolean;
  readonly paymentWaterfall: readonly Bucket[];
  readonly creditWaterfall: readonly Bucket[];
  readonly acceleratedWaterfall: readonly Component[];
  readonly chargedOffWaterfall: readonly Component[];
  /** An obligation whose remaining amount is at or below this counts as fulfilled. */
  readonly overdueToleranceCents: Cents;
  /** A remaining balance up to this is forgiven and the loan is paid off; absent or 0: never. */
  readonly smallBalanceCents?: Cents;
  /** Days overdue at which the service accelerates or charges off; null: never. */
  readonly accelerationDueWithin: number | null;
  readonly chargeOffDueWithin: number | null;
  readonly lateFees: readonly LateFeeTerms[];
  readonly lateFeePyramiding: LateFeePyramiding;
  /** Days before the end of its period on which a statement is made; absent or 0: on the due date. */
  readonly statementOffsetDays?: number;
}

/**
 * `blockOnFeeOnly`: no fee for an obligation that would be fulfilled if no money had gone to earlier late fees
 * (16 CFR 444.4). `blockOnOldestObligation`: in addition no fee while an older obligation is unfulfilled.
 */
type LateFeePyramiding = 'none' | 'blockOnFeeOnly' | 'blockOnOldestObligation';

export interface LateFeeTerms {
  /** The id of the fee type. Together with the ordinal of the obligation it identifies a late fee in every replay. */
  readonly feeTypeId: string;
  /** Days after the due date on which the daily job charges the fee. */
  readonly triggerDays: number;
  readonly amount: FeeAmount;
  /** Null: no bound. The amount is clipped, never refused; a fee clipped to zero is not charged. */
  readonly minCents: Cents | null;
  readonly maxCents: Cents | null;
  readonly capPerLoanCents: Cents | null;
  readonly capPerPeriodCount: number | null;
  /** No fee if the remaining amount of the obligation is at or below this. */
  readonly toleranceCents: Cents;
  readonly chargeLogic: ChargeLogic;
  /** The rule of the borrower's state at origination, if one applies. */
  readonly stateRule: StateFeeRule | null;
  /** No fee on days of military service. */
  readonly isWaivedDuringScra?: true;
  /** Frozen days count toward the fee, and it is charged on them. */
  readonly isChargedWhileFrozen?: true;
}

interface StateFeeRule {
  readonly maxCents: Cents | null;
  readonly graceDays: number;
}

/** When a fee becomes due. */
export type ChargeLogic = 'immediate' | 'nextDueDate' | 'lastDueDate' | 'nonDue';

/** `overdueAmount` is what remains of the obligation that the fee is for, `obligationAmount` its whole amount. */
export type FeeBase = 'overdueAmount' | 'obligationAmount' | 'principal';

export type FeeAmount =
  | { readonly type: 'fixed'; readonly amountCents: Cents }
  | { readonly type: 'percentage'; readonly percentage: Rate; readonly base: FeeBase }
  | {
      readonly type: 'greaterOf' | 'lesserOf';
      readonly amountCents: Cents;
      readonly percentage: Rate;
      readonly base: FeeBase;
    }
  | { readonly type: 'tiered'; readonly base: FeeBase; readonly tiers: readonly FeeTierTerms[] };

export interface FeeTierTerms {
  /** The largest base of the tier; null: no bound. */
  readonly upToCents: Cents | null;
  /** Exactly one of the two is set. */
  readonly amountCents: Cents | null;
  readonly percentage: Rate | null;
}
