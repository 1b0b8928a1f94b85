import type { tags } from 'typia';
import { type CardNetwork, zoneOfZip } from '../../engine/index.js';
import { type Address, type AddressBody, isOfUnitedStates } from '../address.js';
import { dateText, dateTimeText, type DateTimeText, type ExternalId, type MetaData, orNull, type ShortText, type Whole } from '../wire.js';
import { type AddressView, type ContactView, type Opener, openJson, openText, type Sealer, sealJson, tokenOf } from './contact-fields.js';
import type { BusinessView, IdentityView, NameView, PersonView } from './decide.js';
import { type PrenoteView, prenoteView } from './prenote.js';
import { FAILURE_DESCRIPTIONS, type FailureReason } from './questions.js';
import { type UserFinder, userOfBorrower } from './shown-user.js';
import type {
  Contact,
  Identity,
  InactiveReason,
  Instrument,
  InstrumentDetails,
  InstrumentSecrets,
  InstrumentType,
  NameParts,
  NameRecord,
  PersonState,
} from './state.js';
import { type AccountLinkView, linkView } from './link-view.js';
import { languageOf } from './state.js';

type PlainInstrument = Pick<Instrument, 'nickname' | 'details'>;
type StoredInstrument = PlainInstrument & Pick<Instrument, 'personal'>;

/** Nickname and details as they are stored: the fields that identify the account are sealed. */
export function withSecretsSealed(
  env: Sealer,
  personId: string,
  instrumentId: string,
  { nickname, details }: PlainInstrument,
): Required<StoredInstrument> {
  const { accountNumberLastFour, cardNumberLastFour, checkNumber, reference, ...plain } = details;
  const secrets: InstrumentSecrets = {
    nickname,
    ...(accountNumberLastFour === undefined ? {} : { accountNumberLastFour }),
    ...(cardNumberLastFour === undefined ? {} : { cardNumberLastFour }),
    ...(checkNumber === undefined ? {} : { checkNumber }),
    ...(reference === undefined ? {} : { reference }),
  };
  return { nickname: null, details: plain, personal: sealJson(env, personId, 'instrument.personal', instrumentId, secrets) };
}

/** The instrument with its sealed fields opened. They are absent after the borrower was erased. */
export function withSecretsOpen(env: Opener, personId: string, instrument: Instrument): Instrument {
  if (instrument.personal === undefined) return instrument;
  const secrets = openJson<InstrumentSecrets>(env, personId, 'instrument.personal', instrument.id, instrument.personal);
  if (secrets === null) return instrument;
  const { nickname, ...details } = secrets;
  return { ...instrument, nickname, details: { ...(instrument.details satisfies InstrumentDetails), ...details } };
}

/** The wire of payment instruments: bank accounts, and external instruments, which record payments made outside this service. */

type Digits = string & tags.Pattern<'^\\d{4,17}$'>;
type HolderName = string &
  tags.MinLength<1> &
  tags.MaxLength<100> &
  tags.Pattern<'^[A-Za-z0-9\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u024F ]+$'>;

export interface InstrumentCreateBody {
  readonly instrumentType: InstrumentType;
  readonly externalId?: ExternalId | null;
  /** A record of payments made outside this service: never verified, never charged. */
  readonly isExternal?: boolean;
  /** External instruments only; default `active`. */
  readonly status?: 'active' | 'pending' | 'inactive';
  readonly inactiveReason?: InactiveReason | null;
  /** With `force`: the caller has verified the account by other means. */
  readonly verified?: boolean;
  readonly nickname?: ShortText | null;
  readonly metaData?: MetaData | null;
  readonly sendNotice?: boolean;
  /** The last four digits suffice for an external account. */
  readonly accountNumber?: Digits;
  readonly routingNumber?: (string & tags.Pattern<'^\\d{9}$'>) | null;
  readonly institutionName?: ShortText | null;
  readonly accountType?: 'checking' | 'savings';
  readonly accountHolderType?: 'personal' | 'business';
  /** Letters, digits and spaces. */
  readonly accountHolderName?: HolderName;
  readonly cardType?: 'debit' | 'credit';
  /** The last four digits suffice for an external card; more of it are never stored. That of a card that is charged is kept encrypted. */
  readonly cardNumber?: string & tags.Pattern<'^\\d{4,19}$'>;
  readonly expirationMonth?: number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<12>;
  readonly expirationYear?: number & tags.Type<'uint32'> & tags.Minimum<2000> & tags.Maximum<2200>;
  /** The security code of a card that is charged. It is never stored. */
  readonly cvv?: string & tags.Pattern<'^\\d{3,4}$'>;
  /** Instead of the number: what the processor has made of it. */
  readonly processorToken?: string & tags.Pattern<'^[!-~]+$'> & tags.MaxLength<200>;
  /** Of the holder of a card, for the check of the address. */
  readonly address?: AddressBody | null;
  /** Of a check; equals `accountHolderName`. */
  readonly payerName?: HolderName;
  readonly checkNumber?: ShortText;
  readonly reference?: ShortText;
  readonly senderName?: HolderName;
}

