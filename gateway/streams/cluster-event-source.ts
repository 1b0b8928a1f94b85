import { type ClusterEvents, type EventsRead, type PlacedEvent, placeAfter, stampThrough } from '../../actors/index.js';
import type { EventSource, ReadEvents } from './event-source.js';
import { RenderedEvent } from './recent-events.js';

/** The event log of a cluster. Positions are the places of its events. */
export function clusterEventSource(events: ClusterEvents): EventSource {
  const rendered = renderedOnce();
  const streamed = (read: EventsRead): ReadEvents => ({ events: read.events.map(rendered), position: read.place });
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
    positionAfter: placeAfter,
    stampThrough,
  };
}

/** Those who keep up are given the very same events: each is made into a text once for all of them. */
function renderedOnce(): (placed: PlacedEvent) => RenderedEvent {
  const known = new WeakMap<PlacedEvent, RenderedEvent>();
  return (placed) => {
    const found = known.get(placed) ?? new RenderedEvent(placed.event, placed.place);
    known.set(placed, found);
    return found;
  };
}
