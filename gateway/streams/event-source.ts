import type { Tenant } from '../../actors/index.js';

/** What an event must be about to be wanted; absent means anything. */
export interface StreamFilter {
  readonly eventType?: readonly string[];
  readonly objectType?: string;
  readonly objectId?: string;
  readonly personId?: string;
  readonly loanId?: string;
  readonly caseId?: string;
}

export interface StreamedEvent {
  readonly id: string;
  readonly eventType: string;
  /** Whose events are numbered together: their order means something. */
  readonly orderKey: string;
  /** The event object of the interface. */
  readonly view: unknown;
  /** The same as JSON. */
  readonly text: string;
}

/** Where a reader stands in a tenant's log: everything up to it was seen. */
export type LogPosition = number;

export interface LoggedEvent extends StreamedEvent {
  readonly position: LogPosition;
}

/** Some wanted events after a position, and how far was looked. */
export interface ReadEvents {
  readonly events: readonly LoggedEvent[];
  readonly position: LogPosition;
}

/** Now, where the log is in this process; later, where it has to be asked for. */
type MaybeLater<T> = T | Promise<T>;

/** Up to `limit` wanted events after the position. */
export type EventReader = (position: LogPosition, limit: number) => MaybeLater<ReadEvents>;

/** The log of events as streams, webhooks and the publisher read it. Only what is durable can be read, in an order that never changes. */
export interface EventSource {
  /** Undefined when there is no such event, or no longer. */
  find(tenant: Tenant, eventId: string): MaybeLater<LoggedEvent | undefined>;
  newest(tenant: Tenant): MaybeLater<LogPosition>;
  /** The ids of the filter mean what they name now, whatever they name later. Throws `Refusal` for those that name nothing. */
  reader(tenant: Tenant, filter: StreamFilter): MaybeLater<EventReader>;
  /** Calls back when there is more of the tenant to read; returns the way to stop it. */
  onAdvance(listener: () => void, tenant: Tenant): () => void;
  /** Behind all events of the stamp, and before all later ones. */
  positionAfter(stamp: number): LogPosition;
  /** The highest stamp of which no event stands behind the position. */
  stampThrough(position: LogPosition): number;
}
