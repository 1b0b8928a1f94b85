import { setImmediate as othersTurn } from 'node:timers/promises';
import {
  type Agent,
  EVENT_TYPES,
  eventView,
  type EventView,
  type ListResult,
  millisecondsOf,
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

/** What the interface asks of the deliveries, under the names of the engine's queries and commands. */
export function webhookServices(webhooks: Webhooks): Services {
  const webhookIdOf = ({ params }: { readonly params: Readonly<Record<string, string>> }): string => params['webhookId'] ?? '';
  return {
    queries: {
      'webhookMessage.list': (request, tenant) => messagePage(webhooks, tenant, webhookIdOf(request), request.query as MessageListQuery),
      'event.messages': (request, tenant) =>
        messagesOf(webhooks, tenant, request.params['eventId'] ?? '', request.query as EventMessagesQuery),
    },
    commands: {
      'webhook.test': (request, tenant) => test(webhooks, tenant, webhookIdOf(request), request.body as TestWebhookBody, request.actor),
      'webhook.redeliver': (request, tenant) => redeliver(webhooks, tenant, webhookIdOf(request), request.params['messageId'] ?? ''),
      'webhook.replay': (request, tenant) =>
        replay(webhooks, tenant, webhookIdOf(request), request.body as ReplayWebhookBody, newOperationId()),
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
    if (seen % LIMITS.webhookLogSlice === 0) await othersTurn();
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
  const before = createdAtBefore === undefined ? Infinity : millisecondsOf(createdAtBefore);
  return (message) =>
    (status === undefined || message.status === status) &&
    (types === null || types.has(message.eventType)) &&
    message.createdAt > after &&
    message.createdAt < before;
}

function cursorOf(webhooks: Webhooks, webhookId: string, cursor: string, path: 'startingAfter' | 'endingBefore'): number {
  const counter = webhooks.counterOf(cursor);
  if (counter !== undefined && webhooks.store.message(webhookId, counter)) return counter;
  throw new Refusal('badRequest', 'The cursor names no message of this webhook.', {
    errors: [{ path, expected: 'the id of a message of this list', message: 'unknown cursor' }],
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
  if (!type) return refuseProperty('eventType', 'a name of GET /event-types', `${eventType} is no event.`);
  const message = await endpoint.sendSample(target, (id) => sampleEvent(tenant, id, type, by, webhooks.nowMs()));
  return answer(messageView(webhooks.idOf(message.counter), webhookId, message));
}

/** About the company, and without data: nothing has happened. */
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
  const message = counter === undefined ? null : webhooks.store.message(webhookId, counter);
  if (!message) throw new Refusal('notFound', `There is no message ${messageId}.`);
  if (!target.isOn) throw new Refusal('invalidState', `The webhook ${webhookId} is disabled.`);
  return answer(messageView(messageId, webhookId, await endpoint.redeliver(message)));
}

async function replay(
  webhooks: Webhooks,
  tenant: Tenant,
  webhookId: string,
  body: ReplayWebhookBody,
  operationId: string,
): Promise<Outcome> {
  const { target, endpoint } = webhooks.endpointOf(tenant, webhookId);
  const [from, to] = [millisecondsOf(body.from), millisecondsOf(body.to)];
  if (from >= to) return refuseProperty('to', 'a moment after from', 'The period ends before it begins.');
  const { eventTypes = target.webhook.eventTypes } = body;
  const unknown = eventTypes.find((name) => !EVENT_TYPES.some(({ eventType }) => eventType === name));
  if (unknown !== undefined) return refuseProperty('eventTypes', 'names of GET /event-types', `${unknown} is no event.`);
  if (!target.isOn) throw new Refusal('invalidState', `The webhook ${webhookId} is disabled.`);
  if (endpoint.replays.length >= LIMITS.webhookReplays)
    throw new Refusal('conflict', `The webhook ${webhookId} replays ${LIMITS.webhookReplays} periods already.`);
  const { source } = webhooks;
  await endpoint.replay(target, {
    operationId,
    position: source.positionAfter(from * 1000 - 1),
    until: source.positionAfter(to * 1000 - 1) + 1,
    eventTypes,
  });
  const operation = webhooks.engine.operations.get(tenant, operationId, webhooks.engine.machineMs());
  return { ...answer(operation && operationView(operation)), operationId };
}

/** What waits for the receivers of webhooks. */
export interface Backlog {
  /** Messages in memory that are not delivered; later events wait in the log. */
  readonly waiting: number;
  /** Since the oldest message was made that is not settled, in seconds; 0 when none is open. */
  readonly oldestSeconds: number;
  /** Webhooks whose last try has failed. */
  readonly failing: number;
}

export const NO_BACKLOG: Backlog = { waiting: 0, oldestSeconds: 0, failing: 0 };

/** What deliveries tell to be counted. */
export interface DeliveryMeasure {
  tried(isDelivered: boolean): void;
  /** They are made in this process from now on; null = no more. */
  delivering(backlog: (() => Backlog) | null): void;
}

/** So many may have one at a time; the others wait in the order of their coming. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves with the way to give it back. */
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

/** What has to be asked for cannot be answered at the moment: nothing was done, and the same is tried again soon. */
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
