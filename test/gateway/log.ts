import type { EventView, Tenant } from '../../actors/index.js';
import type { EventSource } from '../../gateway/index.js';

/** A log in memory, for the tests of streams: events of one tenant are numbered from 1. */
export function memoryLog(): EventSource & { add(eventType: string, tenant?: Partial<Tenant>): string; readonly reads: number } {
  const events: { tenant: Tenant; id: string; eventType: string; orderKey: string; position: number; view: EventView; text: string }[] = [];
  const listeners = new Set<() => void>();
  let reads = 0;
  const of = (tenant: Tenant) => events.filter((event) => event.tenant.company === tenant.company && event.tenant.mode === tenant.mode);
  return {
    get reads() {
      return reads;
    },
    add(eventType, tenant = {}) {
      const position = events.length + 1;
      const id = `EV-TEST-${position}`;
      const view = { id, eventType, filler: 'x'.repeat(1000) } as unknown as EventView; // readers of streams look at nothing else
      events.push({
        tenant: { company: 'CP-TEST-CMP1', mode: 'test', ...tenant },
        id,
        eventType,
        orderKey: 'LN-TEST-1',
        position,
        view,
        text: JSON.stringify(view),
      });
      for (const listener of [...listeners]) listener();
      return id;
    },
    find: (tenant, id) => of(tenant).find((event) => event.id === id),
    newest: (tenant) => of(tenant).at(-1)?.position ?? 0,
    reader: (tenant, filter) => (position, limit) => {
      reads += 1;
      const later = of(tenant).filter((event) => event.position > position);
      const wanted = later.filter((event) => !filter.eventType || filter.eventType.includes(event.eventType)).slice(0, limit);
      const full = wanted.length === limit;
      return { events: wanted, position: full ? (wanted.at(-1)?.position ?? position) : (later.at(-1)?.position ?? position) };
    },
    positionAfter: (stamp) => stamp,
    stampThrough: (position) => position,
    onAdvance(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
