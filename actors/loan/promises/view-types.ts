import type { Amount, DateText, DateTimeText } from '../../wire.js';
import type { PromiseCancellation, PromiseFrequency } from './plan.js';
import type { PromiseStatusValue } from './requests.js';

/** A promise-to-pay plan as every reply shows it (loan-terms 5). */
export interface PromisePlanView {
  readonly id: string;
  readonly object: 'promiseToPayPlan';
  readonly companyId: string;
  readonly loanId: string;
  readonly externalId: string | null;
  readonly status: PromiseStatusValue;
  readonly isOverdue: boolean;
  readonly startDate: DateText;
  readonly endDate: DateText;
  /** How the dates were described; null when they were named one by one. */
  readonly frequency: PromiseFrequency | null;
  readonly specificDays: readonly string[] | null;
  readonly duration: number;
  /** Of each payment; null when they differ. */
  readonly amount: Amount | null;
  readonly schedule: readonly PromisePeriodView[];
  readonly promiseBrokenAfterDays: number | null;
  readonly cancellationReason: PromiseCancellation | null;
  readonly reasonDetails: string | null;
  readonly caseId: string | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText;
  readonly deletedAt: null;
}

export interface PromisePeriodView {
  readonly id: string;
  readonly object: 'promisePeriod';
  /** The loan's period in which it falls due; null after the last one. */
  readonly periodId: string | null;
  /** First day whose payments are its own, unless an older promise takes them. */
  readonly startDate: DateText;
  readonly dueDate: DateText;
  readonly amount: Amount;
  readonly paidAmount: Amount;
  readonly status: 'scheduled' | 'kept' | 'broken';
  readonly timestamps: { readonly createdAt: DateTimeText; readonly updatedAt: DateTimeText; readonly deletedAt: null };
}