export interface InstrumentUpdateBody {
  readonly externalId?: ExternalId | null;
  readonly status?: 'active' | 'pending' | 'inactive';
  readonly inactiveReason?: InactiveReason | null;
  readonly verified?: boolean;
  readonly nickname?: ShortText | null;
  readonly metaData?: MetaData | null;
  readonly accountType?: 'checking' | 'savings';
  readonly accountHolderType?: 'personal' | 'business';
  readonly accountHolderName?: HolderName;
  readonly expirationMonth?: number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<12>;
  readonly expirationYear?: number & tags.Type<'uint32'> & tags.Minimum<2000> & tags.Maximum<2200>;
  /** Of the holder of a card that is charged. */
  readonly address?: AddressBody | null;
}

/** The amounts of the two deposits in cents, in any order. */
export interface VerifyBody {
  readonly deposit1: DepositCents;
  readonly deposit2: DepositCents;
}

type DepositCents = number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<99>;

export interface InstrumentWriteQuery {
  readonly force?: boolean;
  readonly sync?: boolean;
  /** External instruments only. */
  readonly allowDuplicates?: boolean;
}

export interface InstrumentView {
  readonly id: string;
  /** Equals `instrumentType`. */
  readonly object: InstrumentType;
  readonly personId: string;
  readonly companyId: string;
  readonly externalId: string | null;
  readonly isExternal: boolean;
  readonly instrumentType: InstrumentType;
  readonly status: 'active' | 'pending' | 'inactive';
  readonly inactiveReason: InactiveReason | null;
  readonly verified: boolean;
  readonly nickname: string | null;
  readonly failureReason: string | null;
  readonly failureDescriptionShort: string | null;
  readonly failureDescriptionLong: string | null;
  readonly metaData: MetaData | null;
  /** An opaque token; the number itself is never returned. */
  readonly accountNumber?: string | null;
  readonly accountNumberLastFour?: string;
  readonly routingNumber?: string | null;
  readonly institutionName?: string | null;
  readonly accountType?: 'checking' | 'savings' | null;
  readonly accountHolderType?: 'personal' | 'business' | null;
  readonly accountHolderName?: string | null;
  readonly accountLink?: AccountLinkView | null;
  /** Of a bank account; null if none was ordered. */
  readonly prenote?: PrenoteView | null;
  readonly cardType?: 'debit' | 'credit';
  readonly cardNumberLastFour?: string;
  readonly network?: CardNetwork;
  readonly expirationMonth?: Whole;
  readonly expirationYear?: Whole;
  readonly checkNumber?: string | null;
  readonly reference?: string | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: DateTimeText | null;
  readonly activeAt: DateTimeText | null;
  readonly inactiveAt: DateTimeText | null;
  readonly pendingAt: DateTimeText | null;
}

/** What views may read: the key store and the company's clock. */
export interface ViewEnv extends Opener {
  readonly now: number;
}

/** Whether values of identities and contacts are shown in clear or as tokens. */
export type Values = 'clear' | 'tokens';

