import { actorView, type ActorView } from '../actor-view.js';
import type { StoredEvent } from '../fact.js';

export interface EventView {
  readonly id: string;
  readonly object: 'event';
  readonly eventType: string;
  readonly companyId: string;
  readonly mode: string;
  readonly apiVersion: string;
  readonly createdAt: string;
  readonly occurredAt: string;
  readonly sequence: number;
  readonly orderKey: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly personId: string | null;
  readonly loanId: string | null;
  readonly drawId: string | null;
  readonly caseId: string | null;
  readonly transactionId: string | null;
  readonly interactionId: string | null;
  readonly externalIds: Readonly<Record<string, string>>;
  readonly actor: ActorView;
  readonly isReplay: boolean;
  readonly data: unknown;
  /** With `hydrate`: the related object as its own GET returns it; null when there is no more. */
  readonly hydrated?: unknown;
}

/** The one version of the interface that is implemented. */
export const API_VERSION = '2023-11-29';

export function eventView(event: StoredEvent): EventView {
  const { refs } = event;
  return {
    id: event.id,
    object: 'event',
    eventType: event.eventType,
    companyId: event.tenant.company,
    mode: event.tenant.mode,
    apiVersion: API_VERSION,
    createdAt: stampText(event.stamp),
    occurredAt: new Date(event.occurredAt).toISOString(),
    sequence: event.sequence,
    orderKey: event.orderKey,
    objectType: event.objectType,
    objectId: event.objectId,
    personId: refs.personId ?? null,
    loanId: refs.loanId ?? null,
    drawId: refs.drawId ?? null,
    caseId: refs.caseId ?? null,
    transactionId: refs.transactionId ?? null,
    interactionId: refs.interactionId ?? null,
    externalIds: Object.fromEntries(
      Object.entries(event.externalIds ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
    actor: actorView(event.by),
    isReplay: event.isReplay,
    data: event.data,
  };
}

/** Microseconds of a stamp as ISO 8601 in UTC. */
function stampText(stamp: number): string {
  const text = new Date(Math.floor(stamp / 1000)).toISOString();
  return `${text.slice(0, -1)}${(stamp % 1000).toString().padStart(3, '0')}Z`;
}
