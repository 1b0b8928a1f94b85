import { type EventView, toJsonText } from '../../actors/index.js';
import type { Outgoing, OutgoingAnswer } from '../outgoing/outgoing.js';
import type { Target, WebhookDirectory } from './directory.js';
import type { Attempt, Message } from './message.js';
import { signedHeaders } from './signature.js';

export interface TryParts {
  readonly directory: WebhookDirectory;
  readonly outgoing: Outgoing;
  idOf(prefix: 'EM' | 'EV', counter: number): string;
  /** The object of an event, as much of it as may be shown. */
  hydrated(target: Target, event: EventView): Promise<unknown>;
  /** Machine time. */
  readonly nowMs: () => number;
  /** Told how each try has ended. */
  tried?(isDelivered: boolean): void;
}

export interface Tried {
  readonly attempt: Attempt;
  readonly isDelivered: boolean;
  /** The receiver says that it wants no more. */
  readonly isGone: boolean;
}

/** The event as the webhook's receiver gets it. */
export async function bodyOf(parts: TryParts, target: Target, event: EventView): Promise<string> {
  return toJsonText(target.webhook.hydrateData ? { ...event, hydrated: await parts.hydrated(target, event) } : event);
}

/** Sends it to the webhook's receiver, signed. */
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
