import { chooseContact } from '../../../engine/index.js';
import { addressOf, type Address, type Contact, contactOf, contactValueOf, type PersonState } from '../../borrower/index.js';
import type { EvolveEnv } from '../../runtime/actor.js';
import type { SendOrder } from './order.js';

/** The contact that is named, or the one that the channel chooses (communications 1.5); null where the borrower has none. */
export const chosenContact = (person: PersonState, { contactId, channel }: Pick<SendOrder, 'contactId' | 'channel'>): Contact | null =>
  contactId === null ? chooseContact(person.contacts, channel) : (contactOf(person, contactId) ?? null);

/** Where the message goes, in clear: an e-mail address, a number, or the lines of an address. */
export function recipientOf(env: EvolveEnv, person: PersonState, contact: Contact): string {
  if (contact.contactType !== 'address') return contactValueOf(env, person, contact) ?? '';
  const address = addressOf(env, person, contact);
  return address === null ? '' : linesOf(address);
}

function linesOf({ addressLine1, addressLine2, POBox, city, state, postalCode, country }: Address): string {
  const place = [[city, state].filter(isSaid).join(', '), postalCode].filter(isSaid).join(' ');
  return [addressLine1, addressLine2, POBox === null ? null : `PO Box ${POBox}`, place, country].filter(isSaid).join('\n');
}

const isSaid = (text: string | null): text is string => text !== null && text !== '';
