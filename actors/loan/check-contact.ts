import { contactOf, type PersonState } from '../borrower/index.js';
import { refuse } from '../errors.js';
import type { CommandContext } from '../kernel/actor.js';
import { recordOf } from './context.js';
import type { LoanState } from './state.js';

/** How a letter or a check goes to the borrower, and the kind of contact that it needs. */
const CONTACT_TYPES = { email: 'email', mail: 'address' } as const;

export type LetterChannel = keyof typeof CONTACT_TYPES;

export const typeOfContact = (channel: LetterChannel): (typeof CONTACT_TYPES)[LetterChannel] => CONTACT_TYPES[channel];

const CHANNELS: readonly LetterChannel[] = ['email', 'mail'];

export interface Addressed {
  readonly contactId?: string | null;
  /** Any of them when none is named. */
  readonly channels?: readonly LetterChannel[];
}

/** 422 unless the contact that a body names is the borrower's and can be reached by one of the channels. */
export function checkContact({ state, env }: CommandContext<LoanState>, { contactId, channels = [] }: Addressed): void {
  if (contactId == null) return;
  const types: readonly string[] = (channels.length === 0 ? CHANNELS : channels).map((channel) => CONTACT_TYPES[channel]);
  const expected = `a contact of the borrower of type ${types.join(' or ')}`;
  const fault = (message: string): never =>
    refuse('ruleViolation', `Nothing can be sent to the contact ${contactId}: ${message}.`, {
      errors: [{ path: 'contactId', expected, message }],
    });
  const person = env.read<PersonState>('person', recordOf(state).personId);
  const contact = person && contactOf(person, contactId);
  if (contact === undefined) return fault('there is no such object');
  if (!types.includes(contact.contactType)) fault(`it is of type ${contact.contactType}`);
  if (contact.status === 'archived') fault('it is archived');
}
