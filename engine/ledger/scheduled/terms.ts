import type { Day, DayCountMethod } from '../../calendar/index.js';
import type { Cents, Rate, Rounding } from '../../money/index.js';

/** The parts of an installment. Penalties are fees for breaches (late or returned payments); fees are agreed. */
export type Part = 'penalties' | 'fees' | 'interest' | 'principal';

/** How the interest of a period is computed. */
export type InterestMethod =
  /** Add-on: on the original principal, the same in each period, whatever is paid. */
  | { readonly type: 'flat'; readonly periodsPerYear: number }
  /** On the balance, by days. */
  | { readonly type: 'daily'; readonly dayCount: DayCountMethod }
  /**
   * On the balance, the period's share of the annual rate, whatever its number of days; parts of a period by their days.
   * The first period may be counted by its days over a year of 360 or 365; null: it is a period like the others.
   */
  | { readonly type: 'periodic'; readonly periodsPerYear: number; readonly firstPeriodYear: 360 | 365 | null };

/**
 * Whether early and late payments change the interest of the schedule.
 *
 *     none         the interest of the schedule does not change
 *     progressive  interest of each day on the balance at its end: principal paid early bears none, overdue principal does
 *     cumulative   payments in the running period lower its balance, overdue principal bears interest only in the running
 *                  period, and payments above the principal of the period lower the coming installments
 */
export type Recalculation =
  | { readonly type: 'none' }
  | { readonly type: 'progressive'; readonly isOverdueBearing: boolean }
  | {
      readonly type: 'cumulative';
      /** Payments lower the balance from their day on, or from the next due date on. */
      readonly rest: 'daily' | 'dueDates';
      /** Unpaid interest bears interest, like overdue principal. */
      readonly isCompounding: boolean;
    };

/** What money above the due amounts pays: the next installments, the last ones first, or an equal part of each. */
export type Excess = 'next' | 'last' | 'spread';

/** The order in which the parts of an installment are paid, by its status on the day; the oldest installment first. */
export interface AllocationOrder {
  readonly pastDue: readonly Part[];
  readonly due: readonly Part[];
  readonly inAdvance: readonly Part[];
}

/** How the principal of an installment is planned. */
export type PrincipalMethod =
  /** A level amount of interest and principal, solved over the days of the schedule or over months of 30 days. */
  | { readonly type: 'level'; readonly solvedOver: 'schedule' | 'thirtyDayMonths' }
  /** Equal parts of the principal. */
  | { readonly type: 'equal' }
  /** A share of the original principal in each installment, the remainder in the last. */
  | { readonly type: 'share'; readonly share: Rate };

interface ScheduledRounding {
  readonly interest: Rounding;
  readonly amount: Rounding;
  /** Amounts are multiples of this: 1 for cents, 100 for whole units of the currency. */
  readonly multipleCents: number;
  /**
   * The whole row and the down payment are multiples, and principal is the row less its interest. Absent: only the level, or
   * the principal with flat interest.
   */
  readonly isOfWholeRow?: true;
  /**
   * `period`: the interest of a period is summed exactly and rounded once. Absent: each stretch of one balance and one rate
   * is rounded separately.
   */
  readonly interestPer?: 'period';
}

/** A part of each advance that is due on its day. */
export interface DownPayment {
  readonly share: Rate;
  /** The lender keeps it back from the advance, so it is paid at once. */
  readonly isAutomatic: boolean;
}

/** The contract of a loan with scheduled interest. */
export interface ScheduledTerms {
  /** First day of the first period. */
  readonly start: Day;
  /** Ascending. */
  readonly dueDates: readonly Day[];
  readonly annualRate: Rate;
  readonly interest: InterestMethod;
  readonly principal: PrincipalMethod;
  /** The number of interest-only installments at the beginning. */
  readonly interestOnlyCount: number;
  readonly rounding: ScheduledRounding;
  readonly recalculation: Recalculation;
  readonly downPayment: DownPayment | null;
  readonly allocation: AllocationOrder;
  readonly excess: Excess;
  /** The same for credits of the lender or the merchant. */
  readonly creditExcess: Excess;
  /**
   * The order in which parts are owed again after a chargeback, at most what the payment had paid of each. Null: a payment
   * that is charged back is voided.
   */
  readonly chargebackOrder: readonly Part[] | null;
  /** The first night of a new rate: the night that begins on its day, or the night that ends on it. */
  readonly newRateCountsFrom: 'day' | 'nightBefore';
  /** The interest of the running period in a payoff. */
  readonly payoffInterest: 'toDate' | 'toPeriodEnd';
}

