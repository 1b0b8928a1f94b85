import type { Day, DayCountMethod } from '../../calendar/index.js';
import type { Cents, Rate, Rounding } from '../../money/index.js';

/** What an installment is made of. Penalties are fees for breaches (late, returned payment), apart from agreed fees. */
export type Part = 'penalties' | 'fees' | 'interest' | 'principal';

/** How a period's interest is found. */
export type InterestMethod =
  /** On the original principal, the same in each period, whatever is paid (add-on). */
  | { readonly type: 'flat'; readonly periodsPerYear: number }
  /** On the balance, by days. */
  | { readonly type: 'daily'; readonly dayCount: DayCountMethod }
  /**
   * On the balance, a period's share of the yearly rate however many days it has; parts of it by their days. The first
   * period may be counted by its days over a year of so many; null: it is a period like the others.
   */
  | { readonly type: 'periodic'; readonly periodsPerYear: number; readonly firstPeriodYear: 360 | 365 | null };

/**
 * Whether early and late payments change the interest of the schedule.
 *
 *     none         the schedule's interest stands
 *     progressive  each day's interest on what is open at its end: principal paid early bears none, overdue principal does
 *     cumulative   what is paid in the running period lowers its balance, overdue principal bears interest in the running
 *                  period alone, and what exceeds the period's principal lowers the installments to come
 */
export type Recalculation =
  | { readonly type: 'none' }
  | { readonly type: 'progressive'; readonly isOverdueBearing: boolean }
  | {
      readonly type: 'cumulative';
      /** Payments count from their day on, or from the next due date. */
      readonly rest: 'daily' | 'dueDates';
      /** Unpaid interest bears interest beside overdue principal. */
      readonly isCompounding: boolean;
    };

/** What money above what is due meets: the next installments, the last ones first, or an equal part of each. */
export type Excess = 'next' | 'last' | 'spread';

/** The order in which an installment's parts take money, by where it stands on the day; the oldest installment first. */
export interface AllocationOrder {
  readonly pastDue: readonly Part[];
  readonly due: readonly Part[];
  readonly inAdvance: readonly Part[];
}

/** What a principal part is before the interest is known. */
export type PrincipalMethod =
  /** One amount for interest and principal together, solved over the days of the schedule, or over months of 30 days. */
  | { readonly type: 'level'; readonly solvedOver: 'schedule' | 'thirtyDayMonths' }
  /** The principal in equal parts. */
  | { readonly type: 'equal' }
  /** A share of the original principal each, the remainder in the last installment. */
  | { readonly type: 'share'; readonly share: Rate };

interface ScheduledRounding {
  readonly interest: Rounding;
  readonly amount: Rounding;
  /** Amounts are multiples of this: 1 for cents, 100 for whole units of the currency. */
  readonly multipleCents: number;
  /**
   * The whole row and the down payment are such multiples, and principal is what interest leaves of the row. Absent: a level
   * is, or the principal beside flat interest.
   */
  readonly isOfWholeRow?: true;
  /**
   * `period`: the interest of a period is summed exactly and rounded once. Absent: each stretch of one
   * balance and one rate is rounded by itself.
   */
  readonly interestPer?: 'period';
}

/** A part of each advance that is due on its day. */
export interface DownPayment {
  readonly share: Rate;
  /** The lender keeps it back, so that it is paid with the advance. */
  readonly isAutomatic: boolean;
}

/** Everything contractual about a loan with scheduled interest. */
export interface ScheduledTerms {
  /** First day of the first period. */
  readonly start: Day;
  /** Ascending. */
  readonly dueDates: readonly Day[];
  readonly annualRate: Rate;
  readonly interest: InterestMethod;
  readonly principal: PrincipalMethod;
  /** Installments at the beginning that ask for interest alone. */
  readonly interestOnlyCount: number;
  readonly rounding: ScheduledRounding;
  readonly recalculation: Recalculation;
  readonly downPayment: DownPayment | null;
  readonly allocation: AllocationOrder;
  readonly excess: Excess;
  /** The same for credits of the lender or the merchant. */
  readonly creditExcess: Excess;
  /**
   * What comes back to life first when a payment is charged back; no more than the payment had met of it. Null: such a
   * payment is as if it had not been.
   */
  readonly chargebackOrder: readonly Part[] | null;
  /** The first night that a new rate counts for: the one that begins on its day, or the one that ends then. */
  readonly newRateCountsFrom: 'day' | 'nightBefore';
  /** Which interest of the running period a payoff asks for. */
  readonly payoffInterest: 'toDate' | 'toPeriodEnd';
}

