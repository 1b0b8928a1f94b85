import { type EventFilter, matches } from '../events/event-filter.js';
import { type Tenant, tenantKey } from '../fact.js';
import { SlidingList } from '../lists/sliding-list.js';
import type { EventsRead } from './cluster-events.js';
import { type EventsAsked, type PlacedEvent, placedEvents } from './event-parts.js';
import { placeAfter } from './event-places.js';
import { CLUSTER_LIMITS } from './limits.js';
import { UNITS } from './units.js';
import type { UnitsClient } from './units-client.js';

/** The newest events of a tenant in memory, in the order of the cluster and without a gap, while somebody listens. */
interface Feed {
  readonly tenant: Tenant;
  readonly listeners: Set<() => void>;
  readonly recent: SlidingList<PlacedEvent>;
  /** All events behind this place and up to the stamp are in `recent`; null before the first round. */
  from: number | null;
  through: number;
}

/**
 * Fetches what is new of all units in rounds, once for all readers of this process, and tells it on. A round goes as far as the
 * unit that has come least far; a unit that does not answer makes all wait.
 */
export class EventFeeds {
  readonly #feeds = new Map<string, Feed>();
  #isRunning = false;

  constructor(private readonly units: UnitsClient) {}

  /** Calls back after new events of the tenant; returns the way to stop it. */
  listen(tenant: Tenant, listener: () => void): () => void {
    const key = tenantKey(tenant);
    const feed = this.#feeds.get(key) ?? { tenant, listeners: new Set(), recent: new SlidingList<PlacedEvent>(), from: null, through: 0 };
    const own = (): void => listener(); // one listener may listen twice
    feed.listeners.add(own);
    this.#feeds.set(key, feed);
    if (!this.#isRunning) void this.#run();
    return () => {
      feed.listeners.delete(own);
      if (feed.listeners.size === 0 && this.#feeds.get(key) === feed) this.#feeds.delete(key);
    };
  }

  /** Undefined where not all that lies behind the place is in memory. */
  after(tenant: Tenant, filter: EventFilter, place: number, limit: number): EventsRead | undefined {
    const feed = this.#feeds.get(tenantKey(tenant));
    if (!feed || feed.from === null || place < feed.from) return undefined;
    const events: PlacedEvent[] = [];
    for (let at = feed.recent.firstWhere((placed) => placed.place > place); at < feed.recent.length && events.length < limit; at++) {
      const placed = feed.recent.at(at);
      if (placed && matches(placed.event, filter)) events.push(placed);
    }
    return { events, place: events.length < limit ? Math.max(place, placeAfter(feed.through)) : (events.at(-1)?.place ?? place) };
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#feeds.size > 0) {
      const pauseMs = await this.#round().catch(() => CLUSTER_LIMITS.feedRetryMs); // whoever waits for events is told nothing, and a pull says why
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    this.#isRunning = false;
  }

  /** How long to wait for the next one. */
  async #round(): Promise<number> {
    const feeds = [...this.#feeds.values()];
    const asked = feeds.map(
      (feed): EventsAsked => ({
        tenant: feed.tenant,
        order: 'asc',
        filter: { afterStamp: feed.through },
        limit: feed.from === null ? 0 : CLUSTER_LIMITS.feedEvents,
      }),
    );
    const answers = await this.units.askAll<'events'>(UNITS, { type: 'events', asked });
    let told = 0;
    for (const [at, feed] of feeds.entries()) {
      const through = Math.min(
        ...answers.map(({ through: own, found }) => {
          const events = found[at] ?? [];
          return events.length > 0 && events.length === asked[at]?.limit ? (events.at(-1)?.stamp ?? own) : own;
        }),
      );
      const news = UNITS.flatMap((unit, number) =>
        placedEvents(
          unit,
          (answers[number]?.found[at] ?? []).filter(({ stamp }) => stamp <= through),
        ),
      );
      append(
        feed,
        news.sort((a, b) => a.place - b.place),
        through,
      );
      told += news.length;
      if (news.length > 0) for (const listener of [...feed.listeners]) listener();
    }
    return told > 0 ? CLUSTER_LIMITS.feedBusyMs : CLUSTER_LIMITS.feedIdleMs;
  }
}

function append(feed: Feed, news: readonly PlacedEvent[], through: number): void {
  feed.from ??= placeAfter(through);
  feed.through = Math.max(feed.through, through);
  for (const placed of news) feed.recent.push(placed);
  const surplus = feed.recent.length - CLUSTER_LIMITS.feedKept;
  if (surplus <= 0) return;
  feed.from = feed.recent.at(surplus - 1)?.place ?? feed.from;
  feed.recent.drop(surplus);
}