/** The borrower as all replies show it. The name is opened when the reply is rendered, so that an erasure takes effect at once. */
export const personView = (state: PersonState, env: ViewEnv & UserFinder): PersonView =>
  shownPerson(state, env, userOfBorrower(state, env));

/** The borrower as shown within its user. */
export const personWithoutUser = (state: PersonState, env: ViewEnv): PersonView => shownPerson(state, env, null);

function shownPerson(state: PersonState, env: ViewEnv, user: PersonView['user']): PersonView {
  const current = currentName(state, env.now);
  const { id: personId } = state;
  return {
    id: state.id,
    object: 'person',
    companyId: state.tenant.company,
    borrowerType: state.borrowerType,
    externalId: state.externalId,
    displayId: state.externalId ?? state.id,
    status: state.status === 'inactive' ? 'inactive' : 'active',
    statusUpdatedAt: orNull(dateTimeText, state.statusUpdatedAt),
    collectionsIntensity: state.collectionsIntensity,
    commPreferences: { ...state.commPreferences, language: languageOf(state) },
    monitorStartDate: dateText(state.monitorStartDate),
    metaData: state.metaData,
    user,
    identities: state.identities.filter((identity) => !identity.isArchived).map((identity) => identityView(state, identity, env, 'tokens')),
    get name() {
      return current ? shownName(personId, current, env, true) : null;
    },
    dateOfBirth: openText(env, state.id, 'dateOfBirth', state.id, state.dateOfBirth),
    businessDetails: businessView(state, env),
    createdAt: dateTimeText(state.createdAt),
    updatedAt: orNull(dateTimeText, state.updatedAt),
    deletedAt: orNull(dateTimeText, state.deletedAt),
  };
}

function businessView(state: PersonState, env: Opener): BusinessView | null {
  const { business } = state;
  return (
    business && {
      businessType: business.businessType,
      businessName: openText(env, state.id, 'businessName', state.id, business.businessName),
      businessLegalName: openText(env, state.id, 'businessLegalName', state.id, business.businessLegalName),
      incorporatedCountry: business.incorporatedCountry,
      incorporatedState: business.incorporatedState,
    }
  );
}

/** The moment from which a name is current. */
const countsFrom = (name: Pick<NameRecord, 'effectiveAt' | 'createdAt'>): number => name.effectiveAt ?? name.createdAt;

/** The current name: of the names that have begun, the one that began last. */
export function currentName<Name extends Pick<NameRecord, 'status' | 'effectiveAt' | 'createdAt'>>(
  { names }: { readonly names: readonly Name[] },
  now: number,
): Name | undefined {
  let current: Name | undefined;
  for (const name of names) {
    if (name.status === 'active' && countsFrom(name) <= now && (!current || countsFrom(name) >= countsFrom(current))) current = name;
  }
  return current;
}

/** The name and the date of birth of a borrower in clear; null once nobody can read them. */
export function nameAndBirthOf(
  env: Opener & { readonly now: number },
  state: PersonState,
): { readonly firstName: string | null; readonly lastName: string | null; readonly dateOfBirth: string | null } {
  const name = currentName(state, env.now);
  const parts = name ? openJson<NameParts>(env, state.id, 'name', name.id, name.parts) : null;
  return {
    firstName: parts?.firstName ?? null,
    lastName: parts?.lastName ?? null,
    dateOfBirth: openText(env, state.id, 'dateOfBirth', state.id, state.dateOfBirth),
  };
}

export const nameView = (state: PersonState, name: NameRecord, env: ViewEnv): NameView =>
  shownName(state.id, name, env, name === currentName(state, env.now));

function shownName(personId: string, name: NameRecord, env: Opener, isCurrent: boolean): NameView {
  const parts = openJson<NameParts>(env, personId, 'name', name.id, name.parts);
  return {
    id: name.id,
    object: 'name',
    prefix: parts?.prefix ?? null,
    firstName: parts?.firstName ?? null,
    middleName: parts?.middleName ?? null,
    lastName: parts?.lastName ?? null,
    maidenLastName: parts?.maidenLastName ?? null,
    suffix: parts?.suffix ?? null,
    preferredFirstName: parts?.preferredFirstName ?? null,
    current: isCurrent,
    status: name.status,
    source: name.source,
    effectiveAt: orNull(dateTimeText, name.effectiveAt),
    originalValue: openJson<NameParts>(env, personId, 'name', name.id, name.original),
    createdAt: dateTimeText(name.createdAt),
    updatedAt: orNull(dateTimeText, name.updatedAt),
    deletedAt: null,
  };
}

