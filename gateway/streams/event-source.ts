import {
  BoundedMap,
  type ClusterEvents,
  type Engine,
  type EventFilter,
  eventFilterOf,
  type EventsRead,
  type EventView,
  positionAfter,
  type PositionedEvent,
  stampThrough,
  type Tenant,
} from '../../actors/index.js';
import { LIMITS } from '../limits.js';
import { RecentEvents, RenderedEvent } from './recent-events.js';

/** The log of events for streams, webhooks and the publisher. Only durable events can be read, in an order that never changes. */
export interface EventSource {
  /** Undefined when there is no such event. An event of a test mode that was emptied is still delivered, and readers go on behind it. */
  find(tenant: Tenant, eventId: string): MaybeLater<StreamedEvent | undefined>;
  newest(tenant: Tenant): MaybeLater<LogPosition>;
  /** External ids of the filter are resolved now, and stay the same later. Throws `Refusal` for unknown ids. */
  reader(tenant: Tenant, filter: StreamFilter): MaybeLater<EventReader>;
  /** Calls back when there are new events of the tenant; returns a function that ends that. */
  onAdvance(listener: () => void, tenant: Tenant): () => void;
  /** The position after all events of the stamp, and before all later ones. */
  positionAfter(stamp: number): LogPosition;
  /** The highest stamp of which no event comes after the position. */
  stampThrough(position: LogPosition): number;
}

/** The position of a reader in the log of a tenant: everything up to it was read. */
export type LogPosition = number;

/** The events that a reader wants; an absent property means any. */
export interface StreamFilter {
  readonly eventType?: readonly string[];
  readonly objectType?: string;
  readonly objectId?: string;
  readonly personId?: string;
  readonly loanId?: string;
  readonly caseId?: string;
}

/** An event of the log, as its readers get it. */
export interface StreamedEvent {
  readonly id: string;
  readonly eventType: string;
  /** Events of one key are numbered together, and are in order. */
  readonly orderKey: string;
  /** The event object of the interface. */
  readonly view: EventView;
  /** The same as JSON. */
  readonly text: string;
  readonly position: LogPosition;
}

/** Some wanted events after a position, and the position up to which the log was searched. */
export interface ReadEvents {
  readonly events: readonly StreamedEvent[];
  readonly position: LogPosition;
}

/** A promise where the log is in another process. */
type MaybeLater<T> = T | Promise<T>;

/** Up to `limit` wanted events after the position. */
export type EventReader = (position: LogPosition, limit: number) => MaybeLater<ReadEvents>;

/** The event log of an engine in this process. Positions are the stamps of its events. */
export function engineEventSource(engine: Engine): EventSource {
  const recentOf = recentByTenant(engine);
  return {
    find(tenant, eventId) {
      const event = engine.events.find(tenant, eventId);
      return event && new RenderedEvent(event);
    },
    newest: (tenant) => engine.events.newestStamp(tenant),
    reader(tenant, filter) {
      const wanted = eventFilterOf(engine, tenant, filter, {});
      const older = olderEvents(engine, tenant, wanted);
      return (position, limit) => recentOf(tenant).after(position, wanted, limit) ?? older(position, limit);
    },
    onAdvance(listener, tenant) {
      let newest = engine.events.newestStamp(tenant);
      return engine.onEvents(() => {
        const before = newest;
        newest = engine.events.newestStamp(tenant);
        if (newest !== before) listener();
      });
    },
    positionAfter: (stamp) => stamp,
    stampThrough: (position) => position,
  };
}

/** Reads the log for one reader, for events that are older than the shared ones. */
const olderEvents =
  (engine: Engine, tenant: Tenant, wanted: EventFilter) =>
  (position: LogPosition, limit: number): ReadEvents => {
    const newest = engine.events.newestStamp(tenant);
    const events = engine.events.after(tenant, { ...wanted, afterStamp: position }, limit).map((event) => new RenderedEvent(event));
    const last = events.at(-1)?.position ?? position;
    return { events, position: events.length < limit ? Math.max(newest, last) : last };
  };

/** The recent events of the tenants that were read last. */
function recentByTenant(engine: Engine): (tenant: Tenant) => RecentEvents {
  const known = new BoundedMap<string, RecentEvents>(LIMITS.recentTenants);
  return (tenant) => {
    const key = `${tenant.company}/${tenant.mode}`;
    const recent = known.get(key) ?? new RecentEvents(engine, tenant);
    known.set(key, recent);
    return recent;
  };
}

/** The event log of a cluster, with its positions. */
export function clusterEventSource(events: ClusterEvents): EventSource {
  const rendered = renderedOnce();
  const streamed = (read: EventsRead): ReadEvents => ({ events: read.events.map(rendered), position: read.position });
  return {
    async find(tenant, eventId) {
      const placed = await events.find(tenant, eventId);
      return placed && rendered(placed);
    },
    newest: () => events.newest(),
    async reader(tenant, filter) {
      const wanted = await events.filterOf(tenant, filter);
      return (position, limit) => {
        const read = events.after(tenant, wanted, position, limit);
        return read instanceof Promise ? read.then(streamed) : streamed(read);
      };
    },
    onAdvance: (listener, tenant) => events.onAdvance(tenant, listener),
    positionAfter,
    stampThrough,
  };
}

/** Readers that keep up get the same events: the text of each is made once for all of them. */
function renderedOnce(): (placed: PositionedEvent) => RenderedEvent {
  const known = new WeakMap<PositionedEvent, RenderedEvent>();
  return (placed) => {
    const found = known.get(placed) ?? new RenderedEvent(placed.event, placed.position);
    known.set(placed, found);
    return found;
  };
}
