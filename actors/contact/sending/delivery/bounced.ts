import { assert, type FeedbackSignal } from '../../../../engine/index.js';
import { contactOf, contactValueOf, type PersonState } from '../../../borrower/index.js';
import { refuse } from '../../../errors.js';
import type { CommandSpec, DecideEnv } from '../../../kernel/actor.js';
import { feedbackRecorded, type InteractionContent, type InteractionState } from '../../interactions/index.js';
import { openJson } from '../../interactions/sealing.js';
import { ofItself } from '../send/screened.js';
import { isCodeOf } from './unsubscribe.js';

/** A folder of mails that wait to be read. */
export interface Mailbox {
  /** The names of the oldest ones. */
  waiting(most: number): Promise<readonly string[]>;
  /** Its first bytes; a mail that somebody else has taken is null. */
  read(name: string, most: number): Promise<Uint8Array | null>;
  /** Removes one that is dealt with. */
  remove(name: string): Promise<void>;
  /** Puts one aside for people. */
  setAside(name: string): Promise<void>;
}

/** What a mail server reports of an e-mail and one of its recipients. */
export interface BouncedBody {
  readonly recipient: string;
  readonly signal: FeedbackSignal;
  /** The enhanced status code of RFC 3463. */
  readonly providerErrorCode: string | null;
}

/**
 * Records the report of a mail server. Anybody can write such a mail: it is believed only of an e-mail of the service, and of an address
 * that the e-mail went to. An address that the borrower has given up since stays as it is.
 */
export const bounced: CommandSpec<InteractionState, BouncedBody> = {
  kind: 'interaction',
  type: 'interaction.bounced',
  place: { on: 'target' },
  decide({ env, state, body: { recipient, ...feedback }, command }) {
    assert(command.actor.type === 'system', 'reports are read by the service');
    if (!wentTo(env, state, [recipient])) refuse('notFound', `No e-mail ${state.id} went to that recipient.`);
    const facts = feedbackRecorded(env, state, feedback).map((draft) => ofItself(state, draft));
    return {
      facts: isCurrent(env, state, recipient) ? facts : facts.filter(({ target }) => target === undefined),
      reply: () => ({ data: undefined }),
    };
  },
};

/** What a mailbox provider reports of a recipient who wants no such mail. */
export interface ComplainedBody {
  /** Addresses that the report names. Providers may have made them unreadable (RFC 6590). */
  readonly recipients: readonly string[];
  /** Of the link in the e-mail, which came back with it: only its recipients and their providers have it. */
  readonly unsubscribeCode: string | null;
}

/**
 * Records a complaint that came as mail, as a callback would. It is believed of an e-mail of the service by an address that the e-mail went
 * to, or by its own link. The refusal is the borrower's, so that it counts whichever address they have by now.
 */
export const complained: CommandSpec<InteractionState, ComplainedBody> = {
  kind: 'interaction',
  type: 'interaction.complained',
  place: { on: 'target' },
  decide({ env, state, body: { recipients, unsubscribeCode }, command }) {
    assert(command.actor.type === 'system', 'reports are read by the service');
    const isBelieved = wentTo(env, state, recipients) || (unsubscribeCode !== null && isCodeOf(env, state, unsubscribeCode));
    if (!isBelieved) refuse('notFound', `No e-mail ${state.id} went to the one who complains.`);
    return {
      facts: feedbackRecorded(env, state, { signal: 'emailReportedAsSpam' }).map((draft) => ofItself(state, draft)),
      reply: () => ({ data: undefined }),
    };
  },
};

/** Whether it is an e-mail of the service to one of the addresses. */
function wentTo(env: DecideEnv, state: InteractionState, addresses: readonly string[]): boolean {
  const { to = [] } = openJson<InteractionContent>(env, state, 'content') ?? {};
  const isOne = [to].flat().some((recipient) => addresses.some((address) => isSame(address, recipient)));
  return isOne && !state.isExternal && state.channel === 'email';
}

function isCurrent(env: DecideEnv, { personId, contactId }: InteractionState, recipient: string): boolean {
  const person = personId === null ? undefined : env.read<PersonState>('person', personId);
  const contact = person && contactId !== null ? contactOf(person, contactId) : undefined;
  return person !== undefined && contact !== undefined && isSame(contactValueOf(env, person, contact) ?? '', recipient);
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
