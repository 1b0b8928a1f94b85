import type { ListResult } from '../../wire.js';
import { type EventFilter, matches } from '../events/event-index.js';
import { eventFilter, eventPage, type EventQuery, type EventSpan, type EventView, type PulledLog } from '../events/event-pages.js';
import { type EventSubject, isOfDeletable, type LocatedSubject, oneHolder, subjectsOf } from '../events/event-subjects.js';
import { type StoredEvent, type Tenant, tenantKey } from '../fact.js';
import type { Ids } from '../ids.js';
import { SlidingList } from '../lists/row-list.js';
import type { Engine } from '../shard/engine.js';
import { firstStampAt, lastStampAt, positionAfter, positionOf } from './destinations.js';
import type { UnitsClient } from './units-client.js';
import { type Unit, unitOf, UNITS } from './units.js';
import { CLUSTER_LIMITS } from './published-watermark.js';

/** A request for events of a unit. */
export interface EventsAsked {
  readonly tenant: Tenant;
  readonly filter: SentFilter;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** A filter as it is sent. */
type SentFilter = Omit<EventFilter, 'eventTypes'> & { readonly eventTypes?: readonly string[] };

/** Events of one unit. */
export interface EventsOfUnit {
  /** All events of the unit up to this stamp are durable and can be read; later ones have higher stamps. */
  readonly through: number;
  /** For each request. */
  readonly found: readonly (readonly StoredEvent[])[];
  /** For each request the stamp at which its tenant was emptied. */
  readonly emptied: readonly number[];
}

const sentFilter = ({ eventTypes, ...filter }: EventFilter): SentFilter => ({
  ...filter,
  ...(eventTypes === undefined ? {} : { eventTypes: [...eventTypes] }),
});

/** Resolves when all returned events are durable. The stamp of an idle unit advances with its clock, so that it delays no reader. */
export async function eventsOfUnit(engine: Engine, asked: readonly EventsAsked[]): Promise<EventsOfUnit> {
  const through = await engine.eventsThrough();
  const found = asked.map(({ tenant, filter: { eventTypes, ...rest }, order, limit }) => {
    if (limit === 0) return [];
    const beforeStamp = Math.min(rest.beforeStamp ?? Infinity, through + 1);
    return engine.events.page(
      tenant,
      { ...rest, beforeStamp, ...(eventTypes === undefined ? {} : { eventTypes: new Set(eventTypes) }) },
      order,
      limit,
    );
  });
  return { through, found, emptied: asked.map(({ tenant }) => engine.events.emptiedAt(tenant)) };
}

/** An event and its position in the order of the cluster. */
export interface PositionedEvent {
  readonly event: StoredEvent;
  readonly position: number;
}

const positionedEvents = (unit: Unit, events: readonly StoredEvent[]): readonly PositionedEvent[] =>
  events.map((event) => ({ event, position: positionOf(event.stamp, unit) }));

/** The newest events of a tenant in memory, in the order of the cluster and without a gap. Kept while there are listeners. */
interface Feed {
  readonly tenant: Tenant;
  readonly listeners: Set<() => void>;
  readonly recent: SlidingList<PositionedEvent>;
  /** All events after this position and up to the stamp are in `recent`; null before the first round. */
  from: number | null;
  through: number;
  /** The stamp at which the tenant was emptied. */
  emptied: number;
}

/**
 * Fetches the new events of all units in rounds, once for all readers of this process, and notifies them. A round ends at the lowest stamp
 * that all units have reached; a unit that does not answer delays all readers.
 */
export class EventFeeds {
  readonly #feeds = new Map<string, Feed>();
  #isRunning = false;

  constructor(private readonly units: UnitsClient) {}

