import { createHmac, randomBytes } from 'node:crypto';
import {
  type CompanyState,
  type EventView,
  type KeyStore,
  secretContext,
  type Tenant,
  toJsonText,
  type Webhook,
  type WebhookProgressBody,
  webhooksOf,
} from '../../actors/index.js';
import type { Companies } from '../auth/key-directory.js';
import type { Outgoing, OutgoingAnswer } from '../outgoing.js';
import type { EventSource } from '../streams/event-source.js';
import type { DeliveryStore, Replay } from './delivery-store.js';
import type { Attempt, Message } from './message.js';
import type { Slots } from './services.js';

/** A webhook as a receiver of events. */
export interface Target {
  readonly tenant: Tenant;
  readonly webhookId: string;
  readonly webhook: Webhook;
  readonly url: string;
  /** Whether it is enabled, and its company is active. */
  readonly isOn: boolean;
}

/** The webhooks of all companies, read from the companies each time, so that changes apply at once. */
export class WebhookDirectory {
  constructor(
    private readonly companies: Companies,
    private readonly keys: Pick<KeyStore, 'open'>,
  ) {}

  *all(): Iterable<Target> {
    for (const tenant of this.companies.tenants()) {
      const company = this.#company(tenant);
      if (!company) continue;
      for (const webhookId of webhooksOf(company).keys()) {
        const target = this.#target(tenant, company, webhookId);
        if (target) yield target;
      }
    }
  }

  /** Undefined when it was deleted, or does not send to an address. */
  find(tenant: Tenant, webhookId: string): Target | undefined {
    const company = this.#company(tenant);
    return company && this.#target(tenant, company, webhookId);
  }

  /** The secrets that sign now, the newest first. */
  secretsOf({ webhookId, webhook }: Target, nowMs: number): readonly string[] {
    const valid = (webhook.direct?.secrets ?? []).filter(({ until }) => until === null || until > nowMs);
    return valid.map(({ sealed }) => this.keys.open(webhookId, sealed, secretContext(webhookId))).filter((secret) => secret !== undefined);
  }

  #company({ company, mode }: Tenant): CompanyState | undefined {
    return this.companies.stateOf<CompanyState>({ company, mode }, 'company', company);
  }

  #target(tenant: Tenant, company: CompanyState, webhookId: string): Target | undefined {
    const webhook = webhooksOf(company).get(webhookId)?.stored;
    if (!webhook?.direct) return undefined;
    return { tenant, webhookId, webhook, url: webhook.direct.url, isOn: webhook.enabled && company.profile?.status === 'active' };
  }
}

/*
 * The Standard Webhooks convention: the receiver computes the signature from id, time stamp and raw body, and compares it with each of the
 * signatures in the header.
 */

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The headers that identify and sign a message; one signature for each secret that is valid. */
function signedHeaders(id: string, seconds: number, body: string, secrets: readonly string[]): Readonly<Record<string, string>> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => `v1,${signature(secret, `${id}.${seconds}.${body}`)}`).join(' '),
  };
}

const signature = (secret: string, signed: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(signed)
    .digest('base64');

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
  readonly store: DeliveryStore;
  readonly source: EventSource;
  readonly slots: Slots;
  /** Whether this process delivers at this moment. */
  holds(): boolean;
  /** Records progress in the journal; returns the first of the ids that it has reserved. */
  readonly record: (target: Target, progress: WebhookProgressBody) => Promise<number>;
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
