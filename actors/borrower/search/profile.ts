import { openJson, openText, type Opener } from '../contact-fields.js';
import type { RepresentativeDetails } from '../legal-representatives.js';
import type { Address, Contact, NameParts, PersonState } from '../state.js';
import { digitsOf, wordsOf } from './query.js';
import { withSecretsOpen } from '../views.js';

/** Fields that are searched word by word. */
export type WordField =
  | 'id'
  | 'firstName'
  | 'middleName'
  | 'lastName'
  | 'maidenName'
  | 'businessName'
  | 'incorporatedState'
  | 'email'
  | 'address'
  | 'city'
  | 'state'
  | 'postalCode'
  | 'paymentMethod'
  | 'legalRepFirstName'
  | 'legalRepLastName'
  | 'legalRepEmail'
  | 'employeeName'
  | 'employeeEmail';

/** Fields that are searched by their digits. */
export type DigitField = 'phone' | 'taxId' | 'legalRepPhone' | 'employeePhone';

/** What a search may look at of one borrower: words in clear, in memory only, never stored. */
export interface SearchProfile {
  readonly id: string;
  readonly externalId: string | null;
  readonly borrowerType: string;
  readonly dateOfBirth: string | null;
  readonly emails: readonly string[];
  /** Of a business: of its contact persons. */
  readonly employeeEmails: readonly string[];
  readonly words: ReadonlyMap<WordField, readonly string[]>;
  readonly digits: ReadonlyMap<DigitField, readonly string[]>;
}

export function profileOf(state: PersonState, env: Opener): SearchProfile {
  const words = new Map<WordField, string[]>();
  const digits = new Map<DigitField, string[]>();
  const emails: string[] = [];
  const employeeEmails: string[] = [];
  const say = (field: WordField, text: string | null): void => {
    if (text) words.set(field, [...(words.get(field) ?? []), ...wordsOf(text)]);
  };
  const count = (field: DigitField, text: string | null): void => {
    if (text) digits.set(field, [...(digits.get(field) ?? []), digitsOf(text)]);
  };
  say('id', state.id);
  for (const name of state.names) {
    if (name.status === 'active') sayName(openJson<NameParts>(env, state.id, 'name', name.id, name.parts), say);
  }
  if (state.business) {
    say('businessName', openText(env, state.id, 'businessName', state.id, state.business.businessName));
    say('businessName', openText(env, state.id, 'businessLegalName', state.id, state.business.businessLegalName));
    say('incorporatedState', state.business.incorporatedState);
  }
  for (const identity of state.identities) {
    if (!identity.isArchived) count('taxId', openText(env, state.id, 'identity.value', identity.id, identity.value));
  }
  for (const contact of state.contacts) {
    if (contact.status === 'archived') continue;
    const value = openText(env, state.id, 'contact.value', contact.id, contact.value);
    if (isEmployee(state, contact)) {
      say('employeeName', openText(env, state.id, 'contact.name', contact.id, contact.name));
      if (contact.contactType === 'phone') count('employeePhone', value);
      else if (contact.contactType === 'email' && value !== null) {
        say('employeeEmail', value);
        employeeEmails.push(value);
      }
    }
    if (contact.contactType === 'phone') count('phone', value);
    else if (contact.contactType === 'email' && value !== null) {
      say('email', value);
      emails.push(value);
    } else sayAddress(openJson<Address>(env, state.id, 'contact.address', contact.id, contact.address), say);
  }
  for (const representative of state.legalRepresentatives) {
    if (representative.status === 'archived') continue;
    const details = openJson<RepresentativeDetails>(env, state.id, 'legalRepresentative', representative.id, representative.details);
    say('legalRepFirstName', details?.name?.firstName ?? null);
    say('legalRepLastName', details?.name?.lastName ?? null);
    for (const email of [details?.email, details?.otherEmail]) say('legalRepEmail', email ?? null);
    for (const phone of [details?.phone, details?.otherPhone]) count('legalRepPhone', phone ?? null);
  }
  for (const instrument of state.instruments) {
    if (instrument.deletedAt !== null) continue;
    const { details, nickname } = withSecretsOpen(env, state.id, instrument);
    say('paymentMethod', details.accountNumberLastFour ?? details.cardNumberLastFour ?? null);
    say('paymentMethod', nickname);
  }
  const { id, externalId, borrowerType } = state;
  const dateOfBirth = openText(env, id, 'dateOfBirth', id, state.dateOfBirth);
  return { id, externalId, borrowerType, dateOfBirth, emails, employeeEmails, words, digits };
}

/** A contact person of a business: a contact that has a name. */
const isEmployee = ({ borrowerType }: PersonState, { name }: Contact): boolean => borrowerType === 'business' && name !== null;

type Say = (field: WordField, text: string | null) => void;

function sayName(name: NameParts | null, say: Say): void {
  say('firstName', name?.firstName ?? null);
  say('firstName', name?.preferredFirstName ?? null);
  say('middleName', name?.middleName ?? null);
  say('lastName', name?.lastName ?? null);
  say('maidenName', name?.maidenLastName ?? null);
}

function sayAddress(address: Address | null, say: Say): void {
  if (!address) return;
  for (const line of [address.addressLine1, address.addressLine2, address.POBox]) say('address', line);
  say('city', address.city);
  say('state', address.state);
  say('postalCode', address.postalCode);
}
