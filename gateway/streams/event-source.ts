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
  /** The event object of the interface. */
  readonly view: unknown;
}

/** Where a reader stands in a tenant's log: everything up to it was seen. */
export type LogPosition = number;

/** The log of events as streams read it. Only what is durable can be read, in an order that never changes. */
export interface EventSource {
  /** Undefined when there is no such event, or no longer. */
  positionOf(tenant: Tenant, eventId: string): LogPosition | undefined;
  newest(tenant: Tenant): LogPosition;
  /** Up to `limit` wanted events after the position, and how far was looked. Throws `Refusal` for unknown filter ids. */
  readAfter(
    tenant: Tenant, position: LogPosition, filter: StreamFilter, limit: number,
  ): { readonly events: readonly (StreamedEvent & { readonly position: LogPosition })[]; readonly position: LogPosition };
  /** Calls back when there is more to read; returns the way to stop it. */
  onAdvance(listener: () => void): () => void;
}
