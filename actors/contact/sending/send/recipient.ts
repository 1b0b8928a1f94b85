import { chooseContact, type SendableChannel } from '../../../../engine/index.js';
import { addressOf, type Address, type Contact, contactOf, contactValueOf, type PersonState } from '../../../borrower/index.js';
import type { InteractionContent } from '../../interactions/types.js';
import type { EvolveEnv } from '../../../kernel/actor.js';
import type { SendOrder } from './order.js';

/** The contact that is named, or the one that the channel chooses; null where the borrower has none. */
export const chosenContact = (person: PersonState, { contactId, channel }: Pick<SendOrder, 'contactId' | 'channel'>): Contact | null =>
  contactId === null ? chooseContact(person.contacts, channel) : (contactOf(person, contactId) ?? null);

/** Where the message goes, in clear: an e-mail address, a number, or the lines of an address. */
export function recipientOf(env: EvolveEnv, person: PersonState, contact: Contact): string {
  if (contact.contactType !== 'address') return contactValueOf(env, person, contact) ?? '';
  const address = addressOf(env, person, contact);
  return address === null ? '' : linesOf(address);
}

type Addressed = Pick<InteractionContent, 'to' | 'address'>;

const ADDRESSED: Readonly<Record<SendableChannel, (to: string) => Addressed>> = {
  email: (to) => ({ to: [to] }),
  text: (to) => ({ to }),
  mail: (address) => ({ address }),
};

/** What of a content says where it goes. */
export const addressedTo = (channel: SendableChannel, to: string): Addressed => ADDRESSED[channel](to);

/** Whether a content goes to where the contact lies: one that was put right since is no longer written to at its old number. */
export const isAddressedTo = ({ to, address }: InteractionContent, channel: SendableChannel, recipient: string): boolean =>
  JSON.stringify(channel === 'mail' ? { address } : { to }) === JSON.stringify(addressedTo(channel, recipient));

function linesOf({ addressLine1, addressLine2, POBox, city, state, postalCode, country }: Address): string {
  const place = [[city, state].filter(isSaid).join(', '), postalCode].filter(isSaid).join(' ');
  return [addressLine1, addressLine2, POBox === null ? null : `PO Box ${POBox}`, place, country].filter(isSaid).join('\n');
}

const isSaid = (text: string | null): text is string => text !== null && text !== '';
