import type { tags } from 'typia';
import { dateTimeText, type DateTimeText, type EventView, orNull, type PageQuery } from '../../actors/index.js';
import { LIMITS } from '../limits.js';
import type { EventSource, LogPosition } from '../streams/event-source.js';
import type { DeliveryStore, Entry } from './delivery-store.js';

/** One attempt to deliver a message. */
export interface Attempt {
  readonly at: number;
  readonly responseStatus: number | null;
  readonly durationMs: number;
  readonly error: string | null;
}

const MESSAGE_STATUSES = ['pending', 'delivered', 'failed', 'canceled'] as const;
type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** An event on its way to one webhook. Messages are replaced, never changed. */
export interface Message {
  /** Rises with every message; its id is made from it. */
  readonly counter: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly orderKey: string;
  /** The position of the event in the log. */
  readonly position: number;
  readonly origin: 'log' | 'replay' | 'test';
  /** The event, where it is not in the log. */
  readonly sample?: EventView;
  readonly createdAt: number;
  readonly status: MessageStatus;
  /** Failed attempts since its delivery was last requested. */
  readonly failures: number;
  readonly attempts: readonly Attempt[];
  readonly nextAttemptAt: number | null;
  readonly deliveredAt: number | null;
}

/** A message before its first attempt. */
export interface NewMessage extends Pick<Message, 'counter' | 'position' | 'origin' | 'createdAt'> {
  readonly event: EventView;
  /** The event is a test, and not in the log. */
  readonly isSample?: boolean;
}

export function newMessage({ event, isSample = false, ...known }: NewMessage): Message {
  const { id, eventType, orderKey } = event;
  return {
    ...known,
    eventId: id,
    eventType,
    orderKey,
    ...(isSample ? { sample: event } : {}),
    status: 'pending',
    failures: 0,
    attempts: [],
    nextAttemptAt: null,
    deliveredAt: null,
  };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Milliseconds between a failed attempt and the next one; after the last of them the message has failed. */
const RETRY_AFTER_MS: readonly number[] = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];

/** Failed attempts after which later messages of the order key no longer wait for this one. */
const HOLDING_FAILURES = 3;

/** The random part of the waiting time, as a fraction in either direction. */
const JITTER = 0.1;

/** Attempts of a message that the log keeps: those of the schedule, and some that a caller has requested. */
const ATTEMPTS_KEPT = 20;

/** The message after an attempt; `chance` is between 0 and 1. */
export function afterAttempt(message: Message, attempt: Attempt, isDelivered: boolean, chance: number): Message {
  const attempts = [...message.attempts, attempt].slice(-ATTEMPTS_KEPT);
  const endedAt = attempt.at + attempt.durationMs;
  if (isDelivered) return { ...message, attempts, status: 'delivered', nextAttemptAt: null, deliveredAt: endedAt };
  const wait = message.origin === 'test' ? undefined : RETRY_AFTER_MS[message.failures];
  const failures = message.failures + 1;
  if (wait === undefined) return { ...message, attempts, failures, status: 'failed', nextAttemptAt: null };
  return { ...message, attempts, failures, nextAttemptAt: Math.round(endedAt + wait * (1 - JITTER + 2 * JITTER * chance)) };
}

export const isOpen = ({ status }: Message): boolean => status === 'pending';

/** An open message for which no other waits, and which is kept on the disk only until it is due. */
export const isParked = (message: Message): boolean => isOpen(message) && message.failures >= HOLDING_FAILURES;

/** A delivery as the interface shows it. */
export interface MessageView {
  readonly id: string;
  readonly object: 'eventMessage';
  readonly eventId: string;
  readonly eventType: string;
  readonly webhookId: string;
  readonly status: MessageStatus;
  readonly attempts: readonly {
    readonly at: DateTimeText;
    readonly responseStatus: number | null;
    readonly durationMs: number;
    readonly error: string | null;
  }[];
  readonly nextAttemptAt: DateTimeText | null;
  readonly deliveredAt: DateTimeText | null;
  readonly createdAt: DateTimeText;
}

export interface MessageListQuery extends PageQuery {
  readonly status?: MessageStatus;
  readonly eventType?: readonly string[];
  readonly createdAtAfter?: DateTimeText;
  readonly createdAtBefore?: DateTimeText;
}

export interface EventMessagesQuery {
  readonly status?: MessageStatus;
}

export interface TestWebhookBody {
  /** Default: the first of the webhook's own. */
  readonly eventType?: string & tags.MaxLength<100>;
}

export interface ReplayWebhookBody {
  readonly from: DateTimeText;
  /** Excluded. */
  readonly to: DateTimeText;
  /** Default: the webhook's own. */
  readonly eventTypes?: readonly (string & tags.MaxLength<100>)[];
}

export function messageView(id: string, webhookId: string, message: Message): MessageView {
  const { eventId, eventType, status, attempts, nextAttemptAt, deliveredAt, createdAt } = message;
  return {
    id,
    object: 'eventMessage',
    eventId,
    eventType,
    webhookId,
    status,
    attempts: attempts.map((attempt) => ({ ...attempt, at: dateTimeText(attempt.at) })),
    nextAttemptAt: orNull(dateTimeText, nextAttemptAt),
    deliveredAt: orNull(dateTimeText, deliveredAt),
    createdAt: dateTimeText(createdAt),
  };
}

/*
 * Open messages are canceled when their webhook is deleted or disabled, and old ones are deleted. Both in batches of
 * `LIMITS.webhookBatch`.
 */

/** Cancels all open messages. Durable when it resolves. */
export async function cancelOpen(store: DeliveryStore, webhookId: string): Promise<void> {
  for (;;) {
    const entries: Entry[] = [];
    for (const { counter } of store.open(webhookId)) {
      const message = store.message(webhookId, counter);
      if (message) entries.push(...store.entries(webhookId, { ...message, status: 'canceled', nextAttemptAt: null }, message));
      if (entries.length >= LIMITS.webhookBatch) break;
    }
    if (entries.length === 0) return;
    await store.write(entries);
  }
}

interface Kept {
  readonly webhookId: string;
  /** Messages in the log of the webhook. */
  readonly kept: number;
  /** The time of the journal: a clock of the machine that is set ahead deletes nothing. */
  readonly journalMs: number;
}

/**
 * The entries that delete the oldest messages: those older than `webhookLogMs`, and those beyond `webhookLogMessages`; none after an open
 * message.
 */
export function oldMessages(
  store: DeliveryStore,
  { webhookId, kept, journalMs }: Kept,
): { readonly entries: readonly Entry[]; readonly count: number } {
  const entries: Entry[] = [];
  let count = 0;
  for (const message of store.messages(webhookId, 'asc')) {
    const isOld = message.createdAt < journalMs - LIMITS.webhookLogMs || kept - count > LIMITS.webhookLogMessages;
    if (!isOld || isOpen(message) || count >= LIMITS.webhookBatch) break;
    entries.push(...store.forgotten(webhookId, message));
    count += 1;
  }
  return { entries, count };
}

/** The stamp up to which every message of a webhook is settled: at least that of its recorded progress. */
export function settledThrough(
  { store, source }: { readonly store: DeliveryStore; readonly source: Pick<EventSource, 'stampThrough'> },
  { webhookId, taken, recorded }: { readonly webhookId: string; readonly taken: LogPosition; readonly recorded: number },
): number {
  for (const { counter, isOfLog } of store.open(webhookId)) {
    const message = isOfLog ? store.message(webhookId, counter) : null;
    if (message) return Math.max(recorded, source.stampThrough(message.position - 1));
  }
  return Math.max(recorded, source.stampThrough(taken));
}
