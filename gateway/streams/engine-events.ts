import { type Engine, type EventFilter, eventView, type Tenant } from '../../actors/index.js';
import type { EventSource, StreamFilter } from './event-source.js';

/** The engine's log of events as streams read it. A position is a stamp. */
export function engineEvents(engine: Engine): EventSource {
  return {
    positionOf: (tenant, eventId) => engine.events.get(tenant, eventId)?.stamp,
    newest: (tenant) => engine.events.newest(tenant),
    readAfter(tenant, position, filter, limit) {
      const newest = engine.events.newest(tenant);
      const found = engine.events.after(tenant, { ...filterOf(engine, tenant, filter), afterStamp: position }, limit);
      const last = found.at(-1);
      return {
        events: found.map((event) => ({ id: event.id, eventType: event.eventType, view: eventView(event), position: event.stamp })),
        position: found.length >= limit && last ? last.stamp : Math.max(position, newest),
      };
    },
    onAdvance: (listener) => engine.onEvents(listener),
  };
}

function filterOf(engine: Engine, tenant: Tenant, filter: StreamFilter): EventFilter {
  const serviceId = (kind: string, target: string | undefined): string | undefined =>
    target === undefined ? undefined : engine.locate(tenant, kind, target);
  const { eventType, objectType, objectId, caseId } = filter;
  const loanId = serviceId('loan', filter.loanId);
  const personId = serviceId('person', filter.personId);
  return {
    ...(eventType && eventType.length > 0 ? { eventTypes: new Set(eventType) } : {}),
    ...(objectType === undefined ? {} : { objectType }),
    ...(objectId === undefined ? {} : { objectId }),
    ...(caseId === undefined ? {} : { caseId }),
    ...(loanId === undefined ? {} : { loanId }),
    ...(personId === undefined ? {} : { personId }),
  };
}