export function identityView(state: PersonState, identity: Identity, env: Opener, values: Values): IdentityView {
  const { value, createdAt, updatedAt, ...fields } = identity;
  return {
    ...fields,
    object: 'identity',
    personId: state.id,
    value: values === 'tokens' ? tokenOf(state.id, identity.id) : openText(env, state.id, 'identity.value', identity.id, value),
    createdAt: dateTimeText(createdAt),
    updatedAt: orNull(dateTimeText, updatedAt),
    deletedAt: null,
  };
}

export function contactView(state: PersonState, contact: Contact, env: Opener, values: Values): ContactView {
  const { value, address, name, createdAt, updatedAt, receiveTextMessagesLastConsentAt, numberChecks = [], ...fields } = contact;
  const clear = values === 'clear';
  return {
    ...fields,
    object: 'contact',
    personId: state.id,
    companyId: state.tenant.company,
    value: value === null || clear ? openText(env, state.id, 'contact.value', contact.id, value) : tokenOf(state.id, contact.id),
    address: addressView(openJson<Address>(env, state.id, 'contact.address', contact.id, address)),
    name: openText(env, state.id, 'contact.name', contact.id, name),
    receiveTextMessagesLastConsentAt: orNull(dateTimeText, receiveTextMessagesLastConsentAt),
    numberChecks: numberChecks.map(({ checkedOn, ...check }) => ({ ...check, checkedOn: dateText(checkedOn) })),
    createdAt: dateTimeText(createdAt),
    updatedAt: orNull(dateTimeText, updatedAt),
    deletedAt: null,
  };
}

/** `fipsCode` needs a directory of counties; there is none yet. */
export const addressView = (address: Address | null): AddressView | null =>
  address && { object: 'address', ...address, fipsCode: null, timezone: isOfUnitedStates(address) ? zoneOfZip(address.postalCode) : null };

export function instrumentView(state: PersonState, stored: Instrument, env: Opener): InstrumentView {
  const instrument = withSecretsOpen(env, state.id, stored);
  const { details, accountNumber, accountHolderName, microDeposits: _deposits, personal: _personal, ...shown } = instrument;
  const { link, balances: _balances, card: _card, prenote, metaData, ...fields } = shown;
  const hasAccount = accountNumber !== null && instrument.instrumentType !== 'card';
  return {
    ...fields,
    object: instrument.instrumentType,
    personId: state.id,
    companyId: state.tenant.company,
    metaData,
    ...failureTexts(instrument.failureReason),
    ...details,
    ...(hasAccount ? { accountNumber: tokenOf(state.id, instrument.id) } : {}),
    ...(instrument.instrumentType === 'bankAccount' ? { accountLink: orNull(linkView, link), prenote: prenoteView(prenote) } : {}),
    accountHolderName: openText(env, state.id, 'instrument.accountHolderName', instrument.id, accountHolderName),
    createdAt: dateTimeText(instrument.createdAt),
    updatedAt: orNull(dateTimeText, instrument.updatedAt),
    deletedAt: orNull(dateTimeText, instrument.deletedAt),
    activeAt: orNull(dateTimeText, instrument.activeAt),
    inactiveAt: orNull(dateTimeText, instrument.inactiveAt),
    pendingAt: orNull(dateTimeText, instrument.pendingAt),
  };
}

interface FailureTexts {
  readonly failureDescriptionShort: string | null;
  readonly failureDescriptionLong: string | null;
}

/** Why verifying or charging an instrument failed, with the texts that transactions use. */
function failureTexts(reason: FailureReason | null): FailureTexts {
  const text = reason === null ? null : FAILURE_DESCRIPTIONS[reason];
  return { failureDescriptionShort: text?.short ?? null, failureDescriptionLong: text?.long ?? null };
}
