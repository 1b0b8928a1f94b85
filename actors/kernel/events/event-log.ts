import { type Entry, type EventFilter, EventIndex, matches } from './event-index.js';
import { loggedEvent, type LoggedEvent } from './event-chunk.js';
import { type StoredEvent, type Tenant, tenantKey } from '../fact.js';
import type { Ids } from '../ids.js';
import { LIMITS } from '../limits.js';
import type { KeyValue } from '../ports.js';
import { type EventHead, readEvent, readEventHead } from '../journal/records.js';
import { RecoveredEvents } from '../journal/recovered-events.js';
import type { TimeBudget } from '../shard/scheduler.js';
import { SlidingList } from '../lists/row-list.js';

/**
 * The events of all tenants in the order of their stamps. An event is added once its batch is durable, so that a reader who goes on after a
 * stamp misses none. The newest events are in memory; all stored ones are in the index on the disk.
 */
export class EventLog {
  /** Newest events by tenant, up to the present without a gap; older ones are on the disk. */
  readonly #recent = new Map<string, SlidingList<LoggedEvent>>();
  readonly #unwritten = new SlidingList<LoggedEvent>();
  readonly #listeners = new Set<() => void>();
  readonly #index: EventIndex;
  #recovering = new RecoveredEvents();
  #isNotifying = false;
  /** How many events are in `#recent`. */
  #kept = 0;
  #newestTenant: { readonly tenant: Tenant; readonly recent: SlidingList<LoggedEvent> } | null = null;

  constructor(
    private readonly store: KeyValue,
    ids: Ids,
    /** Adds the parts of an event that the log does not store. */
    private readonly complete: (event: StoredEvent) => StoredEvent = (event) => event,
    /** The stamp at which the tenant was emptied: earlier events are not shown. */
    readonly emptiedAt: (tenant: Tenant) => number = () => 0,
  ) {
    this.#index = new EventIndex(store, ids);
  }

