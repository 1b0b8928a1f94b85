import type { Address } from '../../address.js';
import { openJson, openText, type Opener } from '../contact-fields.js';
import type { RepresentativeDetails } from '../legal-representatives.js';
import type { Contact, NameParts, PersonState } from '../state.js';
import { digitsOf, termsOf } from './query.js';
import { withSecretsOpen } from '../views.js';

/** Fields that are split into terms for the search. */
export type TermField =
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

/** Fields that are searched by their digits alone. */
export type DigitField = 'phone' | 'taxId' | 'legalRepPhone' | 'employeePhone';

/** All that a search can match of one borrower, in clear: in memory only, never stored. */
export interface SearchProfile {
  readonly id: string;
  readonly externalId: string | null;
  readonly borrowerType: string;
  readonly dateOfBirth: string | null;
  readonly emails: readonly string[];
  /** Addresses of the contact persons of a business. */
  readonly employeeEmails: readonly string[];
  /** Digits of archived telephone numbers: their senders are found by them, and no search is. */
  readonly archivedPhones: readonly string[];
  readonly terms: ReadonlyMap<TermField, readonly string[]>;
  readonly digits: ReadonlyMap<DigitField, readonly string[]>;
}

export function profileOf(state: PersonState, env: Opener): SearchProfile {
  const terms = new Map<TermField, string[]>();
  const digits = new Map<DigitField, string[]>();
  const emails: string[] = [];
  const employeeEmails: string[] = [];
  const archivedPhones: string[] = [];
  const addTerms = (field: TermField, text: string | null): void => {
    if (text) terms.set(field, [...(terms.get(field) ?? []), ...termsOf(text)]);
  };
  const addDigits = (field: DigitField, text: string | null): void => {
    if (text) digits.set(field, [...(digits.get(field) ?? []), digitsOf(text)]);
  };
  addTerms('id', state.id);
  for (const name of state.names) {
    if (name.status === 'active') addName(openJson<NameParts>(env, state.id, 'name', name.id, name.parts), addTerms);
  }
  if (state.business) {
    addTerms('businessName', openText(env, state.id, 'businessName', state.id, state.business.businessName));
    addTerms('businessName', openText(env, state.id, 'businessLegalName', state.id, state.business.businessLegalName));
    addTerms('incorporatedState', state.business.incorporatedState);
  }
  for (const identity of state.identities) {
    if (!identity.isArchived) addDigits('taxId', openText(env, state.id, 'identity.value', identity.id, identity.value));
  }
  for (const contact of state.contacts) {
    const value = openText(env, state.id, 'contact.value', contact.id, contact.value);
    if (contact.status === 'archived') {
      if (contact.contactType === 'phone' && value !== null) archivedPhones.push(digitsOf(value));
      continue;
    }
    if (isEmployee(state, contact)) {
      addTerms('employeeName', openText(env, state.id, 'contact.name', contact.id, contact.name));
      if (contact.contactType === 'phone') addDigits('employeePhone', value);
      else if (contact.contactType === 'email' && value !== null) {
        addTerms('employeeEmail', value);
        employeeEmails.push(value);
      }
    }
    if (contact.contactType === 'phone') addDigits('phone', value);
    else if (contact.contactType === 'email' && value !== null) {
      addTerms('email', value);
      emails.push(value);
    } else addAddress(openJson<Address>(env, state.id, 'contact.address', contact.id, contact.address), addTerms);
  }
  for (const representative of state.legalRepresentatives) {
    if (representative.status === 'archived') continue;
    const details = openJson<RepresentativeDetails>(env, state.id, 'legalRepresentative', representative.id, representative.details);
    addTerms('legalRepFirstName', details?.name?.firstName ?? null);
    addTerms('legalRepLastName', details?.name?.lastName ?? null);
    for (const email of [details?.email, details?.otherEmail]) addTerms('legalRepEmail', email ?? null);
    for (const phone of [details?.phone, details?.otherPhone]) addDigits('legalRepPhone', phone ?? null);
  }
  for (const instrument of state.instruments) {
    if (instrument.deletedAt !== null) continue;
    const { details, nickname } = withSecretsOpen(env, state.id, instrument);
    addTerms('paymentMethod', details.accountNumberLastFour ?? details.cardNumberLastFour ?? null);
    addTerms('paymentMethod', nickname);
  }
  const { id, externalId, borrowerType } = state;
  const dateOfBirth = openText(env, id, 'dateOfBirth', id, state.dateOfBirth);
  return { id, externalId, borrowerType, dateOfBirth, emails, employeeEmails, archivedPhones, terms, digits };
}

/** A contact person of a business: a contact that has a name. */
const isEmployee = ({ borrowerType }: PersonState, { name }: Contact): boolean => borrowerType === 'business' && name !== null;

type AddTerms = (field: TermField, text: string | null) => void;

function addName(name: NameParts | null, addTerms: AddTerms): void {
  addTerms('firstName', name?.firstName ?? null);
  addTerms('firstName', name?.preferredFirstName ?? null);
  addTerms('middleName', name?.middleName ?? null);
  addTerms('lastName', name?.lastName ?? null);
  addTerms('maidenName', name?.maidenLastName ?? null);
}

function addAddress(address: Address | null, addTerms: AddTerms): void {
  if (!address) return;
  for (const line of [address.addressLine1, address.addressLine2, address.POBox]) addTerms('address', line);
  addTerms('city', address.city);
  addTerms('state', address.state);
  addTerms('postalCode', address.postalCode);
}
