import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { createHash } from 'node:crypto';
import type { tags } from 'typia';
import { ownJson, zoneOfZip } from '../../engine/index.js';
import { type Address, type AddressBody, addressFaults, fullAddress, isOfUnitedStates } from '../address.js';
import { type Fault, refuse, refuseProperty } from '../errors.js';
import type { EvolveEnv } from '../kernel/actor.js';
import type { AnyId, DateText, DateTimeText, LongExternalId, ShortText } from '../wire.js';
import {
  type Affiliation,
  type Contact,
  type ContactLabel,
  type ContactStatus,
  type ContactType,
  type DisconnectionDetails,
  isReachable,
  type NumberCheck,
  type PersonState,
  type Recorded,
  type Sealed,
} from './state.js';

/** The wire of contacts. */

interface ContactFieldsBody {
  readonly externalId?: LongExternalId | null;
  readonly status?: ContactStatus;
  readonly affiliation?: Affiliation;
  /** An e-mail address or a telephone number in E.164; an address has none. */
  readonly value?: (string & tags.MinLength<1> & tags.MaxLength<320>) | null;
  readonly address?: AddressBody | null;
  /** Of third parties. */
  readonly name?: ShortText | null;
  readonly valid?: boolean;
  readonly verified?: boolean;
  readonly receiveTextMessages?: boolean;
  readonly authorizedThirdParty?: boolean;
  readonly powerOfAttorney?: boolean;
  readonly phoneDisconnectionDetails?: {
    readonly disconnectionStatus?: 'disconnected' | 'connected' | null;
    readonly lastDisconnectCheckDate?: DateText | null;
    readonly lastKnownConnectionDate?: DateText | null;
  } | null;
  readonly caseId?: AnyId | null;
}

export interface ContactCreateBody extends ContactFieldsBody {
  readonly contactType: ContactType;
  readonly label: ContactLabel;
}

export interface ContactUpdateBody extends ContactFieldsBody {
  readonly contactType?: ContactType;
  readonly label?: ContactLabel;
}

export interface ContactWriteQuery {
  /** Addresses are checked unless this is false. */
  readonly validate?: boolean;
  readonly confirmationCode?: string & tags.Pattern<'^\\d{6}$'>;
}

export interface AddressView {
  readonly object: 'address';
  readonly addressLine1: string | null;
  readonly addressLine2: string | null;
  readonly city: string | null;
  readonly countyOrRegion: string | null;
  readonly state: string | null;
  readonly postalCode: string | null;
  readonly country: string | null;
  readonly POBox: string | null;
  readonly fipsCode: string | null;
  readonly timezone: string | null;
}

interface NumberCheckView extends Omit<NumberCheck, 'checkedOn'> {
  /** The day of the list. */
  readonly checkedOn: DateText;
}

