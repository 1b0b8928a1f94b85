import type { ContactOrigin, SendableChannel, StatusDetail } from '../../../../engine/index.js';
import type { DecideEnv } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { fact } from '../../interactions/evolve.js';
import type { Sender } from '../send/sender.js';
import { isSinkOf } from './delivery.js';

interface Attempt {
  readonly channel: SendableChannel;
  readonly origin: ContactOrigin;
}

/** What follows an attempt: the message is queued, or ends where its number cannot send. That of the test mode goes nowhere. */
export function attempted(env: DecideEnv, { channel, origin }: Attempt, { id: senderId, number }: Sender): readonly FactDraft[] {
  const statusDetails = number && faultOfNumber(number);
  if (statusDetails) return [fact('InteractionChanged', { changes: { status: 'failed', statusDetails } })];
  return [{ type: 'MessageQueued', body: { channel, senderId, origin, isSink: isSinkOf(env.tenant.mode), at: env.now } }];
}

/** Numbers from which carriers take nothing. */
function faultOfNumber({ status, numberType, registrationStatus }: NonNullable<Sender['number']>): StatusDetail | null {
  if (status === 'suspended') return 'textAccountSuspended';
  return numberType === 'longCode' && registrationStatus !== 'registered' ? 'textA2PCampaignUnregistered' : null;
}
