import type { Engine, EventFilter, EventView, StoredEvent, Tenant } from '../../actors/index.js';
import { eventMatches, eventView, toJsonText } from '../../actors/index.js';
import { LIMITS } from '../limits.js';
import type { LogPosition, StreamedEvent } from './event-source.js';

/** An event whose object and text are made once, for all of its readers. */
export class RenderedEvent implements StreamedEvent {
  #view: EventView | null = null;
  #text: string | null = null;

  constructor(
    readonly stored: StoredEvent,
    readonly position: LogPosition = stored.stamp,
  ) {}

  get id(): string {
    return this.stored.id;
  }

  get eventType(): string {
    return this.stored.eventType;
  }

  get orderKey(): string {
    return this.stored.orderKey;
  }

  get view(): EventView {
    return (this.#view ??= eventView(this.stored));
  }

  get text(): string {
    return (this.#text ??= toJsonText(this.view));
  }
}

/**
 * The newest events of a tenant, read from the log once for all of its readers. Readers that keep up share the rendered events; one that is
 * far behind reads the log by itself until it has caught up.
 */
export class RecentEvents {
  #events: RenderedEvent[] = [];
  /** All events after `from`, up to `through`, are here. */
  #from: LogPosition;
  #through: LogPosition;

  constructor(
    private readonly engine: Engine,
    private readonly tenant: Tenant,
  ) {
    this.#from = this.#through = engine.events.newestStamp(tenant);
  }

  /** Undefined when the position lies before the shared events. */
  after(
    after: LogPosition,
    wanted: EventFilter,
    limit: number,
  ): { readonly events: RenderedEvent[]; readonly position: LogPosition } | undefined {
    const position = Math.max(after, this.engine.events.emptiedAt(this.tenant));
    if (position < this.#from) return undefined;
    if (position > this.#through) this.#beginAt(position);
    const found: RenderedEvent[] = [];
    for (let index = this.#indexAfter(position); found.length < limit; index++) {
      if (index >= this.#events.length && !this.#readOn()) break;
      const event = this.#events[index];
      if (event && eventMatches(event.stored, wanted)) found.push(event);
    }
    const last = found.at(-1)?.position ?? position;
    const reached = found.length < limit ? Math.max(this.#through, last) : last;
    this.#trim();
    return { events: found, position: reached };
  }

  /** Starts at a later position: every reader is beyond the events between. */
  #beginAt(position: LogPosition): void {
    this.#events = [];
    this.#from = this.#through = position;
  }

  /** Reads the next events of the log; false when there are none. */
  #readOn(): boolean {
    const newest = this.engine.events.newestStamp(this.tenant);
    if (newest <= this.#through) return false;
    const next = this.engine.events.after(this.tenant, { afterStamp: this.#through }, LIMITS.recentEventsRead);
    for (const event of next) this.#events.push(new RenderedEvent(event));
    this.#through = next.length < LIMITS.recentEventsRead ? newest : (next.at(-1)?.stamp ?? newest);
    return next.length > 0;
  }

  #indexAfter(position: LogPosition): number {
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.position ?? 0) > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Drops half of the events at once. */
  #trim(): void {
    if (this.#events.length <= LIMITS.recentEvents) return;
    const dropped = this.#events.splice(0, this.#events.length - LIMITS.recentEvents / 2);
    this.#from = dropped.at(-1)?.position ?? this.#from;
  }
}
