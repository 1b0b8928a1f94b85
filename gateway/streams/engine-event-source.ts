import { type Engine, eventFilterOf, type EventFilter, type Tenant } from '../../actors/index.js';
import { LIMITS } from '../limits.js';
import type { EventSource, LogPosition } from './event-source.js';
import { RecentEvents, RenderedEvent } from './recent-events.js';

/** The event log of an engine in this process. Positions are the stamps of its events. */
export function engineEventSource(engine: Engine): EventSource {
  const recentOf = recentByTenant(engine);
  return {
    find(tenant, eventId) {
      const event = engine.events.get(tenant, eventId);
      return event && new RenderedEvent(event);
    },
    newest: (tenant) => engine.events.newestStamp(tenant),
    reader(tenant, filter) {
      const wanted = eventFilterOf(engine, tenant, filter, {});
      return (position, limit) => recentOf(tenant).after(position, wanted, limit) ?? older(engine, tenant, wanted, position, limit);
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

/** What one reader alone asks of the log. */
function older(
  engine: Engine,
  tenant: Tenant,
  wanted: EventFilter,
  position: LogPosition,
  limit: number,
): { readonly events: RenderedEvent[]; readonly position: LogPosition } {
  const newest = engine.events.newestStamp(tenant);
  const events = engine.events.after(tenant, { ...wanted, afterStamp: position }, limit).map((event) => new RenderedEvent(event));
  const last = events.at(-1)?.position ?? position;
  return { events, position: events.length < limit ? Math.max(newest, last) : last };
}

/** Of the tenants that were read last. */
function recentByTenant(engine: Engine): (tenant: Tenant) => RecentEvents {
  const known = new Map<string, RecentEvents>();
  return (tenant) => {
    const key = `${tenant.company}/${tenant.mode}`;
    const recent = known.get(key) ?? new RecentEvents(engine, tenant);
    known.delete(key);
    known.set(key, recent);
    const [oldest] = known.keys();
    if (known.size > LIMITS.recentTenants && oldest !== undefined) known.delete(oldest);
    return recent;
  };
}
