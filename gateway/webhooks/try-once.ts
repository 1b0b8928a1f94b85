import { type EventView, toJsonText, type WebhookProgressBody } from '../../actors/index.js';
import type { Outgoing, OutgoingAnswer } from '../outgoing.js';
import type { EventSource } from '../streams/event-source.js';
import type { DeliveryStore, Replay } from './delivery-store.js';
import type { Attempt, Message } from './message.js';
import type { Target, WebhookDirectory } from './directory.js';
import type { Slots } from './services.js';
import { signedHeaders } from './signature.js';

export interface TryParts {
  readonly directory: WebhookDirectory;
  readonly outgoing: Outgoing;
  idOf(prefix: 'EM' | 'EV', counter: number): string;
  /** The object of an event, as far as it may be shown. */
  hydrated(target: Target, event: EventView): Promise<unknown>;
  /** Machine time. */
  readonly nowMs: () => number;
  /** Called after each attempt. */
  tried?(isDelivered: boolean): void;
}

/** What the deliveries of a webhook need. */
export interface EndpointParts extends TryParts {
  /** The time of the journal, by which a webhook is disabled and its log deleted: it does not jump with the clock of the machine. */
  readonly journalMs: () => number;
  readonly store: DeliveryStore;
  readonly source: EventSource;
  readonly slots: Slots;
  /** Whether this process delivers at this moment. */
  holds(): boolean;
  /** Records progress in the journal; returns the first of the ids that it has reserved. */
  readonly record: (target: Target, progress: WebhookProgressBody) => Promise<number>;
  /** Sends the company a notice that the service has disabled the webhook, if one is due. */
  notify(target: Target): void;
  replayBegins(target: Target, replay: Replay): void;
  replayEnded(target: Target, replay: Replay): void;
  /** Called with failures of the disk or the journal. */
  failed(cause: unknown): void;
  readonly random: () => number;
  readonly report: (message: string, details: Readonly<Record<string, unknown>>) => void;
}

export interface Tried {
  readonly attempt: Attempt;
  readonly isDelivered: boolean;
  /** The receiver has answered 410: it wants no more events. */
  readonly isGone: boolean;
}

/** The event as the receiver gets it. */
export async function bodyOf(parts: TryParts, target: Target, event: EventView): Promise<string> {
  return toJsonText(target.webhook.hydrateData ? { ...event, hydrated: await parts.hydrated(target, event) } : event);
}

/** Sends a signed message to the receiver. */
export async function tryOnce(parts: TryParts, target: Target, message: Message, body: string): Promise<Tried> {
  const at = parts.nowMs();
  const begun = performance.now();
  const answer = await parts.outgoing.post({
    url: target.url,
    body,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Tenor-Webhooks',
      ...signedHeaders(message.eventId, Math.floor(at / 1000), body, parts.directory.secretsOf(target, at)),
      'X-Event-Id': message.eventId,
      'X-Event-Type': message.eventType,
      'X-Message-Id': parts.idOf('EM', message.counter),
      'X-Delivery-Attempt': String(message.attempts.length + 1),
    },
  });
  const { status, error } = outcomeOf(answer);
  parts.tried?.(error === null);
  const attempt = { at, responseStatus: status, durationMs: Math.round(performance.now() - begun), error };
  return { attempt, isDelivered: error === null, isGone: status === GONE };
}

const GONE = 410;

function outcomeOf(answer: OutgoingAnswer): { readonly status: number | null; readonly error: string | null } {
  if (answer.type === 'failed') return { status: null, error: answer.fault };
  const isSuccess = answer.status >= 200 && answer.status < 300;
  return { status: answer.status, error: isSuccess ? null : `answered ${answer.status}` };
}
