import type { Channel } from '../communication/index.js';

/** What of a contact decides whether a message can go there. */
export interface ChoosableContact {
  readonly contactType: 'email' | 'phone' | 'address';
  readonly label: 'personal' | 'work' | 'home' | 'military';
  readonly affiliation: string;
  readonly status: 'primary' | 'secondary' | 'additional' | 'archived';
  readonly valid: boolean;
  readonly receiveTextMessages: boolean;
  readonly authorizedThirdParty: boolean;
  readonly powerOfAttorney: boolean;
  readonly phoneDisconnectionDetails: { readonly disconnectionStatus: 'disconnected' | 'connected' | null } | null;
}

interface ChoiceRow {
  readonly contactType: ChoosableContact['contactType'];
  /** Those that are taken, the best first; null: all alike. */
  readonly labels: readonly ChoosableContact['label'][] | null;
  /** What counts first where a better status and a better label meet. */
  readonly first: 'status' | 'label';
  readonly needsTexts: boolean;
}

/** Which contact a channel takes by itself. A channel that is not here reaches nobody at an address of theirs. */
const CHOICES: Readonly<Partial<Record<Channel, ChoiceRow>>> = {
  email: { contactType: 'email', labels: null, first: 'status', needsTexts: false },
  text: { contactType: 'phone', labels: ['personal'], first: 'status', needsTexts: true },
  mail: { contactType: 'address', labels: ['home', 'work'], first: 'label', needsTexts: false },
  voice: { contactType: 'phone', labels: ['personal', 'home', 'work'], first: 'status', needsTexts: false },
};

const STATUSES: readonly string[] = ['primary', 'secondary', 'additional'];

/** Whether a message of the channel goes to a contact at all: a chat, a portal's text and a document do not. */
export const needsContact = (channel: Channel): boolean => CHOICES[channel] !== undefined;

/** The contact that a send takes when none is named; null where the borrower has none that can be used. */
export function chooseContact<Contact extends ChoosableContact>(contacts: readonly Contact[], channel: Channel): Contact | null {
  const row = CHOICES[channel];
  if (row === undefined) return null;
  const { contactType, labels, needsTexts } = row;
  let best: Contact | null = null;
  for (const contact of contacts) {
    const isFit =
      contact.contactType === contactType &&
      contact.affiliation === 'self' &&
      faultOfContact(contact, channel) === null &&
      (labels === null || labels.includes(contact.label)) &&
      (!needsTexts || contact.receiveTextMessages);
    if (isFit && (best === null || rankOf(contact, row) < rankOf(best, row))) best = contact;
  }
  return best;
}

/** More than there are labels and statuses. */
const RANK = 10;

function rankOf({ status, label }: ChoosableContact, { labels, first }: ChoiceRow): number {
  const byStatus = STATUSES.indexOf(status);
  const byLabel = labels === null ? 0 : labels.indexOf(label);
  return first === 'status' ? byStatus * RANK + byLabel : byLabel * RANK + byStatus;
}

/** Why a contact that was named cannot be used. */
export type ContactFault = 'archived' | 'wrongType' | 'invalid' | 'disconnected' | 'thirdParty';

/** What stands against a contact on a channel; null when nothing does. Naming one skips the search, not this. */
export function faultOfContact(contact: ChoosableContact, channel: Channel | null): ContactFault | null {
  const { contactType, status, valid, affiliation, authorizedThirdParty, powerOfAttorney, phoneDisconnectionDetails } = contact;
  const row = channel === null ? undefined : CHOICES[channel];
  if (status === 'archived') return 'archived';
  if (row !== undefined && row.contactType !== contactType) return 'wrongType';
  if (!valid) return 'invalid';
  if (phoneDisconnectionDetails?.disconnectionStatus === 'disconnected') return 'disconnected';
  return affiliation !== 'self' && !authorizedThirdParty && !powerOfAttorney ? 'thirdParty' : null;
}
