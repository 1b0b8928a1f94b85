import { type DeliveryAdapter, MessageRefused, type WebhookProgressBody } from '../../actors/index.js';
import { ask } from '../answers.js';
import type { EngineCalls } from '../engine-calls.js';
import { LIMITS } from '../limits.js';
import type { Target } from './directory.js';

export interface DisabledNoticesParts {
  /** The engine of the shared shard, which has the companies. */
  readonly engine: () => Pick<EngineCalls, 'query'>;
  /** Sends e-mails; null: nothing does. */
  readonly mail: Pick<DeliveryAdapter, 'submit'> | null;
  readonly record: (target: Target, progress: WebhookProgressBody) => Promise<unknown>;
  /** Machine time. */
  readonly nowMs: () => number;
  readonly report: (message: string, details: Readonly<Record<string, unknown>>) => void;
}

/**
 * Sends a company an e-mail that the service has disabled a webhook, once each time. That it is due stands in the journal, and it has the
 * same key at each try, so that a mailbox shows what was sent before a crash once.
 */
export class DisabledNotices {
  /** Failures so far, and when the next try is, by webhook. */
  readonly #failed = new Map<string, { readonly tries: number; readonly nextAt: number }>();
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(private readonly parts: DisabledNoticesParts) {}

  /** Begins to send the notice, if one is due. */
  notify(target: Target): void {
    const { webhookId, webhook } = target;
    if (webhook.isNoticeDue !== true || this.#underWay.has(webhookId)) return;
    if (this.parts.nowMs() < (this.#failed.get(webhookId)?.nextAt ?? 0)) return;
    const sending = this.#notify(target)
      .catch((cause: unknown) => this.#report('The notice that a webhook was disabled is not recorded yet.', target, cause))
      .finally(() => this.#underWay.delete(webhookId));
    this.#underWay.set(webhookId, sending);
  }

  /** Resolves when no e-mail is under way. */
  async sent(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  async #notify(target: Target): Promise<void> {
    const isOver = await this.#hasSent(target).catch((cause: unknown) => this.#hasFailed(target, cause));
    if (!isOver) return;
    this.#failed.delete(target.webhookId);
    await this.parts.record(target, { isNoticeDue: false });
  }

  async #hasSent(target: Target): Promise<boolean> {
    const { engine, mail } = this.parts;
    const { tenant, webhookId, webhook } = target;
    const query = { permission: 'webhook:update' };
    const asked = { ...tenant, type: 'message.mailToUsers', target: tenant.company, params: {}, query, permissions: NOTHING } as const;
    const { to, from, replyTo, companyName } = await ask(engine(), asked);
    if (mail === null || to.length === 0) {
      this.#report('No notice that a webhook was disabled: no user with an e-mail address may change it.', target);
      return true;
    }
    const said = { subjectLine: `${companyName}: the webhook ${webhookId} was disabled`, contentText: textOf(target) };
    await mail.submit(
      {
        idempotencyKey: `webhook-disabled-${webhookId}-${webhook.progress.number}`,
        ...tenant,
        personId: '',
        channel: 'email',
        content: { ...(from === null ? {} : { from }), to, ...said },
        mailIsCertified: false,
        isTransactional: true,
        replyTo,
        unsubscribeUrl: null,
      },
      () => Promise.resolve([]),
    );
    return true;
  }

  /** Whether it is given up. */
  #hasFailed(target: Target, cause: unknown): boolean {
    const tries = (this.#failed.get(target.webhookId)?.tries ?? 0) + 1;
    const isOver = cause instanceof MessageRefused || tries >= LIMITS.webhookNoticeTries;
    this.#failed.set(target.webhookId, { tries, nextAt: this.parts.nowMs() + LIMITS.webhookNoticeRetryMs });
    this.#report('The e-mail about a disabled webhook could not be sent.', target, cause);
    return isOver;
  }

  #report(message: string, { tenant, webhookId }: Target, cause?: unknown): void {
    this.parts.report(message, { webhookId, companyId: tenant.company, ...(cause instanceof Error ? { cause: cause.message } : {}) });
  }
}

const NOTHING: ReadonlySet<string> = new Set();

/** The query of an address may hold a secret: it is not shown. */
function textOf({ webhookId, url }: Target): string {
  const { origin, pathname } = new URL(url);
  return [
    `The webhook ${webhookId} to ${origin}${pathname} was disabled: no delivery of three days succeeded, or its receiver answered 410.`,
    'It gets no events until it is enabled again (PUT /webhooks/{webhookId} with "enabled": true).',
    'Events of the time in between are sent by a replay (POST /webhooks/{webhookId}/replay).',
  ].join('\n\n');
}