export interface ContactView {
  readonly id: string;
  readonly object: 'contact';
  readonly personId: string;
  readonly companyId: string;
  readonly externalId: string | null;
  readonly contactType: ContactType;
  readonly label: ContactLabel;
  readonly affiliation: Affiliation;
  readonly status: ContactStatus;
  /** In replies to writes an opaque token; in replies to reads the value. */
  readonly value: string | null;
  readonly address: AddressView | null;
  readonly name: string | null;
  readonly valid: boolean;
  readonly verified: boolean;
  readonly receiveTextMessages: boolean;
  readonly receiveTextMessagesLastConsentAt: DateTimeText | null;
  readonly authorizedThirdParty: boolean;
  readonly powerOfAttorney: boolean;
  readonly phoneDisconnectionDetails: DisconnectionDetails | null;
  /** What lists of numbers have said last: one a list. */
  readonly numberChecks: readonly NumberCheckView[];
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

/** Converts a telephone number with any separators to E.164. */
export const phoneNumber = (text: string, path: string): string =>
  phoneNumberOf(text) ??
  refuseProperty(
    path,
    'a number in E.164 such as +12025550143',
    'The value is not a phone number. Send it in E.164, such as +12025550143.',
  );

/** Null if the text is not a telephone number. */
export function phoneNumberOf(text: string): string | null {
  const known = parsePhoneNumberFromString(text);
  return known?.isValid() && known.ext === undefined ? known.number : null;
}

/** What the fields of a new contact show by themselves. An address is not looked at when the query says so. */
export function contactFaults(
  { contactType, value, address }: Partial<ContactCreateBody>,
  { validate = true }: ContactWriteQuery,
): readonly Fault[] {
  if (contactType === undefined) return [];
  const ofAddress = address == null || (contactType === 'address' && !validate) ? [] : addressFaultsOf(contactType, address);
  return [...(value == null ? [] : valueFaults(contactType, value)), ...ofAddress];
}

function valueFaults(contactType: ContactType, value: string): readonly Fault[] {
  const path = 'value';
  switch (contactType) {
    case 'phone':
      if (phoneNumberOf(value) !== null) return [];
      return [{ path, expected: 'a number in E.164 such as +12025550143', message: 'value is not a phone number' }];
    case 'email':
      if (isMailbox(value.trim().toLowerCase())) return [];
      return [{ path, expected: 'an e-mail address', message: 'value is not an e-mail address' }];
    case 'address':
      return [{ path, expected: 'nothing: only e-mail and phone contacts have it', message: 'value cannot be set on an address' }];
  }
}

const addressFaultsOf = (contactType: ContactType, address: AddressBody): readonly Fault[] =>
  contactType === 'address'
    ? addressFaults(fullAddress(address), 'address')
    : [{ path: 'address', expected: 'nothing: only an address has it', message: 'only a contact of type address has an address' }];

/** Maximum length of an e-mail address (RFC 5321, 4.5.3.1). */
const MOST_LETTERS = 254;
/** An e-mail address: a local part of characters that need no quotes, and a domain with a dot (RFC 5322, 3.4.1). */
const MAILBOX =
  /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@([\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])$/u;

const isMailbox = (text: string): boolean => text.length <= MOST_LETTERS && text.indexOf('@') <= 64 && MAILBOX.test(text);

/** Converts an e-mail address to lower case. */
export function emailAddress(text: string, path: string): string {
  const mailbox = text.trim().toLowerCase();
  if (isMailbox(mailbox)) return mailbox;
  return refuseProperty(path, 'an e-mail address', 'The value is not an e-mail address.');
}

/** The contact that an id of the path or of a body names. */
export const findContact = ({ contacts }: PersonState, anyId: string): Contact | undefined =>
  contacts.find(({ id, externalId }) => id === anyId || (externalId !== null && `ext-${externalId}` === anyId));

/**
 * Personal data is sealed field by field with the borrower's key. The context binds each sealed text to its field
 * and record: it cannot be opened under another field or record.
 */
export type SealedField =
  | 'name'
  | 'dateOfBirth'
  | 'businessName'
  | 'businessLegalName'
  | 'identity.value'
  | 'contact.value'
  | 'contact.address'
  | 'contact.name'
  | 'contact.code'
  | 'instrument.accountNumber'
  | 'instrument.accountHolderName'
  | 'instrument.personal'
  | 'instrument.card'
  | 'instrument.microDeposits'
  | 'instrument.accessToken'
  | 'legalRepresentative'
  | 'document.texts'
  | 'document.key'
  | 'monitoring.hit';

export interface Sealer {
  seal(owner: string, plain: string, context: string): Uint8Array;
}

export interface Opener {
  open(owner: string, sealed: Uint8Array, context: string): string | undefined;
}

const contextOf = (field: SealedField, recordId: string): string => `${field}/${recordId}`;

/** `recordId` is the id of the name, contact or other record of the borrower, or the borrower's own id. */
export const sealText = (env: Sealer, personId: string, field: SealedField, recordId: string, plain: string): Sealed =>
  env.seal(personId, plain, contextOf(field, recordId));

/** Null for an absent field, and for every field after the borrower was erased. */
export function openText(env: Opener, personId: string, field: SealedField, recordId: string, sealed: Sealed | null): string | null {
  return sealed === null ? null : (env.open(personId, sealed, contextOf(field, recordId)) ?? null);
}

export const sealJson = (env: Sealer, personId: string, field: SealedField, recordId: string, plain: object): Sealed =>
  sealText(env, personId, field, recordId, JSON.stringify(plain));

export function openJson<Value>(env: Opener, personId: string, field: SealedField, recordId: string, sealed: Sealed | null): Value | null {
  const text = openText(env, personId, field, recordId, sealed);
  return text === null ? null : ownJson<Value>(text);
}

const TOKEN_LETTERS = 20;

/** An opaque token in place of a value that is not shown. It is made of ids alone and reveals nothing about the value. */
export function tokenOf(personId: string, recordId: string): string {
  const digest = createHash('sha256').update(`${personId}/${recordId}`).digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(0, TOKEN_LETTERS);
}

/*
 * What other domains read of a borrower. States come from `env.read('person', id)`; ids in bodies may be `ext-` ids.
 */

/** A contact as facts carry it. */
export type RecordedContact = Recorded<Contact>;

/** The borrower; refuses with 404 if there is none or it was deleted. */
export function personOf(env: EvolveEnv, personId: string): PersonState {
  const person = env.read<PersonState>('person', personId);
  return person && isReachable(person) ? person : refuse('notFound', `There is no borrower ${personId}.`);
}

export const contactOf = (person: PersonState, anyId: string): Contact | undefined => findContact(person, anyId);

/** The address of a contact in clear; null for other types of contacts, and after the borrower was erased. */
export const addressOf = (env: Opener, person: PersonState, contact: Pick<Contact, 'id' | 'address'>): Address | null =>
  openJson<Address>(env, person.id, 'contact.address', contact.id, contact.address);

/** Whether a contact is the borrower's home: the valid primary home address. */
export const isValidHome = ({ contactType, affiliation, status, label, valid }: RecordedContact): boolean =>
  contactType === 'address' && affiliation === 'self' && status === 'primary' && label === 'home' && valid;

/** The home address in clear; null if there is none, and after the borrower was erased. */
export function homeAddressOf(env: Opener, person: PersonState): Address | null {
  const home = person.contacts.find(isValidHome);
  return home === undefined ? null : addressOf(env, person, home);
}

/** The e-mail address or number of a contact in clear; null for other types of contacts, and after the borrower was erased. */
export const contactValueOf = (env: Opener, person: PersonState, contact: Contact): string | null =>
  openText(env, person.id, 'contact.value', contact.id, contact.value);

/** The borrower's time zone, by the home, else by another primary address of the borrower's own; null if the address determines none. */
export function zoneOfPerson(env: Opener, person: PersonState): string | null {
  const contact =
    person.contacts.find(isValidHome) ??
    person.contacts.find(
      ({ contactType, affiliation, status }) => contactType === 'address' && affiliation === 'self' && status === 'primary',
    );
  const address = contact ? addressOf(env, person, contact) : null;
  return address && zoneOfAddress(address);
}

/** The time zone of an address; null if its postal code determines none. */
export const zoneOfAddress = (address: Address): string | null => (isOfUnitedStates(address) ? zoneOfZip(address.postalCode) : null);
