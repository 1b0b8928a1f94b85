import type { tags } from 'typia';
import type { PageQuery } from '../../page.js';
import type { AnyId, DateText, ExternalId, PositiveAmount, ShortText, Text } from '../../wire.js';
import type { ActionRequest } from '../requests.js';
import type { PromiseFrequency } from './plan.js';

/** Bodies and queries of promise-to-pay plans (loan-terms 5). */

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

export type PromiseStatusValue = 'scheduled' | 'active' | 'kept' | 'broken' | 'canceled';

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
