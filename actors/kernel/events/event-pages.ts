import { Refusal } from '../../errors.js';
import { API_VERSION, type ListResult, microsecondsOf, microsecondsUntil } from '../../wire.js';
import { actorView, type ActorView } from '../actor-logic.js';
import type { StoredEvent, Tenant } from '../fact.js';
import type { Engine } from '../shard/engine.js';
import type { EventFilter } from './event-index.js';
import {
  agreedIds,
  type EventSubject,
  isOfDeletable,
  type LocatedSubject,
  oneHolder,
  type SubjectQuery,
  subjectsOf,
} from './event-subjects.js';

export interface EventView {
  readonly id: string;
  readonly object: 'event';
  readonly eventType: string;
  readonly companyId: string;
  readonly mode: string;
  readonly apiVersion: string;
  readonly createdAt: string;
  readonly occurredAt: string;
  readonly sequence: number;
  readonly orderKey: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly personId: string | null;
  readonly loanId: string | null;
  readonly drawId: string | null;
  readonly caseId: string | null;
  readonly transactionId: string | null;
  readonly interactionId: string | null;
  readonly externalIds: Readonly<Record<string, string>>;
  readonly actor: ActorView;
  readonly isReplay: boolean;
  readonly data: unknown;
  /** With `hydrate`: the related object as its own GET returns it; null when it no longer exists. */
  readonly hydrated?: unknown;
}

