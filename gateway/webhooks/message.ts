import type { EventView } from '../../actors/index.js';

/** One try to deliver a message. */
export interface Attempt {
  readonly at: number;
  readonly responseStatus: number | null;
  readonly durationMs: number;
  readonly error: string | null;
}

const MESSAGE_STATUSES = ['pending', 'delivered', 'failed', 'canceled'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** An event on its way to one webhook. Messages are replaced, never changed. */
export interface Message {
  /** Rises with every message; its id is made of it. */
  readonly counter: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly orderKey: string;
  /** Where the event stands in the log. */
  readonly position: number;
  readonly origin: 'log' | 'replay' | 'test';
  /** The event object, where the log does not have it. */
  readonly sample?: object;
  readonly createdAt: number;
  readonly status: MessageStatus;
  /** Failed tries since it was last asked to be delivered. */
  readonly failures: number;
  readonly attempts: readonly Attempt[];
  readonly nextAttemptAt: number | null;
  readonly deliveredAt: number | null;
}

/** What is known of a message before its first try. */
export interface NewMessage extends Pick<Message, 'counter' | 'position' | 'origin' | 'createdAt'> {
  readonly event: EventView;
  /** The event is that of a test, which the log does not have. */
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

/** Milliseconds after each failed try until the next one; after the last of them the message has failed. */
const RETRY_AFTER_MS: readonly number[] = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];

/** Failed tries after which a message no longer holds up the later ones of its order key. */
const HOLDING_FAILURES = 3;

/** Of the waiting time, either way. */
const JITTER = 0.1;

/** Attempts that the log keeps of a message: the schedule's, and some ordered by hand. */
const ATTEMPTS_KEPT = 20;

/** The message after a try; `chance` lies between 0 and 1. */
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

/** An open message that holds nobody up and waits for its time on the disk alone. */
export const isParked = (message: Message): boolean => isOpen(message) && message.failures >= HOLDING_FAILURES;
