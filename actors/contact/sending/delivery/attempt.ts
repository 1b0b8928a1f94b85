import type { ContactOrigin, SendableChannel, StatusDetail } from '../../../../engine/index.js';
import type { DecideEnv } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { fact } from '../../interactions/evolve.js';
import type { Sender } from '../send/sender.js';
import { isSinkOf } from './delivery.js';

interface Attempt {
  readonly channel: SendableChannel;
  readonly origin: ContactOrigin;
  /** It has waited once for a moment that the guard named. */
  readonly isPostponed?: boolean;
}

/** What follows an attempt: the message is queued, or ends where its number cannot send. That of the test mode goes nowhere. */
export function attempted(
  env: DecideEnv,
  { channel, origin, isPostponed = false }: Attempt,
  { id: senderId, number }: Sender,
): readonly FactDraft[] {
  const statusDetails = number && faultOfNumber(number);
  if (statusDetails) return [fact('InteractionChanged', { changes: { status: 'failed', statusDetails } })];
  const waited = isPostponed ? ({ isPostponed } as const) : {};
  return [{ type: 'MessageQueued', body: { channel, senderId, origin, ...waited, isSink: isSinkOf(env.tenant.mode), at: env.now } }];
}

/**
 * A queued message that waits for the guard's next allowed moment, as a scheduled one: it is seen and canceled as such, and its moment
 * survives a restart.
 */
export const postponed = (sendAt: number): readonly FactDraft[] => [
  { type: 'MessageNotHandedOver', body: { nextAt: null, isPostponed: true } },
  fact('InteractionChanged', {
    changes: { status: 'scheduled', statusDetails: null, startedAt: null, sendAt, providerErrorCode: null, failure: null },
  }),
];

/** Numbers from which carriers take nothing. */
function faultOfNumber({ status, numberType, registrationStatus }: NonNullable<Sender['number']>): StatusDetail | null {
  if (status === 'suspended') return 'textAccountSuspended';
  return numberType === 'longCode' && registrationStatus !== 'registered' ? 'textA2PCampaignUnregistered' : null;
}
