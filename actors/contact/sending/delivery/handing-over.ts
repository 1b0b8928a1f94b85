import { assert, type FeedbackSignal, fieldOf, isRecord } from '../../../../engine/index.js';
import type { PersonState } from '../../../borrower/index.js';
import { companyOf, replyToOf } from '../../../company/index.js';
import { refuse } from '../../../errors.js';
import type { CommandContext, CommandSpec, DecideEnv, Decision } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { feedbackRecorded, type InteractionContent, type InteractionState } from '../../interactions/index.js';
import { openJson } from '../../interactions/sealing.js';
import { laterMoment, ofItself, type Stopped, stoppedNow } from '../send/screened.js';
import { postponed } from './attempt.js';
import { type Delivery, type DeliveryFacts, GIVEN_UP, type OutgoingMessage, retryAt, TAKEN } from './delivery.js';
import { type UnsubscribeLink, unsubscribeLink } from './unsubscribe.js';

/** The answer of an adapter. */
export interface HandedOverBody {
  readonly providerMessageId: string;
}

export interface NotHandedOverBody {
  /** Null: the provider was not reached, and the message is tried again. */
  readonly signal: FeedbackSignal | null;
  readonly providerErrorCode: string | null;
  /** From 0 to 1: the part of the longest random wait that is added to a retry. */
  readonly jitter?: number;
}

/** The reply after a failed attempt. */
interface FailedReply {
  /** It was the last attempt. */
  readonly isLast: boolean;
}

/** The reply at the start of an attempt: the message, or null if it is no longer to be sent. */
export interface TryReply {
  readonly message: (Omit<OutgoingMessage, 'unsubscribeUrl'> & { readonly unsubscribe: UnsubscribeLink | null }) | null;
}

/** Whether a reply is that of `interaction.tryDelivery`. */
export function isTryReply(data: unknown): data is TryReply {
  const message = fieldOf(data, 'message');
  return message === null || isRecord(message);
}

type Context<Body = unknown> = CommandContext<InteractionState, Body>;

const deliveryFact = <Type extends keyof DeliveryFacts>(type: Type, body: DeliveryFacts[Type]): FactDraft => ({ type, body });

/** Internal commands about outgoing messages, without a route. */
export const deliveryCommands: readonly CommandSpec<InteractionState>[] = [
  onWaiting('interaction.tryDelivery', ({ state, env }, delivery) => {
    if ((delivery.nextAt ?? 0) > env.now) refuse('invalidState', `The message ${state.id} is not due yet.`);
    const stops = stoppedNow(env, state); // at each attempt: a STOP, a block or quiet hours may have begun since it was queued
    if (stops) return { facts: stopped(env, delivery, stops), reply: () => ({ data: { message: null } satisfies TryReply }) };
    const message = messageOf(env, state, delivery);
    if (message === null) return { facts: givenUp(env, state, delivery), reply: () => ({ data: { message: null } satisfies TryReply }) };
    return { facts: [], reply: () => ({ data: { message } satisfies TryReply }) };
  }),
  onWaiting('interaction.handedOver', ({ state, env, body }: Context<HandedOverBody>, { channel }) => {
    const { providerMessageId } = body;
    return done([deliveryFact('MessageHandedOver', { providerMessageId }), ...feedback(env, state, TAKEN[channel], null)]);
  }),
  onWaiting('interaction.notHandedOver', ({ state, env, body }: Context<NotHandedOverBody>, delivery) => {
    const { signal, providerErrorCode, jitter = 0 } = body;
    if (signal !== null)
      return done([deliveryFact('MessageNotHandedOver', { nextAt: null }), ...feedback(env, state, signal, providerErrorCode)]);
    const nextAt = retryAt(delivery, env.now, jitter);
    const isLast = nextAt === null;
    const facts = isLast ? givenUp(env, state, delivery) : [deliveryFact('MessageNotHandedOver', { nextAt })];
    return { facts, reply: () => ({ data: { isLast } satisfies FailedReply }) };
  }),
];

function onWaiting<Body>(
  type: string,
  decide: (context: Context<Body>, delivery: Delivery) => Decision<InteractionState>,
): CommandSpec<InteractionState, Body> {
  return {
    kind: 'interaction',
    type,
    place: { on: 'target' },
    decide(context) {
      assert(context.command.actor.type === 'system', 'messages are handed over by the service');
      const { id, delivery, status } = context.state;
      if (delivery?.phase !== 'waiting' || status !== 'attempted')
        return refuse('invalidState', `The message ${id} is not waiting to be sent.`);
      return decide(context, delivery);
    },
  };
}

const done = (facts: readonly FactDraft[]): Decision<InteractionState> => ({ facts, reply: () => ({ data: undefined }) });

/** A message that may go later waits for that moment, once, and is screened again then; any other has failed. */
function stopped({ now }: DecideEnv, { isPostponed }: Delivery, stops: Stopped): readonly FactDraft[] {
  const later = isPostponed ? null : laterMoment(stops, now);
  return later === null ? [deliveryFact('MessageNotHandedOver', { nextAt: null }), ...stops.facts] : [...postponed(later), ...stops.logged];
}

/** The facts of a provider's signal, of the interaction and of the borrower. */
const feedback = (
  env: DecideEnv,
  state: InteractionState,
  signal: FeedbackSignal | null,
  providerErrorCode: string | null,
): readonly FactDraft[] =>
  signal === null ? [] : feedbackRecorded(env, state, { signal, providerErrorCode }).map((draft) => ofItself(state, draft));

const givenUp = (env: DecideEnv, state: InteractionState, { channel }: Delivery): readonly FactDraft[] => [
  deliveryFact('MessageNotHandedOver', { nextAt: null }),
  ...feedback(env, state, GIVEN_UP[channel], null),
];

/** Null after the borrower was erased. */
function messageOf(env: DecideEnv, state: InteractionState, { channel, senderId }: Delivery): TryReply['message'] {
  const content = openJson<InteractionContent>(env, state, 'content');
  const {
    id: idempotencyKey,
    tenant: { company, mode },
    mailIsCertified,
    personId,
  } = state;
  const person = personId === null ? undefined : env.read<PersonState>('person', personId);
  if (content === null || !person) return null;
  const isMail = channel === 'email';
  return {
    idempotencyKey,
    company,
    mode,
    personId: person.id,
    channel,
    content: { ...content },
    mailIsCertified,
    isTransactional: state.isTransactional ?? false,
    replyTo: isMail && senderId !== null ? replyToOf(companyOf(env, env.tenant), senderId) : null,
    unsubscribe: isMail && state.contactId !== null ? unsubscribeLink(env, state, person.id) : null,
  };
}
