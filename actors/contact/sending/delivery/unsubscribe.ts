import { companyOf } from '../../../company/index.js';
import { refuse } from '../../../errors.js';
import type { CommandSpec, DecideEnv, EvolveEnv, QuerySpec } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import type { FreeJson } from '../../../wire.js';
import type { InteractionState } from '../../interactions/index.js';
import { CONTACT_EFFECTS } from '../../interactions/recording.js';
import { UNSUBSCRIBE_PLACEHOLDER, unsubscribeUrlOfPortal } from '../../messages/index.js';
import type { OutgoingMessage } from './delivery.js';

/*
 * Who refuses e-mails by a link shows no credential but the link. Its code is sealed with the borrower's data key for this one message:
 * nobody else can make one, none fits another message, and with the borrower's erasure all end.
 */

/** What the link of a message is made of. */
export interface UnsubscribeLink {
  readonly code: string;
  /** Where the company's own portal would answer. */
  readonly portalUrl: string;
}

const SAID = 'unsubscribe';

const contextOf = (interactionId: string): string => `interaction.unsubscribe/${interactionId}`;

export function unsubscribeLink(env: DecideEnv, { id, contactId }: InteractionState, personId: string): UnsubscribeLink {
  const code = Buffer.from(env.seal(personId, SAID, contextOf(id))).toString('base64url');
  return { code, portalUrl: unsubscribeUrlOfPortal(companyOf(env, env.tenant), contactId) };
}

type Unlinked = Omit<OutgoingMessage, 'unsubscribeUrl'>;

/** The message with its link, also in its text. */
export function withLink(message: Unlinked, { code, portalUrl }: UnsubscribeLink, publicUrl: string | null): OutgoingMessage {
  const { company, mode, idempotencyKey } = message;
  const own = publicUrl === null ? null : `${publicUrl}/api/communicator/unsubscribe/${company}/${mode}/${idempotencyKey}/${code}`;
  return { ...message, content: filled(message.content, own ?? portalUrl), unsubscribeUrl: own };
}

const filled = (content: FreeJson, url: string): FreeJson =>
  Object.fromEntries(
    Object.entries(content).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(UNSUBSCRIBE_PLACEHOLDER, url) : value,
    ]),
  );

/** Throws as if nothing were there: who guesses learns nothing. */
function requireCode(env: EvolveEnv, state: InteractionState, code: string): void {
  if (!isCodeOf(env, state, code)) refuse('notFound', 'The link leads nowhere.');
}

/** Whether it is the code of this e-mail. */
export function isCodeOf(env: EvolveEnv, { id, personId, channel, isExternal }: InteractionState, code: string): boolean {
  const sealed = Buffer.from(code, 'base64url');
  const isOne = personId !== null && channel === 'email' && !isExternal && sealed.toString('base64url') === code;
  return isOne && openedOrNothing(env, personId, sealed, contextOf(id)) === SAID;
}

/** What is sealed otherwise, or by nobody, cannot be opened: the comparison of its tag takes the same time whatever differs. */
function openedOrNothing(env: EvolveEnv, personId: string, sealed: Uint8Array, context: string): string | undefined {
  try {
    return env.open(personId, sealed, context);
  } catch {
    return undefined; // a code that somebody has made up
  }
}

interface UnsubscribeBody {
  readonly code: string;
}

/** Whether a link is one, and nothing else. */
export const unsubscribable: QuerySpec<InteractionState, UnsubscribeBody> = {
  kind: 'interaction',
  type: 'interaction.unsubscribable',
  on: 'target',
  read({ state, env, query }) {
    requireCode(env, state, query.code);
    return {};
  },
};

/** Its recipient wants no more e-mails of this kind: marketing is refused, as by a complaint. A second time changes nothing. */
export const unsubscribe: CommandSpec<InteractionState, UnsubscribeBody> = {
  kind: 'interaction',
  type: 'interaction.unsubscribe',
  place: { on: 'target' },
  decide({ state, env, body }) {
    requireCode(env, state, body.code);
    const facts: readonly FactDraft[] = CONTACT_EFFECTS.marketingStopped(env, state);
    return { facts, reply: () => ({ data: {} }) };
  },
};
