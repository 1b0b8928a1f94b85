import {
  type ConsentStanding,
  type ConsentWord,
  type ContactStanding,
  type HomePlace,
  type PersonStanding,
  type PhonePlace,
  placeOfPhone,
  stateNamed,
  zonesOfAddress,
} from '../../../engine/index.js';
import {
  addressOf,
  type Contact,
  CONSENT_NAMES,
  contactValueOf,
  isOfUnitedStates,
  isValidHome,
  type PersonState,
  statusOfConsent,
} from '../../borrower/index.js';
import type { ScreenEnv } from './screen.js';

export function personStanding(env: ScreenEnv, person: PersonState): PersonStanding {
  const { status, collectionsIntensity, commPreferences, monitoring } = person;
  return {
    status: status === 'active' ? 'active' : 'inactive',
    hits: new Set(monitoring.filter((known) => known.status === 'hit').map(({ kind }) => kind)),
    collectionsIntensity,
    sendRemindersWhenCurrent: commPreferences.sendRemindersWhenCurrent,
    ...placesOf(env, person),
  };
}

function placesOf(env: ScreenEnv, person: PersonState): Pick<PersonStanding, 'home' | 'otherPlaces'> {
  const home = person.contacts.find(isValidHome);
  return {
    home: home === undefined ? null : placeOfAddress(env, person, home),
    otherPlaces: person.contacts
      .filter((contact) => contact !== home && mayBeHome(contact))
      .flatMap((contact) => placeOfAddress(env, person, contact) ?? []),
  };
}

/** An address at which the borrower may be: whoever moves marks the one before as not valid, or archives it. */
const mayBeHome = ({ contactType, affiliation, status, label, valid }: Contact): boolean =>
  contactType === 'address' && affiliation === 'self' && status !== 'archived' && label !== 'work' && valid;

/** Null once the borrower was erased. Outside of the country it is a home without a state and without zones. */
function placeOfAddress(env: ScreenEnv, person: PersonState, contact: Contact): HomePlace | null {
  const address = addressOf(env, person, contact);
  if (address === null) return null;
  const { city, postalCode } = address;
  if (!isOfUnitedStates(address)) return { state: null, city, postalCode, zones: [] };
  const state = stateNamed(address.state);
  return { state, city, postalCode, zones: zonesOfAddress(state, postalCode) };
}

/** A contact with the place that it tells: an area code, or the address itself. */
export function contactStanding(env: ScreenEnv, person: PersonState, contact: Contact): ContactStanding {
  const {
    id,
    contactType,
    label,
    affiliation,
    status,
    valid,
    receiveTextMessages,
    authorizedThirdParty,
    powerOfAttorney,
    phoneDisconnectionDetails,
  } = contact;
  const { state, zones } = placeOf(env, person, contact);
  return {
    id,
    contactType,
    label,
    affiliation,
    status,
    valid,
    receiveTextMessages,
    authorizedThirdParty,
    powerOfAttorney,
    phoneDisconnectionDetails,
    state,
    zones,
    mayBeReassigned: mayBeReassigned(person, contact),
  };
}

/** What the source knows of which number it was is sealed: each that nobody has agreed to texts for since may be it. */
function mayBeReassigned({ monitoring }: PersonState, { contactType, receiveTextMessagesLastConsentAt: agreedAt }: Contact): boolean {
  const hit = monitoring.find(({ kind, status }) => kind === 'phoneReassigned' && status === 'hit');
  return hit !== undefined && contactType === 'phone' && (agreedAt === null || agreedAt <= (hit.lastHitAt ?? Infinity));
}

const NOWHERE: PhonePlace = { state: null, zones: [] };

function placeOf(env: ScreenEnv, person: PersonState, contact: Contact): PhonePlace {
  if (contact.contactType === 'address') return placeOfAddress(env, person, contact) ?? NOWHERE;
  const value = contact.contactType === 'phone' ? contactValueOf(env, person, contact) : null;
  return value === null ? NOWHERE : placeOfPhone(value);
}

export function consentStandings({ consents }: PersonState): Readonly<Record<ConsentWord, ConsentStanding>> {
  const standing = (name: ConsentWord): ConsentStanding => {
    const said = consents.find((consent) => consent.name === name);
    return {
      isGiven: statusOfConsent(consents, name) === 'consented',
      isSaid: said !== undefined,
      isInWriting: said !== undefined && (said.documentId !== null || said.source === 'borrower'),
    };
  };
  return Object.fromEntries(CONSENT_NAMES.map((name) => [name, standing(name)])) as Record<ConsentWord, ConsentStanding>;
}
