import type { Day } from '../../calendar/index.js';
import type { Accrued, Cents, Rate } from '../../money/index.js';

/** The components of one block of balances. `feesCents` is the sum of the four kinds of fees. */
export interface BalanceBlock {
  readonly totalCents: Cents;
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly feesCents: Cents;
  readonly originationFeesCents: Cents;
  readonly lateFeesCents: Cents;
  readonly modificationFeesCents: Cents;
  /** Every other dynamic fee. */
  readonly dynamicFeesCents: Cents;
  /** Exact interest. `interestCents` is its value rounded half up, and `totalCents` the sum of the rounded parts. */
  readonly unroundedInterest: Accrued;
}

export interface Balances {
  readonly outstanding: BalanceBlock;
  readonly nonDue: BalanceBlock;
  readonly due: BalanceBlock;
  readonly overdue: BalanceBlock;
  readonly chargedOff: BalanceBlock;
  readonly paid: PaidBalances;
  readonly interestAndFees: InterestAndFees;
}

export interface PaidBalances {
  /** Payments and credits together, including overpaid money. */
  readonly totalCents: Cents;
  readonly paymentsCents: Cents;
  readonly creditsCents: Cents;
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly feesCents: Cents;
  readonly overCents: Cents;
  /** Overpaid money that can be refunded to the borrower. */
  readonly reimbursementCents: Cents;
}

export interface InterestAndFees {
  readonly interestAccrued: Accrued;
  readonly interestDiscount: Accrued;
  readonly forgoneInterestCap: Accrued;
  /** Signed: rounding up lowers it. */
  readonly forgoneInterestRounding: Accrued;
  readonly interestAccruedYearToDate: Accrued;
  readonly interestAccruedCurrentPeriod: Accrued;
  /** The interest of one day at the balance and rate of the state's day. */
  readonly dailyInterest: Accrued;
  readonly capitalizedInterestCents: Cents;
  readonly feesChargedCents: Cents;
  readonly feesChargedYearToDateCents: Cents;
  readonly interestPaidYearToDateCents: Cents;
}

/** One obligation as in `loan-terms.md` 3.1, without the fields that only lines have. */
export interface ObligationView {
  /** The row's position in the schedule, or `ACCELERATION_ORDINAL`. Stable over every replay. */
  readonly ordinal: number;
  /** The period that the obligation ends. */
  readonly period: number;
  readonly dueDay: Day;
  readonly obligationCents: Cents;
  readonly fulfilledCents: Cents;
  readonly remainingCents: Cents;
  readonly paymentsCents: Cents;
  readonly serviceCreditsCents: Cents;
  readonly overpaymentsCents: Cents;
  readonly capitalizedCents: Cents;
  readonly unassignedCents: Cents;
  readonly isFulfilled: boolean;
  readonly isOverdue: boolean;
  /** The amount may still change until the period ends. */
  readonly isOpen: boolean;
  readonly isLateFeeBlockedByPyramidingConfig: boolean;
}

export interface PeriodView {
  readonly ordinal: number;
  readonly startDay: Day;
  /** Inclusive. */
  readonly endDay: Day;
  readonly statementDay: Day;
  readonly dueDay: Day;
  readonly status: 'open' | 'closed' | 'future';
}

/** A row of the schedule in force: past rows, then expected rows. */
export interface ScheduleRowView {
  readonly ordinal: number;
  readonly date: Day;
  /** `booked`: its period has begun; `completed`: its obligation is fulfilled; `canceled`: nothing falls due with it. */
  readonly status: 'booked' | 'projected' | 'completed' | 'canceled';
  readonly amountCents: Cents;
  /** As contracted. */
  readonly originalAmountCents: Cents;
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly interestBeforeDiscountCents: Cents;
  readonly feesCents: Cents;
  /** The part of the amount that is paid in advance, without fees that fall due with it. */
  readonly prepaidCents: Cents;
  readonly unroundedPrincipal: Accrued;
  readonly unroundedInterest: Accrued;
  readonly unroundedInterestBeforeDiscount: Accrued;
  readonly isForcedAmount: boolean;
  /** Its payment has moved to another date; the amount is zero. */
  readonly isDeferred: boolean;
  /** Late fees and manual fees that fall due with it; the amount contains them. */
  readonly carriedFees: readonly CarriedFee[];
}

/** A fee by its number, or by the obligation for which it was charged. */
export interface CarriedFee {
  readonly fee: number | null;
  readonly obligation: number | null;
  readonly feeTypeId: string;
  readonly amountCents: Cents;
  readonly isPaid: boolean;
}

export interface OverdueView {
  readonly isOverdue: boolean;
  readonly daysOverdue: number;
  readonly overdueCents: Cents;
  /** Due day of the oldest unfulfilled overdue obligation. */
  readonly overdueSince: Day | null;
  readonly oldestObligation: number | null;
  readonly nextDueDate: Day | null;
  readonly nextDueCents: Cents | null;
}

/** The amount that pays the loan off on a day. */
export interface Payoff {
  readonly day: Day;
  readonly payoffCents: Cents;
  readonly principalCents: Cents;
  /** Truncated to the cent. */
  readonly interestCents: Cents;
  readonly feesCents: Cents;
  readonly dailyInterest: Accrued;
  /** Money that is not settled yet and counted. */
  readonly processingCents: Cents;
}

export interface InterestDay {
  readonly day: Day;
  readonly principalCents: Cents;
  readonly rate: Rate;
  readonly interest: Accrued;
  readonly interestBeforeDiscount: Accrued;
}
