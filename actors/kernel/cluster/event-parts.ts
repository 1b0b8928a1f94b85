import type { Engine } from '../shard/engine.js';
import type { EventFilter } from '../events/event-filter.js';
import type { StoredEvent, Tenant } from '../fact.js';
import { placeOf } from './event-places.js';
import type { Unit } from './units.js';

/** What a unit is asked of its events. */
export interface EventsAsked {
  readonly tenant: Tenant;
  readonly filter: SentFilter;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** A filter as it travels. */
export type SentFilter = Omit<EventFilter, 'eventTypes'> & { readonly eventTypes?: readonly string[] };

/** Events of one unit. */
export interface EventsOfUnit {
  /** All events of the unit up to this stamp are durable and can be read; later ones have higher stamps. */
  readonly through: number;
  /** For each that was asked. */
  readonly found: readonly (readonly StoredEvent[])[];
}

export const sentFilter = ({ eventTypes, ...filter }: EventFilter): SentFilter => ({
  ...filter,
  ...(eventTypes === undefined ? {} : { eventTypes: [...eventTypes] }),
});

/** Answers when all that is told is durable. An idle unit's stamp moves on with the time, so that it holds nobody back. */
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
  return { through, found };
}

/** An event and where it stands in the order of the cluster. */
export interface PlacedEvent {
  readonly event: StoredEvent;
  readonly place: number;
}

export const placedEvents = (unit: Unit, events: readonly StoredEvent[]): readonly PlacedEvent[] =>
  events.map((event) => ({ event, place: placeOf(event.stamp, unit) }));