export function eventView(event: StoredEvent): EventView {
  const { refs } = event;
  return {
    id: event.id,
    object: 'event',
    eventType: event.eventType,
    companyId: event.tenant.company,
    mode: event.tenant.mode,
    apiVersion: API_VERSION,
    createdAt: stampText(event.stamp),
    occurredAt: new Date(event.occurredAt).toISOString(),
    sequence: event.sequence,
    orderKey: event.orderKey,
    objectType: event.objectType,
    objectId: event.objectId,
    personId: refs.personId ?? null,
    loanId: refs.loanId ?? null,
    drawId: refs.drawId ?? null,
    caseId: refs.caseId ?? null,
    transactionId: refs.transactionId ?? null,
    interactionId: refs.interactionId ?? null,
    externalIds: Object.fromEntries(
      Object.entries(event.externalIds ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
    actor: actorView(event.by),
    isReplay: event.isReplay,
    data: event.data,
  };
}

/** Microseconds of a stamp as ISO 8601 in UTC. */
function stampText(stamp: number): string {
  const text = new Date(Math.floor(stamp / 1000)).toISOString();
  return `${text.slice(0, -1)}${(stamp % 1000).toString().padStart(3, '0')}Z`;
}

/** Longest wait of a pull for the next event, in seconds. */
const LONG_POLL_SECONDS = 20;

/** Query parameters of the event lists. */
export interface EventQuery extends SubjectQuery {
  readonly eventType?: readonly string[];
  readonly createdAtAfter?: string;
  readonly createdAtBefore?: string;
  readonly order?: 'asc' | 'desc';
  /** Waits for the first event of an empty page; with `order=asc` this tails the log. */
  readonly waitSeconds?: number;
  readonly limit?: number;
  readonly startingAfter?: string;
  readonly endingBefore?: string;
}

/** Ids of the path. */
type Params = Readonly<Record<string, string>>;

/** The bounds of a page: positions are numbers that rise in the order of the log. */
export interface EventSpan {
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** Both are excluded. */
  readonly after?: number;
  readonly before?: number;
}

/** A tenant's log of events from which pages are pulled. */
export interface PulledLog {
  /** Undefined when there is no such event, or it is no longer kept. */
  positionOf(eventId: string): Promise<number | undefined>;
  /** The filter of the query, with external ids resolved. Throws `Refusal` for unknown ids. */
  filterOf(query: EventQuery, params: Params): Promise<EventFilter>;
  page(filter: EventFilter, span: EventSpan): Promise<readonly StoredEvent[]>;
  /** Calls back after new events; returns the function that stops it. */
  onAdvance(listener: () => void): () => void;
}

/** The log of this process. Positions are the stamps of its events. */
export function pulledLogOf(engine: Engine, tenant: Tenant): PulledLog {
  return {
    positionOf: async (eventId) => engine.events.find(tenant, eventId)?.stamp,
    filterOf: async (query, params) => eventFilterOf(engine, tenant, query, params),
    page: async (filter, { order, limit, after = -1, before = Infinity }) => {
      const { afterStamp = -1, beforeStamp = Infinity } = filter;
      return engine.events.page(
        tenant,
        { ...filter, afterStamp: Math.max(after, afterStamp), beforeStamp: Math.min(before, beforeStamp) },
        order,
        limit,
      );
    },
    onAdvance: (listener) => engine.onEvents(listener),
  };
}

/**
 * A page of the log. In descending order "after" a cursor means older, in ascending order newer: with
 * `order=asc&startingAfter=<last id>` a caller tails the log without gaps.
 */
export async function eventPage(log: PulledLog, query: EventQuery, params: Params): Promise<ListResult<EventView>> {
  const waiting = query.waitSeconds ? new Waiting(log, Math.min(query.waitSeconds, LONG_POLL_SECONDS) * 1000) : null;
  try {
    let page = await find(log, query, params);
    while (page.items.length === 0 && (await waiting?.next())) page = await find(log, query, params);
    return page;
  } finally {
    waiting?.end();
  }
}

/** A caller that waits for the next event. An event that comes while the log is being read counts too. */
class Waiting {
  readonly #untilMs: number;
  readonly #stop: () => void;
  #hasCome = false;
  #notify = (): void => {};

  constructor(log: PulledLog, milliseconds: number) {
    this.#untilMs = performance.now() + milliseconds;
    this.#stop = log.onAdvance(() => {
      this.#hasCome = true;
      this.#notify();
    });
  }

  /** True after an event of any tenant, false once the time is over. */
  async next(): Promise<boolean> {
    const leftMs = this.#untilMs - performance.now();
    if (leftMs <= 0) return false;
    if (!this.#hasCome) await this.#event(leftMs);
    this.#hasCome = false;
    return true;
  }

  end(): void {
    this.#stop();
  }

  #event(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#notify = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

async function find(log: PulledLog, query: EventQuery, params: Params): Promise<ListResult<EventView>> {
  const { order = 'desc', limit = 25, endingBefore, startingAfter } = query;
  const filter = await log.filterOf(query, params);
  const cursor = endingBefore ?? startingAfter;
  const isBackwards = endingBefore !== undefined;
  const direction = isBackwards ? opposite(order) : order;
  const edge =
    cursor === undefined
      ? {}
      : { [direction === 'asc' ? 'after' : 'before']: await positionNamed(log, cursor, isBackwards ? 'endingBefore' : 'startingAfter') };
  const found = await log.page(filter, { order: direction, limit: limit + 1, ...edge });
  const isFull = found.length > limit;
  const events = found.slice(0, limit);
  if (isBackwards) events.reverse();
  return {
    items: events.map(eventView),
    total: null,
    hasMore: isBackwards || isFull,
    hasPrevious: isBackwards ? isFull : cursor !== undefined,
  };
}

const opposite = (order: 'asc' | 'desc'): 'asc' | 'desc' => (order === 'asc' ? 'desc' : 'asc');

async function positionNamed(log: PulledLog, cursor: string, path: 'startingAfter' | 'endingBefore'): Promise<number> {
  const position = await log.positionOf(cursor);
  if (position !== undefined) return position;
  throw new Refusal('badRequest', `The cursor ${cursor} is not the id of an event, or the event has expired.`, {
    errors: [{ path, expected: 'the id of an event of the last 90 days', message: 'is not the id of an event' }],
  });
}

/** The filter of a query, with external ids resolved. Throws `Refusal` for unknown ids. */
export function eventFilterOf(engine: Pick<Engine, 'locate' | 'world'>, tenant: Tenant, query: EventQuery, params: Params): EventFilter {
  const located = ({ name, anyId, kinds }: EventSubject): string => {
    if (isOfDeletable(name) && !anyId.startsWith('ext-')) return anyId;
    if (name !== 'objectId') return engine.locate(tenant, kinds[0], anyId);
    return oneHolder(
      anyId,
      kinds.flatMap((kind) => engine.world.catalog.findExternal(tenant, kind, anyId.slice(4)) ?? []),
    );
  };
  return eventFilter(
    query,
    subjectsOf(query, params).map((subject) => [subject.name, located(subject)]),
  );
}

/** No event has a stamp before this one. */
const FIRST_STAMP = 0;

export function eventFilter(query: EventQuery, subjects: readonly LocatedSubject[]): EventFilter {
  const ids = agreedIds(subjects);
  const beforeStamp =
    ids === undefined ? FIRST_STAMP : query.createdAtBefore === undefined ? undefined : microsecondsUntil(query.createdAtBefore);
  return {
    ...(query.eventType && query.eventType.length > 0 ? { eventTypes: new Set(query.eventType) } : {}),
    ...(query.objectType === undefined ? {} : { objectType: query.objectType }),
    ...ids,
    ...(query.createdAtAfter === undefined ? {} : { afterStamp: microsecondsOf(query.createdAtAfter) }),
    ...(beforeStamp === undefined ? {} : { beforeStamp }),
  };
}
