import type { tags } from 'typia';
import { type DateTimeText, dateTimeText, orNull, type PageQuery } from '../../actors/index.js';
import type { Message, MessageStatus } from './message.js';

/** A delivery as the interface tells of it. */
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