  /** Calls back after new events of the tenant; returns the function that stops it. */
  listen(tenant: Tenant, listener: () => void): () => void {
    const key = tenantKey(tenant);
    const feed = this.#feeds.get(key) ?? {
      tenant,
      listeners: new Set(),
      recent: new SlidingList<PositionedEvent>(),
      from: null,
      through: 0,
      emptied: 0,
    };
    const own = (): void => listener(); // the same function may be registered twice
    feed.listeners.add(own);
    this.#feeds.set(key, feed);
    if (!this.#isRunning) void this.#run();
    return () => {
      feed.listeners.delete(own);
      if (feed.listeners.size === 0 && this.#feeds.get(key) === feed) this.#feeds.delete(key);
    };
  }

  /** Undefined when not all events after the position are in memory. */
  after(tenant: Tenant, filter: EventFilter, position: number, limit: number): EventsRead | undefined {
    const feed = this.#feeds.get(tenantKey(tenant));
    if (!feed || feed.from === null || position < feed.from) return undefined;
    const events: PositionedEvent[] = [];
    for (
      let at = feed.recent.firstWhere((positioned) => positioned.position > position);
      at < feed.recent.length && events.length < limit;
      at++
    ) {
      const positioned = feed.recent.at(at);
      if (positioned && matches(positioned.event, filter)) events.push(positioned);
    }
    return {
      events,
      position: events.length < limit ? Math.max(position, positionAfter(feed.through)) : (events.at(-1)?.position ?? position),
    };
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#feeds.size > 0) {
      const pauseMs = await this.#round().catch(() => CLUSTER_LIMITS.feedRetryMs); // listeners get no events; a pull reports why
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    this.#isRunning = false;
  }

  /** How long to wait before the next round, in milliseconds. */
  async #round(): Promise<number> {
    const feeds = [...this.#feeds.values()];
    const asked = feeds.map(
      (feed): EventsAsked => ({
        tenant: feed.tenant,
        order: 'asc',
        filter: { afterStamp: feed.through },
        limit: feed.from === null ? 0 : CLUSTER_LIMITS.feedEvents,
      }),
    );
    const answers = await this.units.askAll<'events'>(UNITS, { type: 'events', asked });
    let fetched = 0;
    for (const [at, feed] of feeds.entries()) {
      const through = Math.min(
        ...answers.map(({ through: own, found }) => {
          const events = found[at] ?? [];
          return events.length > 0 && events.length === asked[at]?.limit ? (events.at(-1)?.stamp ?? own) : own;
        }),
      );
      const news = UNITS.flatMap((unit, number) =>
        positionedEvents(
          unit,
          (answers[number]?.found[at] ?? []).filter(({ stamp }) => stamp <= through),
        ),
      );
      forgetEmptied(feed, Math.max(...answers.map(({ emptied }) => emptied[at] ?? 0)));
      append(
        feed,
        news.sort((a, b) => a.position - b.position),
        through,
      );
      fetched += news.length;
      if (news.length > 0) for (const listener of [...feed.listeners]) listener();
    }
    return fetched > 0 ? CLUSTER_LIMITS.feedBusyMs : CLUSTER_LIMITS.feedIdleMs;
  }
}

/** Readers that are behind ask the units, which show no event of an emptied tenant. */
function forgetEmptied(feed: Feed, emptied: number): void {
  if (emptied <= feed.emptied) return;
  if (feed.from !== null) feed.recent.drop(feed.recent.length);
  Object.assign(feed, { emptied, from: null });
}

function append(feed: Feed, news: readonly PositionedEvent[], through: number): void {
  feed.from ??= positionAfter(through);
  feed.through = Math.max(feed.through, through);
  for (const positioned of news) feed.recent.push(positioned);
  const surplus = feed.recent.length - CLUSTER_LIMITS.feedKept;
  if (surplus <= 0) return;
  feed.from = feed.recent.at(surplus - 1)?.position ?? feed.from;
  feed.recent.drop(surplus);
}

export interface EventsRead {
  readonly events: readonly PositionedEvent[];
  /** All matching events up to this position are returned. */
  readonly position: number;
}

/** Where objects are found by their ids. */
interface ObjectNames {
  /** The service id of an AnyId. Throws `notFound`. */
  readonly locate: (tenant: Tenant, kind: string, anyId: string) => Promise<string>;
  /** The object of a borrower that has an external id. */
  readonly holderOf: (tenant: Tenant, kind: string, externalId: string) => Promise<string | undefined>;
}

type Params = Readonly<Record<string, string>>;

interface Wanted extends EventSpan {
  readonly tenant: Tenant;
  readonly filter: EventFilter;
}

/**
 * The events of all units in one order. A read goes no further than the lowest stamp that all units have reached, so that no unit can later
 * have an event before one that was already returned. A unit that does not answer delays all reads.
 */
export class ClusterEvents {
  readonly #feeds: EventFeeds;

  constructor(
    private readonly units: UnitsClient,
    private readonly ids: Ids,
    private readonly names: ObjectNames,
  ) {
    this.#feeds = new EventFeeds(units);
  }

