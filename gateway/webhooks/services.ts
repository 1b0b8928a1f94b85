import { setImmediate as yieldToOthers } from 'node:timers/promises';
import typia from 'typia';
import {
  type Agent,
  EVENT_TYPES,
  eventView,
  type EventView,
  type ListResult,
  microsecondsUntil,
  millisecondsOf,
  millisecondsUntil,
  newOperationId,
  operationView,
  type Outcome,
  Refusal,
  refuseProperty,
  type Services,
  type Tenant,
} from '../../actors/index.js';
import { LIMITS } from '../limits.js';
import {
  type EventMessagesQuery,
  type Message,
  type MessageListQuery,
  messageView,
  type MessageView,
  type ReplayWebhookBody,
  type TestWebhookBody,
} from './message.js';
import type { Webhooks } from './webhooks.js';

const DEFAULT_LIMIT = 25;

/*
 * Any process of a cluster may ask, so that these services check what they are asked. The routes have refused what is wrong with a request
 * of a caller: a fault here is a bug.
 */
const assertListQuery = typia.createAssert<MessageListQuery>();
const assertEventQuery = typia.createAssert<EventMessagesQuery>();
const assertTestBody = typia.createAssert<TestWebhookBody>();
const assertReplayBody = typia.createAssert<ReplayWebhookBody>();

/** Queries and commands about deliveries, under the names of the engine. */
export function webhookServices(webhooks: Webhooks): Services {
  const webhookIdOf = ({ params }: { readonly params: Readonly<Record<string, string>> }): string => params['webhookId'] ?? '';
  return {
    queries: {
      'webhookMessage.list': (request, tenant) => messagePage(webhooks, tenant, webhookIdOf(request), assertListQuery(request.query)),
      'event.messages': (request, tenant) => messagesOf(webhooks, tenant, request.params['eventId'] ?? '', assertEventQuery(request.query)),
    },
    commands: {
      'webhook.test': (request, tenant) => test(webhooks, tenant, webhookIdOf(request), assertTestBody(request.body), request.actor),
      'webhook.redeliver': (request, tenant) => redeliver(webhooks, tenant, webhookIdOf(request), request.params['messageId'] ?? ''),
      'webhook.replay': (request, tenant) =>
        replay(webhooks, tenant, webhookIdOf(request), assertReplayBody(request.body), newOperationId()),
    },
  };
}

const answer = (data: unknown): Outcome => ({ data, replayed: false });

async function messagePage(
  webhooks: Webhooks,
  tenant: Tenant,
  webhookId: string,
  query: MessageListQuery,
): Promise<ListResult<MessageView>> {
  webhooks.endpointOf(tenant, webhookId);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const cursor = query.endingBefore ?? query.startingAfter;
  const isBackwards = query.endingBefore !== undefined;
  const bound = cursor === undefined ? undefined : cursorOf(webhooks, webhookId, cursor, isBackwards ? 'endingBefore' : 'startingAfter');
  const wanted = wantedBy(query);
  const found: Message[] = [];
  let seen = 0;
  for (const message of webhooks.store.messages(webhookId, isBackwards ? 'asc' : 'desc', bound)) {
    if (wanted(message)) found.push(message);
    if (found.length > limit) break;
    seen += 1;
    if (seen % LIMITS.webhookLogSlice === 0) await yieldToOthers();
  }
  const isFull = found.length > limit;
  if (isFull) found.pop();
  if (isBackwards) found.reverse();
  const items = found.map((message) => messageView(webhooks.idOf(message.counter), webhookId, message));
  return { items, total: null, hasMore: isBackwards || isFull, hasPrevious: isBackwards ? isFull : bound !== undefined };
}

function wantedBy({ status, eventType, createdAtAfter, createdAtBefore }: MessageListQuery): (message: Message) => boolean {
  const types = eventType && eventType.length > 0 ? new Set(eventType) : null;
  const after = createdAtAfter === undefined ? -Infinity : millisecondsOf(createdAtAfter);
  const before = createdAtBefore === undefined ? Infinity : millisecondsUntil(createdAtBefore);
  return (message) =>
    (status === undefined || message.status === status) &&
    (types === null || types.has(message.eventType)) &&
    message.createdAt > after &&
    message.createdAt < before;
}

function cursorOf(webhooks: Webhooks, webhookId: string, cursor: string, path: 'startingAfter' | 'endingBefore'): number {
  const counter = webhooks.counterOf(cursor);
  if (counter !== undefined && webhooks.store.message(webhookId, counter)) return counter;
  throw new Refusal('badRequest', `\`${path}\` is not the id of a message of this webhook.`, {
    errors: [{ path, expected: 'the id of a message of this list', message: `${path} is not the id of a message of this webhook` }],
  });
}

