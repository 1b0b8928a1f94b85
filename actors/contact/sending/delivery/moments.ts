import { assert, type FeedbackSignal, isSendable, must, type SendableChannel } from '../../../../engine/index.js';
import { type Contact, contactOf, personOf } from '../../../borrower/index.js';
import { companyOf } from '../../../company/index.js';
import type { DecideEnv } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { feedbackRecorded, type InteractionContent, type InteractionState, sendMoved, type SendMoved } from '../../interactions/index.js';
import { openJson } from '../../interactions/sealing.js';
import { ofItself, stoppedNow } from '../send/screened.js';
import { addressedTo, isAddressedTo, recipientOf, senderOf } from '../send/sender.js';
import { attempted } from './attempt.js';
import { writtenNow } from '../../notices/write.js';

/**
 * The next moment of a message: its time of sending, or in test mode the time of the simulated report. Null if nothing more is due.
 */
export function messageMoment({ status, sendAt, delivery }: Pick<InteractionState, 'status' | 'sendAt' | 'delivery'>): number | null {
  if (status === 'scheduled') return sendAt;
  return delivery?.phase === 'sink' ? delivery.nextAt : null;
}

/** What the moment brings: facts of the interaction without a target, and of others with one. */
export const messageWork = (env: DecideEnv, state: InteractionState, at: number): readonly FactDraft[] => {
  if (state.status !== 'scheduled') return sinkReported(env, state, at);
  return state.plan === null ? sentAtLast(env, state) : writtenNow(env, state);
};

/** A message that was scheduled, or that waited for the guard's next allowed moment, is screened again when it is sent. */
function sentAtLast(env: DecideEnv, state: InteractionState): readonly FactDraft[] {
  const stopped = stoppedNow(env, state);
  if (stopped) return stopped.facts;
  const { channel, isTransactional, delivery } = state;
  assert(isSendable(channel), 'a message that waits is of a channel that sends');
  const personId = must(state.personId, 'the borrower of a waiting message');
  const { contactId } = state; // null for a message to agents
  const sender = senderOf(
    env,
    companyOf(env, env.tenant),
    personId,
    { ...state, channel, isTransactional: isTransactional ?? false },
    contactId,
  );
  const moved = sendMoved(env, state, {
    status: 'attempted',
    statusDetails: null,
    ...readdressed(env, state, channel, contactId === null ? undefined : contactOf(personOf(env, personId), contactId)),
  });
  return [
    ofItself(state, moved),
    ...attempted(env, { channel, origin: delivery?.origin ?? 'request', isPostponed: delivery?.isPostponed ?? false }, sender),
  ];
}

/** The message goes to the contact's current address or number, not to that at the time of the order. */
function readdressed(
  env: DecideEnv,
  state: InteractionState,
  channel: SendableChannel,
  contact: Contact | undefined,
): Pick<SendMoved, 'content' | 'contact'> {
  const content = openJson<InteractionContent>(env, state, 'content');
  if (content === null || contact === undefined || state.personId === null) return {};
  const recipient = recipientOf(env, personOf(env, state.personId), contact);
  return isAddressedTo(content, channel, recipient) ? {} : { contact, content: { ...content, ...addressedTo(channel, recipient) } };
}

function sinkReported(env: DecideEnv, state: InteractionState, at: number): readonly FactDraft[] {
  const { channel, status } = state;
  const reported: FactDraft = { type: 'SinkToldOf', body: { at } };
  if (status !== 'attempted' || !isSendable(channel)) return [reported]; // a report came from outside already
  const to = openJson<InteractionContent>(env, state, 'content')?.to ?? null;
  const signal = sinkSignal(channel, typeof to === 'string' ? to : (to?.[0] ?? null));
  return [reported, ...feedbackRecorded(env, state, { signal }).map((draft) => ofItself(state, draft))];
}

interface SinkRule {
  readonly channel: SendableChannel;
  readonly matches: RegExp;
  readonly signal: FeedbackSignal;
}

/** Recipients in test mode to which messages fail. */
const RULES: readonly SinkRule[] = [
  { channel: 'email', matches: /\+bounce(?=[@+.])/i, signal: 'emailBounced' },
  { channel: 'email', matches: /\+spam(?=[@+.])/i, signal: 'emailReportedAsSpam' },
  { channel: 'text', matches: /0001$/, signal: 'textLandlineOrUnreachableCarrier' },
];

/** Messages to all others arrive. */
const DELIVERED: Readonly<Record<SendableChannel, FeedbackSignal>> = {
  email: 'emailDelivered',
  text: 'textDelivered',
  mail: 'letterDelivered',
};

/** The simulated report of a message. `recipient` is null after its borrower was erased. */
const sinkSignal = (channel: SendableChannel, recipient: string | null): FeedbackSignal =>
  RULES.find((rule) => rule.channel === channel && rule.matches.test(recipient ?? ''))?.signal ?? DELIVERED[channel];
