import type { tags } from 'typia';
import type { PageQuery } from '../../page.js';
import type { Amount, AnyId, DateText, DateTimeText, ExternalId, PositiveAmount, ShortText, Text } from '../../wire.js';
import type { ActionRequest } from '../requests.js';
import type { PromiseCancellation, PromiseFrequency } from './plan.js';

/** Bodies and queries of promise-to-pay plans. */

type PromiseCount = number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<104>;

/** Either `schedule`, or what describes it: the start, how often, on which days, how many times and how much. */
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

/** Absent fields are untouched; new terms take the place of what is not due yet. */
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

/** A promise-to-pay plan as every reply shows it. */
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
