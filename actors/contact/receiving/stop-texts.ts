import { contactOf, type PersonState } from '../../borrower/index.js';
import type { CommandSpec } from '../../kernel/actor.js';
import { CONTACT_EFFECTS } from '../interactions/on-contact.js';
import { INBOUND_ACTIONS } from './keywords.js';

interface StopTextsBody {
  readonly contactId: string;
}

/** Beside a text that stops: another borrower with the same number. No route leads here alone. */
export const stopTexts: CommandSpec<PersonState> = {
  kind: 'person',
  type: 'person.stopTexts',
  place: { on: 'target' },
  catchUpFirst: false,
  decide({ env, id: personId, state, body }) {
    const { contactId } = body as StopTextsBody;
    const isThere = contactOf(state, contactId) !== undefined;
    const facts = isThere
      ? INBOUND_ACTIONS.stopTexts.effects.flatMap((effect) => CONTACT_EFFECTS[effect](env, { personId, contactId }))
      : [];
    return { facts, reply: () => ({ data: { contactId } }) };
  },
};
