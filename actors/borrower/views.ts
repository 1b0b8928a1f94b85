import { zoneOfZip } from '../../engine/index.js';
import { dateText, dateTimeText, type MetaData, orNull } from '../wire.js';
import { isOfUnitedStates } from './address.js';
import type { BusinessView, IdentityView, NameView, PersonView } from './decide.js';
import type { AddressView, ContactView } from './contact-wire.js';
import { type Opener, openJson, openText, tokenOf } from './fields.js';
import { withSecretsOpen } from './instrument-secrets.js';
import type { InstrumentView } from './instrument-wire.js';
import { FAILURE_DESCRIPTIONS, type FailureReason } from './payment-reasons.js';
import { type UserFinder, userOfBorrower } from './portal-user/shown-user.js';
import type { Address, Contact, Identity, Instrument, NameParts, NameRecord, PersonState } from './state.js';

/** What a view may know: the key store and the company's clock. */
export interface ViewEnv extends Opener {
  readonly now: number;
}

/** Whether values of identities and contacts are shown, or tokens in their place. */
export type Values = 'clear' | 'tokens';

/** The borrower as every reply shows it. The name is opened when the reply is rendered, so that an erasure wins at once. */
export const personView = (state: PersonState, env: ViewEnv & UserFinder): PersonView =>
  shownPerson(state, env, userOfBorrower(state, env));

/** The borrower within its user. */
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
    commPreferences: state.commPreferences,
    monitorStartDate: dateText(state.monitorStartDate),
    metaData: state.metaData as MetaData | null,
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

/** From when on a name counts. */
const countsFrom = (name: NameRecord): number => name.effectiveAt ?? name.createdAt;

/** The name in force: of the names that have begun, the one that began last. */
export function currentName(state: PersonState, now: number): NameRecord | undefined {
  let current: NameRecord | undefined;
  for (const name of state.names) {
    if (name.status === 'active' && countsFrom(name) <= now && (!current || countsFrom(name) >= countsFrom(current))) current = name;
  }
  return current;
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
  const { value, address, name, createdAt, updatedAt, receiveTextMessagesLastConsentAt, ...fields } = contact;
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
  const { details, accountNumber, accountHolderName, microDeposits: _deposits, personal: _personal, metaData, ...fields } = instrument;
  const hasAccount = accountNumber !== null;
  return {
    ...fields,
    object: instrument.instrumentType,
    personId: state.id,
    companyId: state.tenant.company,
    metaData: metaData as MetaData | null,
    ...failureTexts(instrument.failureReason),
    ...details,
    ...(hasAccount ? { accountNumber: tokenOf(state.id, instrument.id) } : {}),
    ...(instrument.instrumentType === 'bankAccount' ? { accountLink: null } : {}),
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

/** Why verifying or charging an instrument failed, in the words of transactions. */
function failureTexts(reason: FailureReason | null): FailureTexts {
  const text = reason === null ? null : FAILURE_DESCRIPTIONS[reason];
  return { failureDescriptionShort: text?.short ?? null, failureDescriptionLong: text?.long ?? null };
}
