import { assert, type FeedbackSignal } from '../../../../engine/index.js';
import { contactOf, contactValueOf, type PersonState } from '../../../borrower/index.js';
import { refuse } from '../../../errors.js';
import type { CommandSpec, DecideEnv } from '../../../kernel/actor.js';
import { feedbackRecorded, type InteractionContent, type InteractionState } from '../../interactions/index.js';
import { openJson } from '../../interactions/sealing.js';
import { ofItself } from '../send/screened.js';

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
    const { to = [] } = openJson<InteractionContent>(env, state, 'content') ?? {};
    const isIts = [to].flat().some((address) => isSame(address, recipient));
    if (state.isExternal || state.channel !== 'email' || !isIts) refuse('notFound', `No e-mail ${state.id} went to that recipient.`);
    const facts = feedbackRecorded(env, state, feedback).map((draft) => ofItself(state, draft));
    return {
      facts: isCurrent(env, state, recipient) ? facts : facts.filter(({ target }) => target === undefined),
      reply: () => ({ data: undefined }),
    };
  },
};

function isCurrent(env: DecideEnv, { personId, contactId }: InteractionState, recipient: string): boolean {
  const person = personId === null ? undefined : env.read<PersonState>('person', personId);
  const contact = person && contactId !== null ? contactOf(person, contactId) : undefined;
  return person !== undefined && contact !== undefined && isSame(contactValueOf(env, person, contact) ?? '', recipient);
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
