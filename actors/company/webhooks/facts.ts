import { must } from '../../../engine/index.js';
import { putRecord, type ResourceRecord, recordsOf } from '../../kernel/resources/index.js';
import type { Fact } from '../../kernel/fact.js';
import type { CompanyState } from '../state.js';
import { ROTATION_MS, type Webhook, WEBHOOK, type WebhookStatus } from './webhook.js';

/** What can happen to a webhook. Its deletion is `ResourceRemoved`, as for all resources. */
export interface WebhookFacts {
  readonly WebhookCreated: { readonly id: string; readonly webhook: Omit<Webhook, 'progress' | 'status'> };
  readonly WebhookUpdated: { readonly id: string; readonly webhook: Omit<Webhook, 'progress' | 'status'> };
  readonly WebhookSecretRotated: { readonly id: string; readonly sealed: Uint8Array };
  /** Progress of the delivery: the status of the receiver, and the stamp up to which messages are settled. */
  readonly WebhookProgressed: {
    readonly id: string;
    readonly status?: WebhookStatus;
    readonly through?: number;
    readonly isNoticeDue?: boolean;
  };
}

type Apply = { [Type in keyof WebhookFacts]: (state: CompanyState, body: WebhookFacts[Type], fact: Fact) => void };

export const APPLY_TO_WEBHOOKS: Apply = {
  WebhookCreated(state, { id, webhook }, fact) {
    const stored: Webhook = { ...webhook, status: 'healthy', progress: { through: fact.stamp, number: 1 } };
    putRecord(state, WEBHOOK.type, { id, parentId: null, stored, createdAt: fact.businessAt, updatedAt: null });
  },
  /** A webhook that is enabled again gets no events of the time while it was disabled, and starts as healthy. */
  WebhookUpdated(state, { id, webhook }, fact) {
    const before = recordOf(state, id);
    const isBack = webhook.enabled && !before.stored.enabled;
    const { status, progress } = before.stored;
    const resumed = isBack
      ? ({ status: 'healthy', isNoticeDue: false, progress: { through: fact.stamp, number: progress.number + 1 } } as const)
      : { status, progress };
    putRecord(state, WEBHOOK.type, { ...before, stored: { ...webhook, ...resumed }, updatedAt: fact.businessAt });
  },
  WebhookSecretRotated(state, { id, sealed }, fact) {
    const before = recordOf(state, id);
    const direct = must(before.stored.direct, 'a secret signs direct deliveries');
    const until = Math.floor(fact.stamp / 1000) + ROTATION_MS;
    const [newest] = direct.secrets;
    const secrets = [{ sealed, until: null }, ...(newest ? [{ ...newest, until }] : [])];
    putRecord(state, WEBHOOK.type, { ...before, stored: { ...before.stored, direct: { ...direct, secrets } }, updatedAt: fact.businessAt });
  },
  WebhookProgressed(state, { id, status, through, isNoticeDue = recordOf(state, id).stored.isNoticeDue }) {
    const before = recordOf(state, id);
    const { stored } = before;
    const progress = through === undefined ? stored.progress : { through, number: stored.progress.number + 1 };
    const enabled = status === 'disabledByFailures' ? false : stored.enabled;
    putRecord(state, WEBHOOK.type, {
      ...before,
      stored: { ...stored, enabled, status: status ?? stored.status, ...(isNoticeDue === undefined ? {} : { isNoticeDue }), progress },
    });
  },
};

/** The webhooks of a company, in the order of their creation. The map stays the same object until one changes. */
export const webhooksOf = (state: CompanyState): ReadonlyMap<string, ResourceRecord<Webhook>> => recordsOf<Webhook>(state, WEBHOOK.type);

const recordOf = (state: CompanyState, id: string): ResourceRecord<Webhook> =>
  must(webhooksOf(state).get(id), `a change of the unknown webhook ${id}`);
