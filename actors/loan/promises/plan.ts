import type { Cents, Day, EffectiveTime } from '../../../engine/index.js';
import type { PromiseState } from './machine.js';

/**
 * What a borrower has promised to pay, and what became of it. It changes nothing on the ledger. What
 * was paid towards it is not kept here: it follows from the loan's payments.
 */
export interface PromisePlan extends PromiseTerms {
  readonly id: string;
  readonly externalId: string | null;
  readonly state: PromiseState;
  /** Payments count from this time on. */
  readonly madeAt: EffectiveTime;
  /** The company's setting when the promise was made; null: the end of the plan decides. */
  readonly brokenAfterDays: number | null;
  /** Due dates up to this day were told. */
  readonly toldThrough: Day;
  /** The day on which it was kept, broken or canceled. */
  readonly endedDay: Day | null;
  readonly cancellationReason: PromiseCancellation | null;
  readonly reasonDetails: string | null;
  readonly caseId: string | null;
  /** Machine time in microseconds: the order of lists. */
  readonly createdStamp: number;
  /** Milliseconds of the company's clock. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface PromiseTerms {
  readonly startDay: Day;
  /** How the dates were described; null when they were named one by one. */
  readonly frequency: PromiseFrequency | null;
  readonly specificDays: readonly string[] | null;
  /** Ascending by due day, each day once. */
  readonly promises: readonly PromisedPayment[];
}

export interface PromisedPayment {
  readonly id: string;
  readonly dueDay: Day;
  readonly amountCents: Cents;
}

export type PromiseFrequency = 'weekly' | 'everyTwoWeeks' | 'twiceMonthly' | 'monthly' | 'oneTime';
export type PromiseCancellation = 'canceledByUser' | 'replaced' | 'loanPaidOff' | 'loanChargedOff' | 'loanCanceled';
