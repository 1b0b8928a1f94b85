import type { tags } from 'typia';
import type { Cents, Day, EffectiveTime } from '../../../engine/index.js';
import type { PageQuery } from '../../list-order.js';
import type { Amount, AnyId, DateText, DateTimeText, ExternalId, PositiveAmount, ShortText, Text } from '../../wire.js';
import type { ActionRequest } from '../requests.js';
import type { PromiseState } from './evolve.js';

/**
 * A borrower's promise to pay, and its state. It does not change the ledger. What was paid towards it is not stored: it follows from the
 * loan's payments.
 */
export interface PromisePlan extends PromiseTerms {
  readonly id: string;
  readonly externalId: string | null;
  readonly state: PromiseState;
  /** Payments count from this time on. */
  readonly madeAt: EffectiveTime;
  /** The company's setting when the promise was made; null: the end of the plan decides. */
  readonly brokenAfterDays: number | null;
  /** The events of due dates up to this day were published. */
  readonly dueReportedThrough: Day;
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

/** Bodies and queries of promise-to-pay plans. */

type PromiseCount = number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<104>;

/** Either `schedule`, or `startDate`, `frequency`, `specificDays`, `duration` and `amount`. */
export interface PromiseTermsRequest {
  readonly schedule?: (readonly PromisedPaymentRequest[] & tags.MinItems<1> & tags.MaxItems<104>) | null;
  readonly startDate?: DateText | null;
  readonly frequency?: PromiseFrequency | null;
  readonly specificDays?: (readonly (number | ShortText)[] & tags.MaxItems<2>) | null;
  readonly duration?: PromiseCount | null;
  readonly amount?: PositiveAmount | null;
}

interface PromisedPaymentRequest {
  readonly dueDate: DateText;
  readonly amount: PositiveAmount;
}

export interface CreatePromisePlanRequest extends ActionRequest, PromiseTermsRequest {
  readonly externalId?: ExternalId | null;
}

/** Absent fields stay as they are; new terms replace promises that are not due yet. */
export interface UpdatePromisePlanRequest extends ActionRequest, PromiseTermsRequest {
  readonly externalId?: ExternalId | null;
}

export interface CancelPromisePlanRequest extends ActionRequest {
  readonly cancellationReason?: 'canceledByUser' | 'replaced';
  readonly reasonDetails?: Text | null;
}

type PromiseStatusValue = 'scheduled' | 'active' | 'kept' | 'broken' | 'canceled';

export interface ListPromisePlansQuery extends PageQuery {
  readonly status?: readonly PromiseStatusValue[];
}

export interface ListAllPromisePlansQuery extends ListPromisePlansQuery {
  readonly isOverdue?: boolean;
  /** Plans that start after this day. */
  readonly startDateAfter?: DateText;
  /** Plans that end before this day. */
  readonly endDateBefore?: DateText;
  readonly loanId?: AnyId;
}

/** A promise-to-pay plan in replies. */
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
  /** The amount of each payment; null if they differ. */
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
  /** The first day whose payments count for it, unless an older promise is unpaid. */
  readonly startDate: DateText;
  readonly dueDate: DateText;
  readonly amount: Amount;
  readonly paidAmount: Amount;
  readonly status: 'scheduled' | 'kept' | 'broken';
  readonly timestamps: { readonly createdAt: DateTimeText; readonly updatedAt: DateTimeText; readonly deletedAt: null };
}
