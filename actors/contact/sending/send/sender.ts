import type { SendableChannel } from '../../../../engine/index.js';
import type { Address } from '../../../address.js';
import { addressOf, type Contact, contactOf, contactValueOf, type PersonState } from '../../../borrower/index.js';
import { type CompanyState, sendingDomainFor, type SendingNumber, sendingNumberFor } from '../../../company/index.js';
import type { DecideEnv, EvolveEnv } from '../../../kernel/actor.js';
import type { LoanState } from '../../../loan/index.js';
import { contactFor } from '../../guard/index.js';
import type { InteractionState } from '../../interactions/index.js';
import type { InteractionContent } from '../../interactions/types.js';
import type { SendOrder } from './order.js';

/** The sender of a message. */
export interface Sender {
  /** Id of the mail domain or number; null: the operator's own. */
  readonly id: string | null;
  /** The sender that the recipient sees; null: that of the operator's adapter. */
  readonly from: string | null;
  readonly number: SendingNumber | null;
}

const OPERATORS: Sender = { id: null, from: null, number: null };

/** The company's own domain or number, else its base setting, else the operator's with the company's brand. */
export function senderOf(
  env: DecideEnv,
  company: CompanyState,
  personId: string,
  order: Pick<SendOrder, 'channel' | 'isTransactional' | 'loanIds'>,
  contactId: string | null,
): Sender {
  switch (order.channel) {
    case 'email':
      return mailSender(company, order.isTransactional);
    case 'text':
      return textSender(env, company, personId, order.loanIds, contactId);
    case 'mail':
      return OPERATORS;
  }
}

function mailSender(company: CompanyState, isTransactional: boolean): Sender {
  const domain = sendingDomainFor(company, isTransactional);
  if (domain === null) return { ...OPERATORS, from: baseSetting(company, 'email_from') };
  const address = `${domain.fromLocalPart}@${domain.domain}`;
  const name = domain.fromDisplayName ?? brandOf(company);
  return { id: domain.id, from: name === null ? address : `"${name.replace(/["\\]/g, '\\$&')}" <${address}>`, number: null };
}

/** The sender of what is about no loan and no borrower, with where answers go. */
export function senderOfCompany(
  company: CompanyState,
  channel: 'email' | 'text',
): { readonly from: string | null; readonly replyTo: string | null } {
  if (channel === 'email') return { from: mailSender(company, true).from, replyTo: sendingDomainFor(company, true)?.replyTo ?? null };
  const number = sendingNumberFor(company, { channel, lastNumberId: null, loanTypeId: null });
  return { from: number?.number ?? baseSetting(company, 'text_from_number'), replyTo: null };
}

function textSender(env: DecideEnv, company: CompanyState, personId: string, loanIds: readonly string[], contactId: string | null): Sender {
  const [loanId] = loanIds;
  const loanTypeId = loanId === undefined ? null : (env.read<LoanState>('loan', loanId)?.record?.loanTypeId ?? null);
  const number = sendingNumberFor(company, { channel: 'text', lastNumberId: lastNumberOf(env, personId, contactId), loanTypeId });
  return number === null
    ? { ...OPERATORS, from: baseSetting(company, 'text_from_number') }
    : { id: number.id, from: number.number, number };
}

/** The number from which the contact got the last message. */
function lastNumberOf(env: DecideEnv, personId: string, contactId: string | null): string | null {
  const { rows } = env.list('interaction', {
    parentId: personId,
    limit: 1,
    matches: ({ fields }) =>
      fields['channel'] === 'text' &&
      fields['contactId'] === contactId &&
      fields['direction'] === 'outbound' &&
      fields['isExternal'] === false,
  });
  const [row] = rows;
  return row === undefined ? null : (env.read<InteractionState>('interaction', row.id)?.delivery?.senderId ?? null);
}

function baseSetting({ profile }: CompanyState, name: 'email_from' | 'text_from_number'): string | null {
  const value = profile?.communication[name];
  return typeof value === 'string' ? value : null;
}

const brandOf = ({ profile }: CompanyState): string | null => profile?.brandName ?? profile?.name ?? null;

/** The given contact, or the one that the channel chooses; null if the borrower has none. */
export const chosenContact = (
  env: DecideEnv,
  person: PersonState,
  { contactId, channel }: Pick<SendOrder, 'contactId' | 'channel'>,
): Contact | null => (contactId === null ? contactFor(env, person, channel) : (contactOf(person, contactId) ?? null));

/** The recipient in clear: an e-mail address, a number, or the lines of an address. */
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

/** The fields of a content that have the recipient. */
export const addressedTo = (channel: SendableChannel, to: string): Addressed => ADDRESSED[channel](to);

/** Whether a content is addressed to the contact's current address or number, which may have been corrected since. */
export const isAddressedTo = ({ to, address }: InteractionContent, channel: SendableChannel, recipient: string): boolean =>
  JSON.stringify(channel === 'mail' ? { address } : { to }) === JSON.stringify(addressedTo(channel, recipient));

function linesOf({ addressLine1, addressLine2, POBox, city, state, postalCode, country }: Address): string {
  const cityLine = [[city, state].filter(isSaid).join(', '), postalCode].filter(isSaid).join(' ');
  return [addressLine1, addressLine2, POBox === null ? null : `PO Box ${POBox}`, cityLine, country].filter(isSaid).join('\n');
}

const isSaid = (text: string | null): text is string => text !== null && text !== '';