/** What a loan type says of loans with scheduled interest; the rest comes with each loan. */
export type ScheduledKeeping = Omit<ScheduledTerms, 'start' | 'dueDates' | 'annualRate'>;

interface ScheduledPosition {
  readonly day: Day;
  /** The order within a day. */
  readonly sequence: number;
}

export type ChargePart = 'fees' | 'penalties';

/**
 * Which row takes what a fact asks for.
 *
 *     runningPeriod  the row whose period `[from, dueDay)` holds the fact's day; from the last due date on a row of that day alone
 *     absent         as releases before rules 3 did: a due date belongs to the period that ends then, and what is charged after the
 *                    last due date joins the last row
 */
export interface Joining {
  readonly joins?: 'runningPeriod';
}

export type ScheduledFact = ScheduledPosition &
  (
    | { readonly type: 'advanced'; readonly amountCents: Cents }
    /** The down payment that came with an advance is as if it had not been; `advance` is the sequence of its fact. */
    | { readonly type: 'downPaymentUndone'; readonly advance: number }
    /** A share of the advances to come, kept back as a fee. */
    | { readonly type: 'advanceFeeCharged'; readonly share: Rate }
    /** Unless it says which row it joins: the one in whose period its due day lies. */
    | (Joining & { readonly type: 'charged'; readonly part: ChargePart; readonly dueDay: Day; readonly amountCents: Cents })
    /** A share of each installment's principal and interest. */
    | { readonly type: 'installmentFeeCharged'; readonly share: Rate }
    /**
     * `isForgiven`: nobody has paid it, the lender has given it up. `meetsOpen`: what is above all that is due meets the installment of
     * the running period before the rule for money in advance.
     */
    | {
        readonly type: 'paid';
        readonly kind: 'payment' | 'credit';
        readonly amountCents: Cents;
        readonly isForgiven?: true;
        readonly meetsOpen?: true;
      }
    /** What the loan has financed goes back whole: a credit, and the interest of all nights so far is given back beside it. */
    | { readonly type: 'refundedInFull'; readonly amountCents: Cents }
    /** Money for one row, with the split that the payer knows. */
    | { readonly type: 'paidInstallment'; readonly dueDay: Day; readonly principalCents: Cents; readonly interestCents: Cents }
    /** `payment` is the sequence of the fact that paid. */
    | (Joining & { readonly type: 'chargedBack'; readonly payment: number; readonly amountCents: Cents })
    /** What was overpaid goes back to the borrower; what was not overpaid is owed again. */
    | (Joining & { readonly type: 'paidBack'; readonly amountCents: Cents })
    /** So much of what was overpaid meets what is open: a credit's rest stays nobody's. */
    | { readonly type: 'paidOverMet'; readonly amountCents: Cents }
    | { readonly type: 'rateChanged'; readonly from: Day; readonly annualRate: Rate }
    /**
     * All rates from a day on. `solved`: `fromChange` solves the rows due after the first night that has another rate than before, over
     * what is left then; absent, all rows to come over their schedule.
     */
    | {
        readonly type: 'ratesReplaced';
        readonly rates: readonly { readonly from: Day; readonly annualRate: Rate }[];
        readonly solved?: 'fromChange';
        /** When they were recorded late: rows due by then ask for no more than they did. Absent: they were known in time. */
        readonly knownDay?: Day;
      }
    /** The installments from the one due on `from` get these dates; more dates than installments lengthen the loan. */
    | { readonly type: 'rescheduled'; readonly from: Day; readonly dueDates: readonly Day[]; readonly principalFreeCount: number }
    /** Principal and interest that are past due join the rows to come, from the one due on `from` on (absent: all), in equal parts. */
    | { readonly type: 'reamortized'; readonly from?: Day }
    | { readonly type: 'excessChanged'; readonly excess: Excess }
    /** Income was booked: it is told once, whatever is undone later. */
    | { readonly type: 'incomeBooked'; readonly parts: Readonly<Record<Part, number>> }
  );
