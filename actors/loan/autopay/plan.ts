import type { Cents, Day, DueDateRule } from '../../../engine/index.js';
import type { Agent } from '../../kernel/fact.js';
import type { LoanState } from '../state.js';
import type { UsedInstrument } from '../transactions/record.js';
import type { AutopayStatus } from './evolve.js';

/**
 * A borrower's recurring order to pay a loan. Coming payments are not stored: they follow from its dates and from the loan's ledger.
 * Stored are the terms, the payments that were made, and the loan's schedule as the plan saw it last.
 */
export interface AutopayPlan extends AutopayTerms {
  readonly status: AutopayStatus;
  /**
   * Dates and amounts of the rows of the loan's schedule as last seen, by their ordinals. A line of credit has no last row: for it, the due
   * dates of about a year, without amounts.
   */
  readonly rowDays: readonly Day[];
  readonly rowCents: readonly Cents[];
  /** The work of this day and of all before it is done. */
  readonly through: Day;
  /** The day of the next payment; null when none is to come. Derived from the other fields. */
  readonly nextDay: Day | null;
  readonly adjustments: readonly Adjustment[];
  /** The payments whose day has come, oldest first. */
  readonly payments: readonly MadePayment[];
  /** Payments in a row that failed for good. */
  readonly failures: number;
  /** Failed transactions that are not handled yet. */
  readonly unanswered: readonly string[];
  readonly retries: readonly Retry[];
  readonly createdBy: Agent;
  /** Milliseconds of the company's clock. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly endedAt: number | null;
  readonly cancelReason: AutopayCancelReason | null;
}

/** The terms that were agreed. */
export interface AutopayTerms {
  readonly id: string;
  /** Null: paid on the loan's due dates. */
  readonly rule: DueDateRule | null;
  readonly instrument: UsedInstrument;
  readonly agreementDocumentId: string | null;
  readonly amountType: AutopayAmountType;
  /** Of `fixedAmount`: paid even where the minimum payment is less. */
  readonly fixedCents: Cents | null;
  /** Added to each payment, for principal. */
  readonly extraCents: Cents;
  readonly caseId: string | null;
  /** First counter of the ids of its payments. */
  readonly idBase: number;
  /** The day on which it was set up: its first payment lies later. */
  readonly startDay: Day;
}

/** Installment loans are paid as scheduled; lines of credit by one of the others. */
export type AutopayAmountType = 'scheduledAmount' | 'minimumDueAmount' | 'statementBalance' | 'fixedAmount' | 'outstandingBalance';

/** One payment on another day, or (null) not at all. The last one of a payment counts. */
interface Adjustment {
  readonly ordinal: number;
  readonly day: Day | null;
}

export interface MadePayment {
  readonly ordinal: number;
  readonly day: Day;
  readonly amountCents: Cents;
  /** The payment and its re-presentments; empty when nothing was left to pay. */
  readonly transactionIds: readonly string[];
}

/** A failed transaction that is to be presented again. */
export interface Retry {
  readonly transactionId: string;
  /** 1 for the first re-presentment. */
  readonly attempt: number;
  readonly day: Day;
}

export type AutopayCancelReason =
  | 'invalidPaymentMethod'
  | 'canceledByBorrower'
  | 'canceledByAgent'
  | 'consecutiveFailures'
  | 'loanPaidOff'
  | 'loanChargedOff'
  | 'loanAccelerated'
  | 'loanCanceled'
  | 'loanFrozen'
  | 'bankruptcy'
  | 'deceased'
  | 'scheduleChanged';

/** Ids that a plan reserves for its payments: more than a loan has rows, and than weeks in 39 years. */
export const MAX_AUTOPAY_PAYMENTS = 2_048;

/** 01:00, the nominal time of scheduled items. */
export const AUTOPAY_SECONDS = 3_600;

export const isLive = ({ status }: AutopayPlan): boolean => status === 'active' || status === 'suspended';

/** The plan in force, also one that is suspended while the loan is frozen. */
export function livePlan(state: LoanState): AutopayPlan | null {
  const newest = state.autopay.at(-1);
  return newest !== undefined && isLive(newest) ? newest : null;
}
