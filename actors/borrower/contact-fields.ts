import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { createHash } from 'node:crypto';
import type { tags } from 'typia';
import { zoneOfZip } from '../../engine/index.js';
import { type Fault, Refusal, refuse, refuseProperty } from '../errors.js';
import type { EvolveEnv } from '../kernel/actor.js';
import type { AnyId, DateText, DateTimeText, LongExternalId, ShortText } from '../wire.js';
import {
  type Address,
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

export interface AddressBody {
  readonly addressLine1?: (string & tags.MaxLength<200>) | null;
  readonly addressLine2?: (string & tags.MaxLength<200>) | null;
  readonly city?: ShortText | null;
  readonly countyOrRegion?: ShortText | null;
  readonly state?: (string & tags.MaxLength<50>) | null;
  readonly postalCode?: (string & tags.MaxLength<20>) | null;
  readonly country?: (string & tags.MaxLength<50>) | null;
  readonly POBox?: ShortText | null;
}

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

/** Maximum length of an e-mail address (RFC 5321, 4.5.3.1). */
const MOST_LETTERS = 254;
/** An e-mail address: a local part of characters that need no quotes, and a domain with a dot (RFC 5322, 3.4.1). */
const MAILBOX =
  /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@([\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])$/u;

/** Converts an e-mail address to lower case. */
export function emailAddress(text: string, path: string): string {
  const mailbox = text.trim().toLowerCase();
  if (mailbox.length <= MOST_LETTERS && mailbox.indexOf('@') <= 64 && MAILBOX.test(mailbox)) return mailbox;
  return refuseProperty(path, 'an e-mail address', 'The value is not an e-mail address.');
}

/** The contact that an id of the path or of a body names. */
export const findContact = ({ contacts }: PersonState, anyId: string): Contact | undefined =>
  contacts.find(({ id, externalId }) => id === anyId || (externalId !== null && `ext-${externalId}` === anyId));

/** The states, the federal district, the territories and the military posts of the United States (USPS Publication 28). */
const US_STATES: ReadonlySet<string> = new Set(
  [
    'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO',
    'MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY',
    'DC AS GU MP PR VI UM FM MH PW AA AE AP',
  ].flatMap((row) => row.split(' ')),
);

const US: ReadonlySet<string> = new Set(['US', 'USA', 'UNITED STATES']);

export const isOfUnitedStates = ({ country }: Address): boolean => US.has((country ?? '').toUpperCase());

/** An address with all its fields; absent ones are null. The country is the United States unless another one is given. */
export function fullAddress(body: AddressBody): Address {
  return {
    addressLine1: body.addressLine1 ?? null,
    addressLine2: body.addressLine2 ?? null,
    city: body.city ?? null,
    countyOrRegion: body.countyOrRegion ?? null,
    state: body.state ?? null,
    postalCode: body.postalCode ?? null,
    country: body.country ?? 'US',
    POBox: body.POBox ?? null,
  };
}

/**
 * Checks what can be checked without a postal service: that the required parts are present and, in the United States, that
 * the state exists (`NY` or `US-NY`) and the ZIP code has the right shape. The refusal has a suggestion for each fault.
 */
export function checkAddress(address: Address, path: string): void {
  const errors: Fault[] = [];
  const need = (part: keyof Address, expected: string, isRight: boolean): void => {
    if (!isRight) errors.push({ path: `${path}.${part}`, expected, message: 'does not match the address' });
  };
  need('addressLine1', 'a street address, or a POBox', Boolean(address.addressLine1 ?? address.POBox));
  need('city', 'a city', Boolean(address.city));
  if (isOfUnitedStates(address)) {
    need('state', 'a state of the United States such as NY', US_STATES.has((address.state ?? '').toUpperCase().replace(/^US-/, '')));
    need('postalCode', 'a ZIP code such as 10001 or 10001-1234', /^\d{5}(-?\d{4})?$/.test(address.postalCode ?? ''));
  }
  if (errors.length === 0) return;
  throw new Refusal('addressInvalid', 'The address could not be verified. Correct it, or send `validate=false` to store it as it is.', {
    errors,
  });
}

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
  return text === null ? null : (JSON.parse(text) as Value);
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
  return address && isOfUnitedStates(address) ? zoneOfZip(address.postalCode) : null;
}
