import type { AmortizationRounding } from '../../amortization/index.js';
import type { Day, DayCountMethod, DueDateRule } from '../../calendar/index.js';
import type { Cents, Rate } from '../../money/index.js';
import type { AccrualMethod } from '../../rates/index.js';
import type { LedgerSettings, OriginationFee, Since } from '../core/terms.js';

/**
 * Everything contractual about one line of credit, resolved to engine types: the first argument of every computation of
 * its ledger. Facts are the second; draws, limits and rates come with them.
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
  /** How amortized draws become cents. */
  readonly rounding: AmortizationRounding;
  /** The line's own floor of the minimum payment; over-limit amounts enter it when asked for. */
  readonly minimum: MinimumTerms;
  /** What the loan type's configuration said from which day on; the first entry covers the activation. */
  readonly settings: readonly Since<LineSettings>[];
}

/** How a line's periods follow one another: the statement lies on the day after a period's end. */
export type LineSchedule =
  /** Due dates by the rule; the statement lies so many days before. */
  | { readonly type: 'fixedDueDate'; readonly due: DueDateRule; readonly statementToDueDays: number }
  /** Statements by the rule; the due date lies so many days after. */
  | { readonly type: 'fixedStatementDate'; readonly statement: DueDateRule; readonly statementToDueDays: number }
  /** Monthly, both days of the month; the due date is the first such day after the statement. */
  | { readonly type: 'fixedBoth'; readonly statement: DueDateRule; readonly due: DueDateRule };

/** What a minimum payment is made of. */
export interface MinimumTerms {
  readonly percentageOfPrincipal: Rate;
  readonly minCents: Cents;
  readonly isOverLimitIncluded: boolean;
}

export interface GraceTerms {
  readonly isApplicable: boolean;
  /** Obligations in a row that must be paid in full before a lost grace comes back; 1 or more. */
  readonly periodsToRestore: number;
}

/** The step of the multi-waterfall by which draws are put in order; the directed draw always comes first. */
export type DrawOrder = 'overdueAmount' | 'dueAmount' | 'highestRate' | 'oldest';

/** `lateFees` as for installment loans; the capitalization, waterfalls and thresholds are shared. */
export interface LineSettings extends LedgerSettings {
  /** Line-level fees are paid before the draws. */
  readonly areLineFeesFirst: boolean;
  readonly drawOrder: readonly DrawOrder[];
  /** Booked on the statement date as the difference, when a draw's interest of the period is above zero and below it. */
  readonly minimumInterestChargeCents: Cents | null;
  readonly isInterestInMinimum: boolean;
  readonly areFeesInMinimum: boolean;
  readonly isOverLimitInMinimum: boolean;
  readonly isOverdueInMinimum: boolean;
  /** Share of the limit by which a balance may exceed it. */
  readonly overLimitTolerance: Rate;
  /** False: principal that was paid is not lent again. */
  readonly isRevolving: boolean;
}