  /** Events that became durable, in the order of their stamps. */
  publish(events: readonly LoggedEvent[]): void {
    if (events.length === 0) return;
    for (const logged of events) this.#add(logged);
    if (this.#listeners.size > 0) this.#notifySoon();
  }

  /** Takes an event that a recovery reads from the journal, in the order of its shard; `recovered` follows. */
  recover(shard: number, { stamp }: EventHead, packed: Uint8Array): void {
    if (stamp > this.#index.through) this.#recovering.add(shard, stamp, packed);
  }

  /** All shards are read, so that the order is known: the newest events stay in memory, all older ones are stored. */
  async recovered(budget: TimeBudget): Promise<void> {
    const { length } = this.#recovering;
    const older: LoggedEvent[] = [];
    let index = 0;
    for (const packed of this.#recovering.inOrder()) {
      index += 1;
      if (length - index < LIMITS.recentEvents) this.#add(loggedEvent(readEventHead(packed), Buffer.from(packed)));
      else older.push(loggedEvent(readEventHead(packed), packed));
      if (older.length >= LIMITS.longStoreSlice || length - index === LIMITS.recentEvents) await this.#store(older.splice(0));
      if (budget.isSpent) await budget.yieldToOthers();
    }
    this.#recovering = new RecoveredEvents();
  }

  async #store(events: readonly LoggedEvent[]): Promise<void> {
    await this.store.write(this.#index.entries(events));
    this.#index.stored(events.at(-1)?.stamp ?? this.#index.through);
  }

  /** Calls back after new events, once for all that came together; returns the function that stops it. */
  onAdvance(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get unwritten(): number {
    return this.#unwritten.length;
  }

  /** The newest stamp on the disk: no later event may have an earlier one. */
  get storedThrough(): number {
    return this.#index.through;
  }

  /** The entries that store the first `count` unwritten events. */
  entries(count: number): Entry[] {
    return this.#index.entries(this.#firstUnwritten(count));
  }

  /** The first `count` unwritten events are stored: memory may drop them. */
  stored(count: number): void {
    const stored = this.#firstUnwritten(count);
    this.#unwritten.drop(count);
    this.#index.stored(stored.at(-1)?.stamp ?? this.#index.through);
    for (const recent of new Set(stored.map(({ tenant }) => this.#recentOf(tenant)))) this.#trim(recent);
    this.#trimAll();
  }

  /** Events in memory. */
  get kept(): number {
    return this.#kept;
  }

  /** Up to `limit` events after the stamp, oldest first. */
  after(tenant: Tenant, filter: EventFilter, limit: number): StoredEvent[] {
    return this.page(tenant, filter, 'asc', limit);
  }

  /** The stamp of the tenant's newest event; 0 when there is none. */
  newestStamp(tenant: Tenant): number {
    const recent = this.#recent.get(tenantKey(tenant));
    const newest = recent?.at(recent.length - 1) ?? this.page(tenant, {}, 'desc', 1)[0];
    return newest?.stamp ?? 0;
  }

  /** A page in either order, from memory and disk together. */
  page(tenant: Tenant, filter: EventFilter, order: 'asc' | 'desc', limit: number): StoredEvent[] {
    const found: StoredEvent[] = [];
    const shown = { ...filter, afterStamp: Math.max(filter.afterStamp ?? -1, this.emptiedAt(tenant)) };
    for (const event of this.#read(tenant, shown, order)) {
      if (matches(event, shown)) found.push(this.complete(event));
      if (found.length >= limit) break;
    }
    return found;
  }

  /** Undefined when the tenant was emptied after the event. */
  get(tenant: Tenant, id: string): StoredEvent | undefined {
    const found = this.find(tenant, id);
    return found && found.stamp > this.emptiedAt(tenant) ? found : undefined;
  }

  /** An event that a reader has got before, whatever has become of its tenant: the reader goes on behind it. */
  find(tenant: Tenant, id: string): StoredEvent | undefined {
    const found = this.#index.get(tenant, id) ?? this.#findUnwritten(tenant, id);
    return found && this.complete(found);
  }

  #add(logged: LoggedEvent): void {
    this.#recentOf(logged.tenant).push(logged);
    this.#kept += 1;
    this.#unwritten.push(logged);
  }

  #recentOf(tenant: Tenant): SlidingList<LoggedEvent> {
    const newest = this.#newestTenant;
    if (newest && newest.tenant.company === tenant.company && newest.tenant.mode === tenant.mode) return newest.recent;
    const key = tenantKey(tenant);
    const recent = this.#recent.get(key) ?? new SlidingList<LoggedEvent>();
    this.#recent.set(key, recent);
    this.#newestTenant = { tenant, recent };
    return recent;
  }

  #firstUnwritten(count: number): LoggedEvent[] {
    const first: LoggedEvent[] = [];
    for (let index = 0; index < count; index++) {
      const logged = this.#unwritten.at(index);
      if (logged) first.push(logged);
    }
    return first;
  }

  /** Drops half of the limit at once, and never an event that is not stored yet. */
  #trim(recent: SlidingList<LoggedEvent>): void {
    if (recent.length <= LIMITS.recentEvents) return;
    this.#drop(recent, recent.length - LIMITS.recentEvents / 2);
  }

  /** Many tenants have many events together, however few each of them has. */
  #trimAll(): void {
    if (this.#kept <= LIMITS.recentEventsOfAll) return;
    const each = Math.floor(LIMITS.recentEventsOfAll / 2 / this.#recent.size);
    for (const [tenant, recent] of this.#recent) {
      this.#drop(recent, recent.length - each);
      if (recent.length === 0) this.#recent.delete(tenant);
    }
    this.#newestTenant = null;
  }

  #drop(recent: SlidingList<LoggedEvent>, count: number): void {
    const before = recent.length;
    recent.drop(Math.max(0, Math.min(count, this.#storedOf(recent))));
    this.#kept -= before - recent.length;
  }

  /** How many of a tenant's events in memory are also stored. */
  #storedOf(recent: SlidingList<LoggedEvent>): number {
    const { through } = this.#index;
    return recent.firstWhere((event) => event.stamp > through);
  }

  /** Selects by the stamps of the filter only; the caller checks all other conditions. */
  *#read(tenant: Tenant, filter: EventFilter, order: 'asc' | 'desc'): Iterable<StoredEvent> {
    const recent = this.#recentOf(tenant);
    const { afterStamp = -1, beforeStamp = Infinity } = filter;
    // The disk has an index of the events of a loan or a person: in memory only the events that are not stored are searched.
    const isOfReference = filter.loanId !== undefined || filter.personId !== undefined;
    const memory = isOfReference ? this.#storedOf(recent) : 0;
    const memoryStamp = recent.at(memory)?.stamp ?? Infinity;
    const first = Math.max(
      memory,
      recent.firstWhere((event) => event.stamp > afterStamp),
    );
    const end = Math.max(
      first,
      recent.firstWhere((event) => event.stamp >= beforeStamp),
    );
    const disk = { ...filter, beforeStamp: Math.min(beforeStamp, memoryStamp) };
    const isOnDisk = memoryStamp > afterStamp + 1 && this.#index.through > afterStamp;
    if (order === 'asc') {
      if (isOnDisk) yield* this.#index.read(tenant, disk, order);
      yield* unpacked(upward(recent, first, end), filter);
    } else {
      yield* unpacked(downward(recent, first, end), filter);
      if (isOnDisk) yield* this.#index.read(tenant, disk, order);
    }
  }

  #findUnwritten(tenant: Tenant, id: string): StoredEvent | undefined {
    const recent = this.#recentOf(tenant);
    for (const logged of downward(recent, this.#storedOf(recent), recent.length)) if (logged.id === id) return readEvent(logged.packed);
    return undefined;
  }

  /** A flush makes many commands durable: listeners are called once for their events. */
  #notifySoon(): void {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    queueMicrotask(() => {
      this.#isNotifying = false;
      for (const listener of this.#listeners) listener();
    });
  }
}

/** Unpacks only events that may match. */
function* unpacked(events: Iterable<LoggedEvent>, { loanId, personId }: EventFilter): Iterable<StoredEvent> {
  for (const event of events) {
    if ((loanId === undefined || event.loanId === loanId) && (personId === undefined || event.personId === personId))
      yield readEvent(event.packed);
  }
}

function* upward(events: SlidingList<LoggedEvent>, from: number, end: number): Iterable<LoggedEvent> {
  for (let index = from; index < end; index++) {
    const event = events.at(index);
    if (event) yield event;
  }
}

function* downward(events: SlidingList<LoggedEvent>, from: number, end: number): Iterable<LoggedEvent> {
  for (let index = end - 1; index >= from; index--) {
    const event = events.at(index);
    if (event) yield event;
  }
}
