import { Refusal } from '../errors.js';
import type { ListResult } from '../wire.js';
import { actorView, type ActorView } from './actor-view.js';
import type { Engine } from './engine.js';
import type { EventFilter } from './event-filter.js';
import type { StoredEvent, Tenant } from './fact.js';

/** Longest wait of a pull for the next event, in seconds. */
export const LONG_POLL_SECONDS = 20;

/** Query parameters of the event lists (platform 1). */
export interface EventQuery {
  readonly eventType?: readonly string[];
  readonly objectType?: string;
  readonly objectId?: string;
  readonly personId?: string;
  readonly loanId?: string;
  readonly caseId?: string;
  readonly createdAtAfter?: string;
  readonly createdAtBefore?: string;
  readonly order?: 'asc' | 'desc';
  /** Waits for the first event of an empty page; with `order=asc` this tails the log. */
  readonly waitSeconds?: number;
  readonly limit?: number;
  readonly startingAfter?: string;
  readonly endingBefore?: string;
}

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
  /** With `hydrate`: the related object as its own GET returns it; null when there is no more. */
  readonly hydrated?: unknown;
}

export const API_VERSION = '2023-11-29';

export function eventView(event: StoredEvent): EventView {
  const { refs } = event;
  return {
    id: event.id, object: 'event', eventType: event.eventType, companyId: event.tenant.company, mode: event.tenant.mode,
    apiVersion: API_VERSION,
    createdAt: stampText(event.stamp), occurredAt: new Date(event.occurredAt).toISOString(),
    sequence: event.sequence, orderKey: event.orderKey, objectType: event.objectType, objectId: event.objectId,
    personId: refs.personId ?? null, loanId: refs.loanId ?? null, drawId: refs.drawId ?? null, caseId: refs.caseId ?? null,
    transactionId: refs.transactionId ?? null, interactionId: refs.interactionId ?? null,
    externalIds: Object.fromEntries(Object.entries(event.externalIds ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    actor: actorView(event.by),
    isReplay: event.isReplay, data: event.data,
  };
}

/** Microseconds of a stamp as ISO 8601 in UTC. */
function stampText(stamp: number): string {
  const text = new Date(Math.floor(stamp / 1000)).toISOString();
  return `${text.slice(0, -1)}${(stamp % 1000).toString().padStart(3, '0')}Z`;
}

/**
 * A page of the log. In descending order "after" a cursor means older, in ascending order newer: with
 * `order=asc&startingAfter=<last id>` a caller tails the log without gaps.
 */
export async function eventPage(engine: Engine, tenant: Tenant, query: EventQuery, params: Readonly<Record<string, string>>): Promise<ListResult<EventView>> {
  const found = await waitFor(engine, tenant, query, params);
  const { events, hasMore, hasPrevious } = found;
  return { items: events.map(eventView), total: null, hasMore, hasPrevious };
}

interface Found {
  readonly events: StoredEvent[];
  readonly hasMore: boolean;
  readonly hasPrevious: boolean;
}

async function waitFor(engine: Engine, tenant: Tenant, query: EventQuery, params: Readonly<Record<string, string>>): Promise<Found> {
  const first = find(engine, tenant, query, params);
  const seconds = Math.min(query.waitSeconds ?? 0, LONG_POLL_SECONDS);
  if (first.events.length > 0 || seconds === 0) return first;
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const left = deadline - performance.now();
    if (left <= 0 || !(await nextEvent(engine, left))) return find(engine, tenant, query, params);
    const found = find(engine, tenant, query, params);
    if (found.events.length > 0) return found;
  }
}

/** Resolves true after the next event of anyone, false when the time is over. */
function nextEvent(engine: Engine, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (came: boolean): void => {
      clearTimeout(timer);
      stop();
      resolve(came);
    };
    const stop = engine.onEvents(() => finish(true));
    const timer = setTimeout(() => finish(false), milliseconds);
  });
}

function find(engine: Engine, tenant: Tenant, query: EventQuery, params: Readonly<Record<string, string>>): Found {
  const order = query.order ?? 'desc';
  const limit = query.limit ?? 25;
  const filter = eventFilterOf(engine, tenant, query, params);
  const cursor = query.endingBefore ?? query.startingAfter;
  const stamp = cursor === undefined ? undefined : stampOf(engine, tenant, cursor);
  const isBackwards = query.endingBefore !== undefined;
  const direction = isBackwards ? opposite(order) : order;
  const bounded = stamp === undefined ? filter : bound(filter, direction, stamp);
  const events = engine.events.page(tenant, bounded, direction, limit + 1);
  const isFull = events.length > limit;
  if (isFull) events.pop();
  if (isBackwards) events.reverse();
  return { events, hasMore: isBackwards ? true : isFull, hasPrevious: isBackwards ? isFull : stamp !== undefined };
}

const opposite = (order: 'asc' | 'desc'): 'asc' | 'desc' => (order === 'asc' ? 'desc' : 'asc');

function bound(filter: EventFilter, direction: 'asc' | 'desc', stamp: number): EventFilter {
  return direction === 'asc'
    ? { ...filter, afterStamp: Math.max(stamp, filter.afterStamp ?? 0) }
    : { ...filter, beforeStamp: Math.min(stamp, filter.beforeStamp ?? Infinity) };
}

function stampOf(engine: Engine, tenant: Tenant, id: string): number {
  const event = engine.events.get(tenant, id);
  if (event) return event.stamp;
  throw new Refusal('badRequest', `The cursor ${id} names no event, or one that has expired.`, {
    errors: [{ path: 'startingAfter', expected: 'the id of an event of the last 90 days', message: 'unknown cursor' }],
  });
}

/** What a query's filters want, with external ids resolved. Throws `Refusal` for ids that name nothing. */
export function eventFilterOf(engine: Engine, tenant: Tenant, query: EventQuery, params: Readonly<Record<string, string>>): EventFilter {
  const serviceId = (kind: string, target: string | undefined): string | undefined =>
    target === undefined ? undefined : engine.locate(tenant, kind, target);
  const loanId = serviceId('loan', params['loanId'] ?? query.loanId);
  const personId = serviceId('person', params['personId'] ?? query.personId);
  return {
    ...(query.eventType && query.eventType.length > 0 ? { eventTypes: new Set(query.eventType) } : {}),
    ...(query.objectType === undefined ? {} : { objectType: query.objectType }),
    ...(query.objectId === undefined ? {} : { objectId: query.objectId }),
    ...(loanId === undefined ? {} : { loanId }),
    ...(personId === undefined ? {} : { personId }),
    ...(query.caseId === undefined ? {} : { caseId: query.caseId }),
    ...(query.createdAtAfter === undefined ? {} : { afterStamp: Date.parse(query.createdAtAfter) * 1000 + 999 }),
    ...(query.createdAtBefore === undefined ? {} : { beforeStamp: Date.parse(query.createdAtBefore) * 1000 }),
  };
}
