import type { tags } from 'typia';
import type { DateText, ExternalId, MetaData, PositiveAmount, TimeOfDay } from '../../wire.js';
import type { PageQuery } from '../../list-order.js';
import type { ProceedsDetailsRequest } from '../proceeds-details.js';
import type { ActionRequest } from '../requests.js';
import type { AdvanceStatus } from './advance.js';

/** An advance that is planned: a row of `PUT L/advance-schedule`. */
export interface ScheduledAdvanceRequest {
  readonly externalId?: ExternalId | null;
  readonly amount: PositiveAmount;
  readonly advanceDate: DateText;
  readonly advanceTimeOfDay?: TimeOfDay | null;
  readonly advanceDetails?: ProceedsDetailsRequest | null;
  readonly metadata?: MetaData | null;
  readonly status?: 'scheduled';
}

export interface CreateAdvanceRequest extends ActionRequest {
  readonly externalId?: ExternalId | null;
  readonly status?: 'scheduled' | 'pending' | 'settled';
  readonly amount: PositiveAmount;
  /** Today when it is absent; a scheduled one names a day to come. */
  readonly advanceDate?: DateText | null;
  readonly advanceTimeOfDay?: TimeOfDay | null;
  readonly advanceDetails?: ProceedsDetailsRequest | null;
  readonly metadata?: MetaData | null;
}

/** Absent fields stay. */
export interface UpdateAdvanceRequest extends ActionRequest {
  readonly status?: AdvanceStatus;
  readonly amount?: PositiveAmount;
  readonly advanceDetails?: ProceedsDetailsRequest | null;
  readonly metadata?: MetaData | null;
}

export interface ReplaceAdvancesRequest extends ActionRequest {
  readonly advanceSchedule: readonly ScheduledAdvanceRequest[] & tags.MaxItems<100>;
}

export interface ListAdvancesQuery extends PageQuery {
  readonly statuses?: readonly string[];
}
