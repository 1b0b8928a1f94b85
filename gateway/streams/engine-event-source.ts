import { type Engine, eventFilterOf, eventView, type StoredEvent } from '../../actors/index.js';
import type { EventSource, LoggedEvent } from './event-source.js';

/** The event log of an engine in this process. Positions are the stamps of its events. */
export function engineEventSource(engine: Engine): EventSource {
  return {
    find(tenant, eventId) {
      const event = engine.events.get(tenant, eventId);
      return event && logged(event);
    },
    newest: (tenant) => engine.events.newestStamp(tenant),
    reader(tenant, filter) {
      const wanted = eventFilterOf(engine, tenant, filter, {});
      return (position, limit) => {
        const newest = engine.events.newestStamp(tenant);
        const found = engine.events.after(tenant, { ...wanted, afterStamp: position }, limit);
        const events = found.map(logged);
        const last = events.at(-1)?.position ?? position;
        return { events, position: events.length < limit ? Math.max(newest, last) : last };
      };
    },
    onAdvance: (listener) => engine.onEvents(listener),
  };
}

const logged = (event: StoredEvent): LoggedEvent => ({ id: event.id, eventType: event.eventType, view: eventView(event), position: event.stamp });
