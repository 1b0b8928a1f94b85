import type { AmortizationRounding } from '../../amortization/index.js';
import type { Day, DayCountMethod, DueDateRule } from '../../calendar/index.js';
import type { Cents, Rate } from '../../money/index.js';
import type { AccrualMethod } from '../../rates/index.js';
import type { LedgerSettings, OriginationFee, Since } from '../core/terms.js';

/**
 * The contract of one line of credit, resolved to engine types. It is the first argument of every computation of its ledger;
 * facts are the second, and bring draws, limits and rates.
 */
export interface LineTerms {
  readonly activation: Day;
  /** First day that bears interest: the activation day, or the day after it (`interest.firstDay`). */
  readonly interestFrom: Day;
  readonly creditLimitCents: Cents;
  readonly originationFee: OriginationFee;
  readonly dayCount: DayCountMethod;
  readonly accrualMethod: AccrualMethod;
  readonly schedule: LineSchedule;
  /** Rounding of amortized draws. */
  readonly rounding: AmortizationRounding;
  /** The line's own floor of the minimum payment; over-limit amounts are part of it if configured. */
  readonly minimum: MinimumTerms;
  /** The configuration of the loan type by its first day; the first entry covers the activation. */
  readonly settings: readonly Since<LineSettings>[];
}

/** The schedule of a line's periods. The statement is on the day after a period's end. */
export type LineSchedule =
  /** Due dates by the rule; the statement is this many days before. */
  | { readonly type: 'fixedDueDate'; readonly due: DueDateRule; readonly statementToDueDays: number }
  /** Statements by the rule; the due date is this many days after. */
  | { readonly type: 'fixedStatementDate'; readonly statement: DueDateRule; readonly statementToDueDays: number }
  /** Monthly, both by their day of the month; the due date is the first such day after the statement. */
  | { readonly type: 'fixedBoth'; readonly statement: DueDateRule; readonly due: DueDateRule };

/** The terms of a minimum payment. */
export interface MinimumTerms {
  readonly percentageOfPrincipal: Rate;
  readonly minCents: Cents;
  readonly isOverLimitIncluded: boolean;
}

export interface GraceTerms {
  readonly isApplicable: boolean;
  /** Consecutive obligations that must be paid in full before a lost grace is restored; 1 or more. */
  readonly periodsToRestore: number;
}

/** The criteria by which the multi-waterfall orders draws; the directed draw always comes first. */
export type DrawOrder = 'overdueAmount' | 'dueAmount' | 'highestRate' | 'oldest';

/** `lateFees`, capitalization, waterfalls and thresholds are as for installment loans. */
export interface LineSettings extends LedgerSettings {
  /** Fees of the line itself are paid before the draws. */
  readonly areLineFeesFirst: boolean;
  readonly drawOrder: readonly DrawOrder[];
  /** If a draw's interest of the period is above zero and below this, the difference is charged on the statement date. */
  readonly minimumInterestChargeCents: Cents | null;
  readonly isInterestInMinimum: boolean;
  readonly areFeesInMinimum: boolean;
  readonly isOverLimitInMinimum: boolean;
  readonly isOverdueInMinimum: boolean;
  /** The share of the limit by which a balance may exceed the limit. */
  readonly overLimitTolerance: Rate;
  /** False: paid principal cannot be drawn again. */
  readonly isRevolving: boolean;
}
