import type { StoredEvent } from '../fact.js';

/** What an event must carry to be wanted; absent means anything. */
export interface EventFilter {
  readonly eventTypes?: ReadonlySet<string>;
  readonly objectType?: string;
  readonly objectId?: string;
  readonly personId?: string;
  readonly loanId?: string;
  readonly caseId?: string;
  /** Bounds of the stamp in microseconds, both excluded. */
  readonly afterStamp?: number;
  readonly beforeStamp?: number;
}

export function matches(event: StoredEvent, filter: EventFilter): boolean {
  return (
    (!filter.eventTypes || filter.eventTypes.has(event.eventType)) &&
    (filter.objectType === undefined || filter.objectType === event.objectType) &&
    (filter.objectId === undefined || filter.objectId === event.objectId) &&
    (filter.loanId === undefined || filter.loanId === event.refs.loanId) &&
    (filter.personId === undefined || filter.personId === event.refs.personId) &&
    (filter.caseId === undefined || filter.caseId === event.refs.caseId) &&
    (filter.afterStamp === undefined || event.stamp > filter.afterStamp) &&
    (filter.beforeStamp === undefined || event.stamp < filter.beforeStamp)
  );
}
