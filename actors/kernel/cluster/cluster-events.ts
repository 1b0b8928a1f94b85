import type { EventFilter } from '../events/event-filter.js';
import { eventFilter, eventPage, type EventQuery, type EventSpan, isServiceId, type PulledLog, subjectsOf } from '../events/event-pages.js';
import type { EventView } from '../events/event-views.js';
import type { Tenant } from '../fact.js';
import type { Ids } from '../ids.js';
import type { ListResult } from '../../wire.js';
import { EventFeeds } from './event-feeds.js';
import { type EventsAsked, type EventsOfUnit, type PlacedEvent, placedEvents, sentFilter } from './event-parts.js';
import { firstStampAt, lastStampAt, placeAfter, placeOf } from './event-places.js';
import { type Unit, unitOf, UNITS } from './units.js';
import type { UnitsClient } from './units-client.js';

export interface EventsRead {
  readonly events: readonly PlacedEvent[];
  /** How far was looked: nothing that is wanted stands up to there and was not told. */
  readonly place: number;
}

type Params = Readonly<Record<string, string>>;

interface Wanted extends EventSpan {
  readonly tenant: Tenant;
  readonly filter: EventFilter;
}

/**
 * The events of all units in one order. What is told goes no further than all units have come, so that none of them can have
 * an event later that stands before one that was told. A unit that does not answer holds all back.
 */
export class ClusterEvents {
  readonly #feeds: EventFeeds;

  /** `locate` finds the service id of an AnyId. */
  constructor(
    private readonly units: UnitsClient,
    private readonly ids: Ids,
    private readonly locate: (tenant: Tenant, kind: string, target: string) => Promise<string>,
  ) {
    this.#feeds = new EventFeeds(units);
  }

  /** A page of the log, as one process answers it. */
  page(tenant: Tenant, query: EventQuery, params: Params): Promise<ListResult<EventView>> {
    return eventPage(this.#logOf(tenant), query, params);
  }

  /** Undefined when there is no such event, or no longer. */
  async find(tenant: Tenant, id: string): Promise<PlacedEvent | undefined> {
    const unit = unitOf(this.ids.shardOf(id) ?? -1);
    const event = unit && (await this.units.ask<'event'>(unit, { type: 'event', tenant, id }));
    return unit && event ? { event, place: placeOf(event.stamp, unit) } : undefined;
  }

  /** The place behind all that has happened. */
  async newest(): Promise<number> {
    const answers = await this.units.askAll<'events'>(UNITS, { type: 'events', asked: [] });
    return placeAfter(Math.max(...answers.map(({ through }) => through)));
  }

  /** What a query wants, by the ids that external ones name now. Throws `notFound` for those that name nothing. */
  async filterOf(tenant: Tenant, query: EventQuery, params: Params = {}): Promise<EventFilter> {
    const { loanId, personId, caseId } = subjectsOf(query, params);
    const idOf = async (kind: string, target: string | undefined): Promise<string | undefined> =>
      target === undefined ? undefined : this.locate(tenant, kind, target);
    return eventFilter(query, {
      loanId: await idOf('loan', loanId),
      personId: await idOf('person', personId),
      caseId: isServiceId(caseId) ? caseId : await idOf('case', caseId),
    });
  }

  /** Up to `limit` events behind the place, oldest first: from memory where they are there. */
  after(tenant: Tenant, filter: EventFilter, place: number, limit: number): EventsRead | Promise<EventsRead> {
    return this.#feeds.after(tenant, filter, place, limit) ?? this.#after(tenant, filter, place, limit);
  }

  /** Calls back after new events of the tenant; returns the way to stop it. */
  onAdvance(tenant: Tenant, listener: () => void): () => void {
    return this.#feeds.listen(tenant, listener);
  }

  async #after(tenant: Tenant, filter: EventFilter, after: number, limit: number): Promise<EventsRead> {
    const { events, through } = await this.#read({ tenant, filter, order: 'asc', limit, after });
    return { events, place: events.length < limit ? Math.max(after, placeAfter(through)) : (events.at(-1)?.place ?? after) };
  }

  #logOf(tenant: Tenant): PulledLog {
    return {
      placeOf: async (eventId) => (await this.find(tenant, eventId))?.place,
      filterOf: (query, params) => this.filterOf(tenant, query, params),
      page: async (filter, span) => (await this.#read({ tenant, filter, ...span })).events.map(({ event }) => event),
      onAdvance: (listener) => this.onAdvance(tenant, listener),
    };
  }

  /** What comes first of all units together, and the stamp up to which all of them have told. */
  async #read(wanted: Wanted): Promise<{ readonly events: readonly PlacedEvent[]; readonly through: number }> {
    const units = this.#unitsOf(wanted.filter);
    const first = await this.#ask(units, wanted);
    const through = Math.min(...first.map((answer) => answer.through));
    const isWhole = first.every(({ found }) => (found[0] ?? []).every(({ stamp }) => stamp <= through));
    if (isWhole) return { events: together(units, first, wanted), through };
    // Some had come further than others. All have come as far as they when they are asked again by one who knows of it.
    const furthest = Math.max(...first.map((answer) => answer.through));
    const again = await this.#ask(units, { ...wanted, before: Math.min(wanted.before ?? Infinity, placeAfter(furthest) + 1) });
    return { events: together(units, again, wanted), through: furthest };
  }

  #ask(units: readonly Unit[], wanted: Wanted): Promise<EventsOfUnit[]> {
    return Promise.all(units.map((unit) => this.units.ask<'events'>(unit, { type: 'events', asked: [askedOf(wanted, unit)] })));
  }

  /** All that is told of a loan lies on its own shard. */
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

function together(units: readonly Unit[], answers: readonly EventsOfUnit[], { order, limit }: Wanted): readonly PlacedEvent[] {
  const placed = units.flatMap((unit, at) => placedEvents(unit, answers[at]?.found[0] ?? []));
  return placed.sort((a, b) => (order === 'asc' ? a.place - b.place : b.place - a.place)).slice(0, limit);
}
