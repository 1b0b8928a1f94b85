import { type StoredEvent, type Tenant, tenantKey } from '../fact.js';
import type { Ids } from '../ids.js';
import type { KeyValue } from '../ports.js';
import { CHUNK_EVENTS, encodeChunk, EventChunk, type LoggedEvent } from './event-chunk.js';

/** The conditions that an event must match; absent means any value. */
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

export type Entry = readonly [string, Uint8Array];

const THROUGH_KEY = 'm/through';

/**
 * The stored events, up to 256 of a tenant in one value. The stamp of a chunk is that of its first event.
 *
 *   e/<tenant>/<stamp>               the chunk
 *   x/<tenant>/<reference>/<stamp>   the indexes in the chunk of the events of a loan or a person
 *   i/<tenant>/<shard>/<counter>     the stamp of the chunk that begins, on this shard, with the event of this number
 *   m/through                        the stamp up to which all events are stored; written with the chunk that ends there
 */
export class EventIndex {
  #through: number;

  constructor(
    private readonly store: KeyValue,
    private readonly ids: Ids,
  ) {
    const through = store.get(THROUGH_KEY);
    this.#through = through ? Number(textOf(through)) : 0;
  }

  /** All events up to this stamp are stored. */
  get through(): number {
    return this.#through;
  }

  /** The entries to write for the events, which follow the stored ones in the order of their stamps. */
  entries(events: readonly LoggedEvent[]): Entry[] {
    const entries: Entry[] = [];
    for (const [tenant, chunk] of byTenant(events)) this.#chunkEntries(entries, tenant, chunk);
    const newest = events.at(-1);
    if (newest) entries.push([THROUGH_KEY, bytesOf(String(newest.stamp))]);
    return entries;
  }

  /** The entries up to the event of this stamp are written. */
  stored(stamp: number): void {
    this.#through = stamp;
  }

  get(tenant: Tenant, id: string): StoredEvent | undefined {
    const parts = this.ids.decode(id);
    if (!parts) return undefined;
    const prefix = `i/${tenantKey(tenant)}/${numberText(parts.shard, 2)}/`;
    const end = prefix + numberText(parts.counter + 1, COUNTER_DIGITS);
    for (const [, stamp] of this.store.range({ start: prefix, end, reverse: true, limit: 1 })) {
      const bytes = this.store.get(`e/${tenantKey(tenant)}/${textOf(stamp)}`);
      return bytes && new EventChunk(bytes).find(id);
    }
    return undefined;
  }

  /** The events within the filter's bounds of the stamp, and of its loan or person if it names one. */
  *read(tenant: Tenant, filter: EventFilter, order: 'asc' | 'desc'): Iterable<StoredEvent> {
    const after = filter.afterStamp ?? -1;
    const before = filter.beforeStamp ?? Infinity;
    const reference = filter.loanId ?? filter.personId;
    const chunks = `e/${tenantKey(tenant)}/`;
    const prefix = reference === undefined ? chunks : `x/${tenantKey(tenant)}/${reference}/`;
    const end = before === Infinity ? `${prefix}~` : prefix + stampText(before);
    for (const [key, value] of this.store.range({ start: this.#chunkAround(prefix, after), end, reverse: order === 'desc' })) {
      const bytes = reference === undefined ? value : this.store.get(chunks + key.slice(prefix.length));
      if (!bytes) continue;
      const chunk = new EventChunk(bytes);
      const indexes = reference === undefined ? Uint8Array.from({ length: chunk.length }, (_, index) => index) : value;
      for (let step = 0; step < indexes.length; step++) {
        const index = indexes[order === 'asc' ? step : indexes.length - 1 - step] ?? 0;
        const stamp = chunk.stamp(index);
        if (stamp > after && stamp < before) yield chunk.event(index);
      }
    }
  }

  /** The key of the last chunk that begins at the stamp or before it: the chunk may extend beyond the stamp. */
  #chunkAround(prefix: string, stamp: number): string {
    for (const [key] of this.store.range({ start: prefix, end: prefix + stampText(stamp + 1), reverse: true, limit: 1 })) return key;
    return prefix;
  }

  #chunkEntries(entries: Entry[], tenant: string, chunk: readonly LoggedEvent[]): void {
    const stamp = stampText(chunk[0]?.stamp ?? 0);
    const indexes = new Map<string, number[]>();
    const shards = new Set<number>();
    const stampBytes = bytesOf(stamp);
    for (const [index, { id, loanId, personId }] of chunk.entries()) {
      if (loanId !== null) put(indexes, loanId, index);
      if (personId !== null && personId !== loanId) put(indexes, personId, index);
      const shard = this.ids.shardOf(id);
      if (shard === undefined || shards.has(shard)) continue;
      shards.add(shard);
      const counter = this.ids.decode(id)?.counter ?? 0;
      entries.push([`i/${tenant}/${numberText(shard, 2)}/${numberText(counter, COUNTER_DIGITS)}`, stampBytes]);
    }
    entries.push([`e/${tenant}/${stamp}`, encodeChunk(chunk)]);
    for (const [reference, found] of indexes) entries.push([`x/${tenant}/${reference}/${stamp}`, Uint8Array.from(found)]);
  }
}

/** Base 36: microseconds until the year 6,000. */
const STAMP_DIGITS = 11;
/** Base 36: the counters of a shard end at 2^35. */
const COUNTER_DIGITS = 7;

const numberText = (value: number, digits: number): string => value.toString(36).padStart(digits, '0');
const stampText = (stamp: number): string => numberText(Math.max(0, stamp), STAMP_DIGITS);
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

function put(indexes: Map<string, number[]>, reference: string, index: number): void {
  const known = indexes.get(reference);
  if (known) known.push(index);
  else indexes.set(reference, [index]);
}

/** The events of each tenant, in chunks. */
function byTenant(events: readonly LoggedEvent[]): (readonly [string, LoggedEvent[]])[] {
  const chunks: [string, LoggedEvent[]][] = [];
  const open = new Map<string, LoggedEvent[]>();
  for (const logged of events) {
    const tenant = tenantKey(logged.tenant);
    const chunk = open.get(tenant);
    if (chunk && chunk.length < CHUNK_EVENTS) {
      chunk.push(logged);
      continue;
    }
    const begun = [logged];
    open.set(tenant, begun);
    chunks.push([tenant, begun]);
  }
  return chunks;
}
