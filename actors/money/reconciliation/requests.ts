import type { tags } from 'typia';
import type { Day } from '../../../engine/index.js';
import type { PageQuery } from '../../list-order.js';
import type { AnyId, DateText, Text } from '../../wire.js';
import type { CardDayResults, Difference, ReconciliationStatus } from './reconciliation.js';

export interface ReconciliationListQuery extends PageQuery {
  readonly paymentProcessorId?: AnyId;
  readonly status?: ReconciliationStatus;
  readonly fromDate?: DateText;
  readonly toDate?: DateText;
}

export interface ResolveReconciliationRequest {
  /** The difference; absent: all that are open. */
  readonly itemId?: string & tags.MinLength<1> & tags.MaxLength<200>;
  /** What was found out, and done. */
  readonly resolution: Text & tags.MinLength<1>;
}

export interface OpenReconciliationBody {
  readonly processorId: string;
  readonly day: Day;
}

/** Keys of the differences of a day that nobody has resolved. */
export interface OpenDifferences {
  readonly id: string;
  readonly keys: readonly string[];
}

/** Which of some keys differences of a processor have, on any day since then. */
export interface KnownDifferencesQuery {
  readonly processorId: string;
  readonly from: Day;
  readonly keys: readonly string[];
}

export interface DifferencesBody {
  readonly items: readonly Difference[];
}

export interface CardResultsBody extends DifferencesBody {
  readonly results: CardDayResults;
}

/** `from` null: the newest day alone. */
export interface CardResultsQuery {
  readonly processorId: string;
  readonly from: Day | null;
}

export interface KeptCardResults extends CardDayResults {
  readonly id: string;
  readonly day: Day;
}
