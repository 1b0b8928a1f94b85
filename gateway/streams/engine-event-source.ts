import { type Engine, eventFilterOf, eventView } from '../../actors/index.js';
import type { EventSource } from './event-source.js';

/** The event log of an engine in this process. Positions are the stamps of its events. */
export function engineEventSource(engine: Engine): EventSource {
  return {
    positionOf: (tenant, eventId) => engine.events.get(tenant, eventId)?.stamp,
    newest: (tenant) => engine.events.newestStamp(tenant),
    reader(tenant, filter) {
      const wanted = eventFilterOf(engine, tenant, filter, {});
      return (position, limit) => {
        const newest = engine.events.newestStamp(tenant);
        const found = engine.events.after(tenant, { ...wanted, afterStamp: position }, limit);
        const events = found.map((event) => ({ id: event.id, eventType: event.eventType, view: eventView(event), position: event.stamp }));
        const last = events.at(-1)?.position ?? position;
        return { events, position: events.length < limit ? Math.max(newest, last) : last };
      };
    },
    onAdvance: (listener) => engine.onEvents(listener),
  };
}
