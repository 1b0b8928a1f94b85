import { type StoredEvent, type Tenant, tenantKey } from './fact.js';
import { LIMITS } from './limits.js';
import type { KeyValue } from './ports.js';
import { packEvent, readEvent } from './records.js';

/** What an event must carry to be wanted; absent means anything. */
export interface EventFilter {
  readonly eventTypes?: ReadonlySet<string>;
  readonly objectType?: string;
  readonly objectId?: string;
  readonly personId?: string;
  readonly loanId?: string;
  readonly caseId?: string;
  /** Bounds of the stamp in microseconds, both excluded. */
  readonly afterStamp?: number;
  readonly beforeStamp?: number;
}

/**
 * The events of all tenants in the order of their stamps. An event is here once its batch is durable, so whoever
 * reads after a stamp misses none. Keys: `e/<tenant>/<stamp>` the event, `x/<tenant>/<reference>/<stamp>` its place
 * under a loan or a person, `i/<event id>` its stamp.
 */
export class EventLog {
  /** Newest events by tenant, in order; what is older lies on disk. */
  readonly #recent = new Map<string, StoredEvent[]>();
  #unwritten: StoredEvent[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(private readonly store: KeyValue) {}

  publish(events: readonly StoredEvent[]): void {
    if (events.length === 0) return;
    for (const event of events) {
      const key = tenantKey(event.tenant);
      const recent = this.#recent.get(key);
      if (recent) recent.push(event);
      else this.#recent.set(key, [event]);
      this.#unwritten.push(event);
    }
    for (const listener of this.#listeners) listener();
  }

  /** Calls back after new events; returns the way to stop it. */
  onAdvance(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get unwritten(): number {
    return this.#unwritten.length;
  }

  /** What a flush of the index has to write for the first `count` unwritten events. */
  entries(count: number): (readonly [string, Uint8Array])[] {
    const entries: (readonly [string, Uint8Array])[] = [];
    const nothing = new Uint8Array(0);
    for (const event of this.#unwritten.slice(0, count)) {
      const tenant = tenantKey(event.tenant);
      const stamp = stampText(event.stamp);
      entries.push([`e/${tenant}/${stamp}`, packEvent(event)], [`i/${event.id}`, new TextEncoder().encode(`${tenant}/${stamp}`)]);
      for (const reference of [event.refs.loanId, event.refs.personId]) {
        if (reference !== undefined) entries.push([`x/${tenant}/${reference}/${stamp}`, nothing]);
      }
    }
    return entries;
  }

  /** The first `count` unwritten events are stored: memory may let go of them. */
  stored(count: number): void {
    this.#unwritten = this.#unwritten.slice(count);
    for (const [key, recent] of this.#recent) {
      if (recent.length > LIMITS.recentEvents) this.#recent.set(key, recent.slice(-LIMITS.recentEvents / 2));
    }
  }

  /** Up to `limit` events after the stamp, oldest first. */
  after(tenant: Tenant, filter: EventFilter, limit: number): StoredEvent[] {
    const stamp = filter.afterStamp ?? 0;
    const recent = this.#recent.get(tenantKey(tenant)) ?? [];
    const first = recent[0];
    if (first && first.stamp <= stamp) return filtered(recent.slice(positionAfter(recent, stamp)), filter, limit);
    return this.page(tenant, filter, 'asc', limit);
  }

  /** The stamp of the tenant's newest event; 0 when there is none. */
  newestStamp(tenant: Tenant): number {
    const newest = this.#recent.get(tenantKey(tenant))?.at(-1) ?? this.page(tenant, {}, 'desc', 1)[0];
    return newest?.stamp ?? 0;
  }

  /** A page in either order, of memory and disk together. */
  page(tenant: Tenant, filter: EventFilter, order: 'asc' | 'desc', limit: number): StoredEvent[] {
    const fresh = this.#unwritten.filter((event) => tenantKey(event.tenant) === tenantKey(tenant));
    // What is being stored lies in both for a moment: the disk is read up to where memory begins.
    const beforeStamp = Math.min(filter.beforeStamp ?? Infinity, fresh[0]?.stamp ?? Infinity);
    const stored = this.#stored(tenant, beforeStamp === Infinity ? filter : { ...filter, beforeStamp }, order);
    const sources = order === 'asc' ? [stored, fresh] : [fresh.reverse(), stored];
    const found: StoredEvent[] = [];
    for (const source of sources) {
      for (const event of source) {
        if (matches(event, filter)) found.push(event);
        if (found.length >= limit) return found;
      }
    }
    return found;
  }

  get(tenant: Tenant, id: string): StoredEvent | undefined {
    const fresh = this.#unwritten.find((event) => event.id === id && tenantKey(event.tenant) === tenantKey(tenant));
    if (fresh) return fresh;
    const place = this.store.get(`i/${id}`);
    const key = place && new TextDecoder().decode(place);
    if (!key?.startsWith(`${tenantKey(tenant)}/`)) return undefined;
    const bytes = this.store.get(`e/${key}`);
    return bytes && readEvent(bytes);
  }

  *#stored(tenant: Tenant, filter: EventFilter, order: 'asc' | 'desc'): Iterable<StoredEvent> {
    const tenantText = tenantKey(tenant);
    const reference = filter.loanId ?? filter.personId;
    const prefix = reference === undefined ? `e/${tenantText}/` : `x/${tenantText}/${reference}/`;
    const start = prefix + stampText((filter.afterStamp ?? -1) + 1);
    const end = prefix + (filter.beforeStamp === undefined ? '~' : stampText(filter.beforeStamp));
    for (const [key, value] of this.store.range({ start, end, reverse: order === 'desc' })) {
      const bytes = reference === undefined ? value : this.store.get(`e/${tenantText}/${key.slice(prefix.length)}`);
      if (bytes) yield readEvent(bytes);
    }
  }
}

const stampText = (stamp: number): string => Math.max(0, stamp).toString().padStart(17, '0');

function positionAfter(events: readonly StoredEvent[], stamp: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.stamp ?? Infinity) <= stamp) low = middle + 1;
    else high = middle;
  }
  return low;
}

function filtered(events: readonly StoredEvent[], filter: EventFilter, limit: number): StoredEvent[] {
  const found: StoredEvent[] = [];
  for (const event of events) {
    if (matches(event, filter)) found.push(event);
    if (found.length >= limit) break;
  }
  return found;
}

export function matches(event: StoredEvent, filter: EventFilter): boolean {
  return (
    (!filter.eventTypes || filter.eventTypes.has(event.eventType)) &&
    (filter.objectType === undefined || filter.objectType === event.objectType) &&
    (filter.objectId === undefined || filter.objectId === event.objectId) &&
    (filter.loanId === undefined || filter.loanId === event.refs.loanId) &&
    (filter.personId === undefined || filter.personId === event.refs.personId) &&
    (filter.caseId === undefined || filter.caseId === event.refs.caseId) &&
    (filter.afterStamp === undefined || event.stamp > filter.afterStamp) &&
    (filter.beforeStamp === undefined || event.stamp < filter.beforeStamp)
  );
}
