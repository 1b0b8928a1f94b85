import type { AmortizationRounding } from '../../amortization/index.js';
import type { Day, DayCountMethod, DueDateRule } from '../../calendar/index.js';
import type { ScheduledKeeping } from '../scheduled/index.js';
import type { Cents, Rate } from '../../money/index.js';
import type { AccrualMethod, RateTimeline } from '../../rates/index.js';
import type { Bucket, Component } from '../../waterfall.js';

/**
 * Everything contractual about one installment loan, resolved to engine types: the first argument of every
 * replay. Facts are the second.
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
  /** Due dates ascending, all after activation, without origination fee shares in the amounts. */
  readonly rows: readonly DueRow[];
  /** How due dates go on after the last row: for shifted due dates, and for what is left after the last one. */
  readonly dueDateRule: DueDateRule;
  /** How re-amortized amounts, and the interest that falls due, become cents. */
  readonly rounding: AmortizationRounding;
  /** Interest falls due in whole cents, its fraction stays, and the payment that meets the last whole cent cuts it off. Absent: false. */
  readonly isFractionKept?: boolean;
  /**
   * The last row asks for its scheduled amount; what late payers owe beyond it waits for a closing row. Absent: it asks for all that is
   * left.
   */
  readonly isLastAsScheduled?: boolean;
  /** Interest never accrues beyond this over the life of the loan. */
  readonly totalInterestCapCents: Cents | null;
  /** The loan has scheduled interest, so; absent: by the day. */
  readonly keeping?: ScheduledKeeping;
  /** What the loan type's configuration said from which day on; the first entry covers the activation. */
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
  /** The disclosed split of the amount. */
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  /** The amount was fixed by the caller and survives every re-amortization. */
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
  /** The loan type's default for payments that do not say. */
  readonly isPrepaymentEnabled: boolean;
  readonly paymentWaterfall: readonly Bucket[];
  readonly creditWaterfall: readonly Bucket[];
  readonly acceleratedWaterfall: readonly Component[];
  readonly chargedOffWaterfall: readonly Component[];
  /** An obligation whose remaining amount is at or below this counts as fulfilled. */
  readonly overdueToleranceCents: Cents;
  /** What money may leave of a loan that is then paid off all the same; absent or 0: nothing. */
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
 * `blockOnFeeOnly`: no fee for an obligation that would be fulfilled had no earlier late fee taken money
 * (16 CFR 444.4). `blockOnOldestObligation`: moreover no fee while an older obligation is unfulfilled.
 */
type LateFeePyramiding = 'none' | 'blockOnFeeOnly' | 'blockOnOldestObligation';

export interface LateFeeTerms {
  /** The fee type's id: with the obligation's ordinal it names a late fee over every replay. */
  readonly feeTypeId: string;
  /** Days after the due date on which the daily job books the fee. */
  readonly triggerDays: number;
  readonly amount: FeeAmount;
  /** Null: no bound. Clipped, never refused; a fee clipped to zero is not booked. */
  readonly minCents: Cents | null;
  readonly maxCents: Cents | null;
  readonly capPerLoanCents: Cents | null;
  readonly capPerPeriodCount: number | null;
  /** No fee when the obligation's remaining amount is at or below this. */
  readonly toleranceCents: Cents;
  readonly chargeLogic: ChargeLogic;
  /** The rule of the borrower's state at origination, when one applies. */
  readonly stateRule: StateFeeRule | null;
  /** On days of military service there is none. */
  readonly isWaivedDuringScra?: true;
  /** Days of freezing count for it, and it is charged on them. */
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
  /** The largest base of the tier; null: without bound. */
  readonly upToCents: Cents | null;
  /** One of the two. */
  readonly amountCents: Cents | null;
  readonly percentage: Rate | null;
}