async function messagesOf(
  webhooks: Webhooks,
  tenant: Tenant,
  eventId: string,
  { status }: EventMessagesQuery,
): Promise<ListResult<MessageView>> {
  if (!(await webhooks.source.find(tenant, eventId))) throw new Refusal('notFound', `There is no event ${eventId}.`);
  const items: MessageView[] = [];
  for (const { webhookId, message } of webhooks.store.messagesOf(eventId)) {
    if (status === undefined || message.status === status) items.push(messageView(webhooks.idOf(message.counter), webhookId, message));
  }
  return { items: items.reverse(), total: items.length, hasMore: false, hasPrevious: false };
}

async function test(webhooks: Webhooks, tenant: Tenant, webhookId: string, body: TestWebhookBody, by: Agent): Promise<Outcome> {
  const { target, endpoint } = webhooks.endpointOf(tenant, webhookId);
  const eventType = body.eventType ?? target.webhook.eventTypes[0] ?? '';
  const type = EVENT_TYPES.find((known) => known.eventType === eventType);
  if (!type) return refuseProperty('eventType', 'a name of GET /event-types', unknownType(eventType));
  const message = await endpoint.sendSample(target, (id) => sampleEvent(tenant, id, type, by, webhooks.nowMs()));
  return answer(messageView(webhooks.idOf(message.counter), webhookId, message));
}

const unknownType = (eventType: string): string => `Unknown event type ${eventType}. GET /event-types lists all.`;

/** A test event about the company, without data. */
function sampleEvent(
  tenant: Tenant,
  id: string,
  { eventType, objectType }: { readonly eventType: string; readonly objectType: string },
  by: Agent,
  nowMs: number,
): EventView {
  return eventView({
    id,
    tenant,
    eventType,
    objectType,
    objectId: tenant.company,
    refs: {},
    data: {},
    stamp: nowMs * 1000,
    occurredAt: nowMs,
    sequence: 0,
    orderKey: tenant.company,
    by,
    isReplay: false,
  });
}

async function redeliver(webhooks: Webhooks, tenant: Tenant, webhookId: string, messageId: string): Promise<Outcome> {
  const { target, endpoint } = webhooks.endpointOf(tenant, webhookId);
  const counter = webhooks.counterOf(messageId);
  const isKnown = counter !== undefined && webhooks.store.message(webhookId, counter) !== null;
  if (isKnown && !target.isOn) throw disabled(webhookId);
  const message = isKnown ? await endpoint.redeliver(counter) : null;
  if (!message) throw new Refusal('notFound', `There is no message ${messageId} of the webhook ${webhookId}.`);
  return answer(messageView(messageId, webhookId, message));
}

async function replay(
  webhooks: Webhooks,
  tenant: Tenant,
  webhookId: string,
  body: ReplayWebhookBody,
  operationId: string,
): Promise<Outcome> {
  const { target, endpoint } = webhooks.endpointOf(tenant, webhookId);
  const [from, to] = [microsecondsUntil(body.from), microsecondsUntil(body.to)];
  if (from >= to) return refuseProperty('to', 'a moment after from', '`to` must be after `from`.');
  const { eventTypes = target.webhook.eventTypes } = body;
  const unknown = eventTypes.find((name) => !EVENT_TYPES.some(({ eventType }) => eventType === name));
  if (unknown !== undefined) return refuseProperty('eventTypes', 'names of GET /event-types', unknownType(unknown));
  if (!target.isOn) throw disabled(webhookId);
  if (endpoint.replays.length >= LIMITS.webhookReplays)
    throw new Refusal('conflict', `The webhook ${webhookId} has ${LIMITS.webhookReplays} replays under way. Wait until one has ended.`);
  const { source } = webhooks;
  await endpoint.replay(target, {
    operationId,
    position: source.positionAfter(from - 1),
    until: source.positionAfter(to - 1) + 1,
    eventTypes,
  });
  const operation = webhooks.engine.operations.get(tenant, operationId, webhooks.engine.machineMs());
  return { ...answer(operation && operationView(operation)), operationId };
}

const disabled = (webhookId: string): Refusal =>
  new Refusal('invalidState', `The webhook ${webhookId} is disabled. Enable it, or its company, first.`);

/** The undelivered messages of all webhooks. */
export interface Backlog {
  /** Undelivered messages in memory; later events wait in the log. */
  readonly waiting: number;
  /** The age of the oldest open message, in seconds; 0 when none is open. */
  readonly oldestSeconds: number;
  /** Webhooks whose last attempt failed. */
  readonly failing: number;
}

export const NO_BACKLOG: Backlog = { waiting: 0, oldestSeconds: 0, failing: 0 };

/** Counts deliveries. */
export interface DeliveryMeasure {
  tried(isDelivered: boolean): void;
  /** Deliveries are made in this process from now on; null = no more. */
  delivering(backlog: (() => Backlog) | null): void;
}

/** A limited number of slots; callers wait in the order in which they came. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves with a function that gives the slot back. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => this.#release();
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}

/** The service cannot answer at the moment: nothing was done, and the same is tried again soon. */
export class NotNow extends Error {
  override readonly name = 'NotNow';
}

/** Asks the service. Throws `NotNow` in place of its refusal to answer now. */
export async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw cause instanceof Refusal && cause.errorType === 'unavailable' ? new NotNow(cause.message, { cause }) : cause;
  }
}
