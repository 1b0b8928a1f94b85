import {
  type Channel,
  chooseContact,
  type ContactFault,
  dayAt,
  type DoNotCall,
  faultOfContact,
  isForChannel,
} from '../../../engine/index.js';
import { type Contact, contactValueOf, holdersOfEach, newestChecks, othersWithValue, type PersonState } from '../../borrower/index.js';
import { companyOf, zoneOf } from '../../company/index.js';
import type { DecideEnv, EvolveEnv } from '../../kernel/actor.js';

type NumberEnv = EvolveEnv & Pick<DecideEnv, 'tenant'>;

type NumberChecks = ReturnType<typeof newestChecks>;

/** What is known of a telephone number. It is the same whichever contact of the borrower has the number. */
export interface KnownNumber {
  readonly phoneDisconnectionDetails: Contact['phoneDisconnectionDetails'];
  readonly mayBeReassigned: boolean;
  readonly doNotCall: DoNotCall;
}

export const knownNumber = (env: NumberEnv, person: PersonState, contact: Contact): KnownNumber =>
  knownBy(env, person, contact, [contact, ...othersWithValue(env, person, contact, () => contactValueOf(env, person, contact))]);

/** What is known of the number of each contact. No value is opened where no contact knows anything of its number. */
export function knownNumbers(env: NumberEnv, person: PersonState): (contact: Contact) => KnownNumber {
  const isKnown = person.contacts.some(
    ({ phoneDisconnectionDetails: details, numberChecks = [] }) => details?.disconnectionStatus != null || numberChecks.length > 0,
  );
  const holdersOf = isKnown ? holdersOfEach(env, person) : (contact: Contact): readonly Contact[] => [contact];
  return (contact) => knownBy(env, person, contact, holdersOf(contact));
}

/** `holders`: the contacts that have the number. */
function knownBy(env: NumberEnv, person: PersonState, contact: Contact, holders: readonly Contact[]): KnownNumber {
  const checks = newestChecks(holders);
  return {
    phoneDisconnectionDetails: newestConnection(holders) ?? contact.phoneDisconnectionDetails,
    mayBeReassigned: mayBeReassigned(env, person, contact, checks),
    doNotCall: doNotCallOf(checks),
  };
}

/**
 * The contact that a channel uses where none is named; null if the borrower has none that can be used. What one contact says of a number
 * is true of it under each of them.
 */
export function contactFor(
  env: NumberEnv,
  person: PersonState,
  channel: Channel,
  contacts: readonly Contact[] = person.contacts,
): Contact | null {
  const knownOf = knownNumbers(env, person);
  const known = contacts.filter((contact) => isForChannel(contact, channel)).map((contact) => ({ ...contact, ...knownOf(contact) }));
  const chosen = chooseContact(known, channel);
  return contacts.find(({ id }) => id === chosen?.id) ?? null;
}

/** Why a contact cannot be used on a channel, by what is known of its number; null if it can. */
export function faultOfNumber(env: NumberEnv, person: PersonState, contact: Contact, channel: Channel | null): ContactFault | null {
  const { phoneDisconnectionDetails, mayBeReassigned: isReassigned } = knownNumber(env, person, contact);
  return faultOfContact({ mayBeReassigned: isReassigned, ...contact, phoneDisconnectionDetails }, channel);
}

/** Of the contacts that know whether the number is connected, the one that was checked last; of two, the first. */
function newestConnection(holders: readonly Contact[]): Contact['phoneDisconnectionDetails'] {
  const known = holders.flatMap(({ phoneDisconnectionDetails: details }) => (details?.disconnectionStatus == null ? [] : [details]));
  return known.toSorted((a, b) => (dayOf(a) < dayOf(b) ? 1 : dayOf(a) > dayOf(b) ? -1 : 0))[0] ?? null;
}

const dayOf = ({ lastDisconnectCheckDate }: NonNullable<Contact['phoneDisconnectionDetails']>): string => lastDisconnectCheckDate ?? '';

/** The reassigned number is sealed in the hit, so it may be any number without a consent to texts after the hit. */
function mayBeReassigned(env: NumberEnv, { monitoring }: PersonState, contact: Contact, checks: NumberChecks): boolean {
  const { contactType, receiveTextMessagesLastConsentAt: agreedAt } = contact;
  const reassigned = checks.find(({ list, isListed }) => list === 'reassigned' && isListed);
  if (reassigned !== undefined && (agreedAt === null || dayAt(zoneOf(companyOf(env, env.tenant)), agreedAt) <= reassigned.checkedOn))
    return true;
  const hit = monitoring.find(({ kind, status }) => kind === 'phoneReassigned' && status === 'hit');
  return hit !== undefined && contactType === 'phone' && (agreedAt === null || agreedAt <= (hit.lastHitAt ?? Infinity));
}

function doNotCallOf(checks: NumberChecks): DoNotCall {
  return {
    isOnInternal: checks.some(({ list, isListed }) => list === 'internalDoNotCall' && isListed),
    national: checks.find(({ list }) => list === 'nationalDoNotCall') ?? null,
  };
}