/** The settings of a loan type for scheduled interest; the rest comes with each loan. */
export type ScheduledKeeping = Omit<ScheduledTerms, 'start' | 'dueDates' | 'annualRate'>;

interface ScheduledPosition {
  readonly day: Day;
  /** The order within a day. */
  readonly sequence: number;
}

export type ChargePart = 'fees' | 'penalties';

/**
 * Which row an amount joins.
 *
 *     runningPeriod  the row whose period `[from, dueDay)` contains the fact's day; from the last due date on a row of that day
 *     absent         as before rules 3: a due date belongs to the period that it ends, and charges after the last due date join
 *                    the last row
 */
export interface Joining {
  readonly joins?: 'runningPeriod';
}

export type ScheduledFact = ScheduledPosition &
  (
    | { readonly type: 'advanced'; readonly amountCents: Cents }
    /** Removes the down payment of an advance; `advance` is the sequence of its fact. */
    | { readonly type: 'downPaymentUndone'; readonly advance: number }
    /** A fee kept back from coming advances, as a share of them. */
    | { readonly type: 'advanceFeeCharged'; readonly share: Rate }
    /** Without `joins`, it joins the row in whose period its due day lies. */
    | (Joining & { readonly type: 'charged'; readonly part: ChargePart; readonly dueDay: Day; readonly amountCents: Cents })
    /** A fee in each installment, as a share of its principal and interest. */
    | { readonly type: 'installmentFeeCharged'; readonly share: Rate }
    /**
     * `isForgiven`: the lender has forgiven the amount. `meetsOpen`: money above the due amounts pays the installment of the running
     * period first, before the rule for money in advance applies.
     */
    | {
        readonly type: 'paid';
        readonly kind: 'payment' | 'credit';
        readonly amountCents: Cents;
        readonly isForgiven?: true;
        readonly meetsOpen?: true;
      }
    /** A return of everything that the loan financed: a credit, and in addition the interest of all nights so far. */
    | { readonly type: 'refundedInFull'; readonly amountCents: Cents }
    /** Money for one row, with its split. */
    | { readonly type: 'paidInstallment'; readonly dueDay: Day; readonly principalCents: Cents; readonly interestCents: Cents }
    /**
     * `payment` is the sequence of the fact of the payment. `overCents`: the overpaid part of the payment that has paid nothing since;
     * absent: all of its overpaid part.
     */
    | (Joining & { readonly type: 'chargedBack'; readonly payment: number; readonly amountCents: Cents; readonly overCents?: Cents })
    /** A refund of overpaid money to the borrower. Money that was not overpaid is owed again. */
    | (Joining & { readonly type: 'paidBack'; readonly amountCents: Cents })
    /** This much overpaid money pays open amounts. The overpaid part of a credit is not used. */
    | { readonly type: 'paidOverMet'; readonly amountCents: Cents }
    | { readonly type: 'rateChanged'; readonly from: Day; readonly annualRate: Rate }
    /**
     * All rates from a day on. `solved`: `fromChange` solves the rows due after the first night with a changed rate over the balance of
     * that night; absent: all coming rows over their schedule.
     */
    | {
        readonly type: 'ratesReplaced';
        readonly rates: readonly { readonly from: Day; readonly annualRate: Rate }[];
        readonly solved?: 'fromChange';
        /** The day of a late recording: rows due by then are not raised. Absent: recorded in time. */
        readonly knownDay?: Day;
      }
    /** New due dates for the installments from the one due on `from` on. More dates than installments lengthen the loan. */
    | { readonly type: 'rescheduled'; readonly from: Day; readonly dueDates: readonly Day[]; readonly principalFreeCount: number }
    /** Past due principal and interest move to the rows from the one due on `from` on (absent: all coming rows), in equal parts. */
    | { readonly type: 'reamortized'; readonly from?: Day }
    | { readonly type: 'excessChanged'; readonly excess: Excess }
    /** Income was recorded. It is recorded once, whatever is undone later. */
    | { readonly type: 'incomeBooked'; readonly parts: Readonly<Record<Part, number>> }
  );