  /** A page of the log, as a single process would return it. */
  page(tenant: Tenant, query: EventQuery, params: Params): Promise<ListResult<EventView>> {
    return eventPage(this.#logOf(tenant), query, params);
  }

  /** Undefined when there is no such event, or it is no longer kept. */
  async find(tenant: Tenant, id: string): Promise<PositionedEvent | undefined> {
    const unit = unitOf(this.ids.shardOf(id) ?? -1);
    const event = unit && (await this.units.ask<'event'>(unit, { type: 'event', tenant, id }));
    return unit && event ? { event, position: positionOf(event.stamp, unit) } : undefined;
  }

  /** The position after all events. */
  async newest(): Promise<number> {
    const answers = await this.units.askAll<'events'>(UNITS, { type: 'events', asked: [] });
    return positionAfter(Math.max(...answers.map(({ through }) => through)));
  }

  /** The filter of a query, with external ids resolved. Throws `Refusal` for unknown ones. */
  async filterOf(tenant: Tenant, query: EventQuery, params: Params = {}): Promise<EventFilter> {
    const located = subjectsOf(query, params).map(
      async (subject): Promise<LocatedSubject> => [subject.name, await this.#located(tenant, subject)],
    );
    return eventFilter(query, await Promise.all(located));
  }

  /** Up to `limit` events after the position, oldest first: from memory if they are there. */
  after(tenant: Tenant, filter: EventFilter, position: number, limit: number): EventsRead | Promise<EventsRead> {
    return this.#feeds.after(tenant, filter, position, limit) ?? this.#after(tenant, filter, position, limit);
  }

  /** Calls back after new events of the tenant; returns the function that stops it. */
  onAdvance(tenant: Tenant, listener: () => void): () => void {
    return this.#feeds.listen(tenant, listener);
  }

  async #after(tenant: Tenant, filter: EventFilter, after: number, limit: number): Promise<EventsRead> {
    const { events, through } = await this.#read({ tenant, filter, order: 'asc', limit, after });
    return { events, position: events.length < limit ? Math.max(after, positionAfter(through)) : (events.at(-1)?.position ?? after) };
  }

  async #located(tenant: Tenant, { name, anyId, kinds }: EventSubject): Promise<string> {
    if (isOfDeletable(name) && !anyId.startsWith('ext-')) return anyId;
    if (name !== 'objectId') return this.names.locate(tenant, kinds[0], anyId);
    const holders = await Promise.all(kinds.map((kind) => this.names.holderOf(tenant, kind, anyId.slice(4))));
    return oneHolder(
      anyId,
      holders.flatMap((id) => id ?? []),
    );
  }

  #logOf(tenant: Tenant): PulledLog {
    return {
      positionOf: async (eventId) => (await this.find(tenant, eventId))?.position,
      filterOf: (query, params) => this.filterOf(tenant, query, params),
      page: async (filter, span) => (await this.#read({ tenant, filter, ...span })).events.map(({ event }) => event),
      onAdvance: (listener) => this.onAdvance(tenant, listener),
    };
  }

  /** The first events of all units together, and the stamp that all units have reached. */
  async #read(wanted: Wanted): Promise<{ readonly events: readonly PositionedEvent[]; readonly through: number }> {
    const units = this.#unitsOf(wanted.filter);
    const first = await this.#ask(units, wanted);
    const through = Math.min(...first.map((answer) => answer.through));
    const isWhole = first.every(({ found }) => (found[0] ?? []).every(({ stamp }) => stamp <= through));
    if (isWhole) return { events: together(units, first, wanted), through };
    // Some units had reached a higher stamp than others. Ask again up to the highest one, which all units then reach.
    const furthest = Math.max(...first.map((answer) => answer.through));
    const again = await this.#ask(units, { ...wanted, before: Math.min(wanted.before ?? Infinity, positionAfter(furthest) + 1) });
    return { events: together(units, again, wanted), through: furthest };
  }

  #ask(units: readonly Unit[], wanted: Wanted): Promise<EventsOfUnit[]> {
    return Promise.all(units.map((unit) => this.units.ask<'events'>(unit, { type: 'events', asked: [askedOf(wanted, unit)] })));
  }

  /** All events about a loan are on the loan's own shard. */
  #unitsOf({ loanId }: EventFilter): readonly Unit[] {
    const own = loanId === undefined ? undefined : unitOf(this.ids.shardOf(loanId) ?? -1);
    return own ? [own] : UNITS;
  }
}

function askedOf({ tenant, filter, order, limit, after, before }: Wanted, unit: Unit): EventsAsked {
  const afterStamp = Math.max(filter.afterStamp ?? -1, after === undefined ? -1 : lastStampAt(after, unit));
  const beforeStamp = Math.min(filter.beforeStamp ?? Infinity, before === undefined ? Infinity : firstStampAt(before, unit));
  return { tenant, filter: sentFilter({ ...filter, afterStamp, beforeStamp }), order, limit };
}

function together(units: readonly Unit[], answers: readonly EventsOfUnit[], { order, limit }: Wanted): readonly PositionedEvent[] {
  const positioned = units.flatMap((unit, at) => positionedEvents(unit, answers[at]?.found[0] ?? []));
  return positioned.sort((a, b) => (order === 'asc' ? a.position - b.position : b.position - a.position)).slice(0, limit);
}
