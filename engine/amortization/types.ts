import type { Day, DayCountMethod } from '../calendar/index.js';
import type { Accrued, Cents, Rounding } from '../money/index.js';
import type { Prepaid } from './prepaid.js';
import type { AccrualMethod, RateTimeline } from '../rates/index.js';

/** Money paid out to the borrower: raises principal at the end of its day. */
export interface Advance {
  readonly date: Day;
  readonly amountCents: Cents;
}

/**
 * What a row is asked to be. `level` rows share one amount; `interestOnly` rows pay what has accrued; `forced`
 * rows keep their amount and the others absorb the difference; `given` rows are a caller's contractual amounts, of
 * which the last one takes the rest; `skipped` rows pay nothing and leave their interest to the next row.
 */
export type RowTerm =
  | { readonly type: 'level' }
  | { readonly type: 'interestOnly' }
  | { readonly type: 'forced'; readonly amountCents: Cents }
  | { readonly type: 'given'; readonly amountCents: Cents }
  | { readonly type: 'skipped' };

/**
 * Where the amount of a level row comes from: solved for; named, and the last date takes the rest; or named, with as
 * many rows as it takes.
 */
export type PaymentTerm =
  | { readonly type: 'level' }
  | { readonly type: 'fixed'; readonly amountCents: Cents }
  | { readonly type: 'openEnded'; readonly amountCents: Cents };

/**
 * What the last row does about the cents that a rounded level leaves. `absorbRounding` and `extraPayment` are the loan type's
 * `schedule.lastPaymentLogic`; with the latter the level is solved without the last due date, which is a spare for what
 * rounding leaves. The others are the ways of published calculators, and no loan is serviced by them: the last row stays
 * level and leaves a balance of either sign (`keepLevel`), or it is level and its interest takes the difference.
 */
export type LastPaymentLogic = 'absorbRounding' | 'extraPayment' | 'keepLevel' | 'interestAbsorbs';

export interface AmortizationRounding {
  /** How the solved level becomes an amount. The contract's default is up, its other setting half-up. */
  readonly payment: Rounding;
  /** The level is a multiple of this: 1 for cents, 100 for whole currency units. */
  readonly paymentMultipleCents: number;
  /** How a row's interest becomes cents. */
  readonly interest: Rounding;
}

export const CONTRACT_ROUNDING: AmortizationRounding = { payment: 'up', paymentMultipleCents: 1, interest: 'halfUp' };

/** Loan type `fees.originationFeeLogic`: on top of the first row, in equal parts, or outside the schedule. */
type FeeLogic = 'firstPayment' | 'spread' | 'separate';

export interface FeeTerms {
  readonly originationCents: Cents;
  readonly originationLogic: FeeLogic;
  /** A service fee in each row. */
  readonly perRowCents: Cents;
}

export interface AmortizationInput {
  /** First night that bears interest. */
  readonly start: Day;
  readonly principalCents: Cents;
  /** Unpaid interest that the first row collects beside its own. */
  readonly openingInterest?: Accrued;
  /** Later advances in any order; each one re-amortizes the rows after its day. */
  readonly advances?: readonly Advance[];
  /**
   * Ascending from `start`. The level is spread over all of them, also over those after `enforcedEndDate`; an open-ended
   * payment uses as many as it needs.
   */
  readonly dueDates: readonly Day[];
  /** The rows that are not level, by position; absent rows are level. */
  readonly rowTerms?: readonly RowTerm[];
  readonly payment: PaymentTerm;
  /** Nothing may fall due after this day: the last row up to it pays all that is left. */
  readonly enforcedEndDate?: Day | null;
  readonly rates: RateTimeline;
  readonly dayCount: DayCountMethod;
  /** Schedules know no unpaid fees: `compoundWithFees` is amortized as `compound`. */
  readonly accrualMethod?: AccrualMethod;
  readonly lastPayment?: LastPaymentLogic;
  readonly rounding?: AmortizationRounding;
  readonly fees?: FeeTerms;
  /** Interest of the whole loan never exceeds this. */
  readonly totalInterestCapCents?: Cents | null;
  /** What of a cap may still be charged, in place of it: a loan that goes on has charged some of it, to fractions of a cent. */
  readonly interestRoom?: Accrued | null;
  /** Rules before 3: a cap counts only where the rounded level reaches it, too. */
  readonly isCapOfRoundedLevel?: boolean;
  /** Absent: nothing. */
  readonly prepaid?: Prepaid;
}

/**
 * One expected payment: `amountCents = prepaidCents + principalCents + interestCents + feeCents`. Where a part of the
 * origination fee was paid in advance, what the rows bring for it is among these, beside the amount.
 */
export interface ScheduleRow {
  readonly date: Day;
  readonly amountCents: Cents;
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly interestBeforeDiscountCents: Cents;
  readonly unroundedPrincipal: Accrued;
  readonly unroundedInterest: Accrued;
  readonly unroundedInterestBeforeDiscount: Accrued;
  readonly feeCents: Cents;
  /** What has been paid of it in advance: it lowers the balance no more. */
  readonly prepaidCents: Cents;
  readonly isForcedAmount: boolean;
  readonly remainingPrincipalCents: Cents;
}

/** A solved level and the rows that it begins with; one for each advance that re-amortizes. */
export interface LevelPayment {
  readonly from: Day;
  readonly amountCents: Cents;
  /** Ten decimals of the currency unit are exact. */
  readonly unrounded: Accrued;
}

export interface Schedule {
  readonly rows: readonly ScheduleRow[];
  readonly levels: readonly LevelPayment[];
  readonly endDate: Day;
  readonly totalPrincipalCents: Cents;
  readonly totalInterestCents: Cents;
  /** Interest that promo rates save. */
  readonly totalDiscountCents: Cents;
  readonly totalFeesCents: Cents;
  readonly totalAmountCents: Cents;
  /** Charged at origination, in no row. */
  readonly separateFeeCents: Cents;
  /** What forced amounts left open; zero in every other schedule. */
  readonly unamortizedCents: Cents;
}
