import type { WebhookView } from '../../actors/index.js';
import type { MessageView } from '../../gateway/index.js';
import { inParallel } from './service-client.js';
import type { RunningService } from './commands/running-service.js';

/** The state of a webhook, for an operator. */
export interface EndpointState {
  readonly id: string;
  readonly state: 'healthy' | 'failing' | 'disabled' | 'disabledByFailures';
  /** Null for a webhook without a receiver of the lender. */
  readonly url: string | null;
  readonly eventTypes: readonly string[];
  /** Messages that wait to be sent, or sent again; `isMore`: there are more than were counted, and later events wait in the log. */
  readonly waiting: { readonly count: number; readonly isMore: boolean; readonly since: string | null };
  readonly lastSuccessAt: string | null;
}

/** Messages that a webhook holds in memory; those that are parked for hours come on top. */
const MOST_WAITING = 1_000;
const AT_ONCE = 4;

export async function endpointStates(service: RunningService): Promise<readonly EndpointState[]> {
  return inParallel(await service.list<WebhookView>('/webhooks'), AT_ONCE, (webhook) => stateOf(service, webhook));
}

async function stateOf(
  service: RunningService,
  { id, enabled, status, eventTypes, webhookDirectDetails }: WebhookView,
): Promise<EndpointState> {
  const messages = (wanted: MessageView['status'], most: number): Promise<readonly MessageView[]> =>
    webhookDirectDetails === null ? Promise.resolve([]) : service.list<MessageView>(`/webhooks/${id}/messages?status=${wanted}`, most);
  const [pending, [newest]] = await Promise.all([messages('pending', MOST_WAITING + 1), messages('delivered', 1)]);
  return {
    id,
    state: enabled || status === 'disabledByFailures' ? status : 'disabled',
    url: webhookDirectDetails && withoutQuery(webhookDirectDetails.webhookUrl),
    eventTypes,
    waiting: {
      count: Math.min(pending.length, MOST_WAITING),
      isMore: pending.length > MOST_WAITING,
      since: pending.at(-1)?.createdAt ?? null,
    },
    lastSuccessAt: newest?.deliveredAt ?? null,
  };
}

/** Without the query, which may hold a secret. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
