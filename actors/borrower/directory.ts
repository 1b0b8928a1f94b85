import { zoneOfZip } from '../../engine/index.js';
import { refuse } from '../errors.js';
import type { EvolveEnv } from '../kernel/actor.js';
import { isOfUnitedStates } from './address.js';
import { findContact } from './find-contact.js';
import type { Recorded } from './facts.js';
import { openJson, openText, type Opener } from './fields.js';
import { type Address, type Contact, isReachable, type PersonState } from './state.js';

/*
 * What others read of a borrower. States come from `env.read('person', id)`; ids of bodies may be `ext-` ids.
 */

/** A contact as facts have it. */
export type RecordedContact = Recorded<Contact>;

/** The borrower, 404 when there is none that can be reached. */
export function personOf(env: EvolveEnv, personId: string): PersonState {
  const person = env.read<PersonState>('person', personId);
  return person && isReachable(person) ? person : refuse('notFound', `There is no borrower ${personId}.`);
}

export const contactOf = (person: PersonState, anyId: string): Contact | undefined => findContact(person, anyId);

/** The address of a contact in clear; null for other contacts, and once the borrower was erased. */
export const addressOf = (env: Opener, person: PersonState, contact: Pick<Contact, 'id' | 'address'>): Address | null =>
  openJson<Address>(env, person.id, 'contact.address', contact.id, contact.address);

/** Where the borrower lives: the valid primary home address. */
export const isValidHome = ({ contactType, affiliation, status, label, valid }: RecordedContact): boolean =>
  contactType === 'address' && affiliation === 'self' && status === 'primary' && label === 'home' && valid;

/** The same in clear; null where there is none, and once the borrower was erased. */
export function homeAddressOf(env: Opener, person: PersonState): Address | null {
  const home = person.contacts.find(isValidHome);
  return home === undefined ? null : addressOf(env, person, home);
}

/** The e-mail address or number of a contact in clear; null for other contacts, and once the borrower was erased. */
export const contactValueOf = (env: Opener, person: PersonState, contact: Contact): string | null =>
  openText(env, person.id, 'contact.value', contact.id, contact.value);

/** The zone in which the borrower lives, by the home, else by another primary address of the borrower's own; null where that tells none. */
export function zoneOfPerson(env: Opener, person: PersonState): string | null {
  const contact =
    person.contacts.find(isValidHome) ??
    person.contacts.find(
      ({ contactType, affiliation, status }) => contactType === 'address' && affiliation === 'self' && status === 'primary',
    );
  const address = contact ? addressOf(env, person, contact) : null;
  return address && isOfUnitedStates(address) ? zoneOfZip(address.postalCode) : null;
}
