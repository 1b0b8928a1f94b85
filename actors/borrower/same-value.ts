import { openText, type Opener } from './contact-fields.js';
import type { Contact, NumberCheck, PersonState } from './state.js';

/*
 * A stop and what a list or a carrier says belong to the number or mailbox. They hold for each contact of the borrower that has it,
 * also an archived one: it can be taken into use again.
 */

/** The other contacts of the borrower with the same number or mailbox. An address is none. `valueOf` is asked only if there may be some. */
export function othersWithValue(
  env: Opener,
  { id: personId, contacts }: PersonState,
  { id, contactType }: Pick<Contact, 'contactType'> & { readonly id: string | null },
  valueOf: () => string | null,
): readonly Contact[] {
  const others = contactType === 'address' ? [] : contacts.filter((other) => other.id !== id && other.contactType === contactType);
  const value = others.length === 0 ? null : valueOf();
  if (value === null) return [];
  return others.filter((other) => openText(env, personId, 'contact.value', other.id, other.value) === value);
}

/**
 * Finds for each contact of the borrower those that have its number or mailbox, itself first. Of a type that has several, each value is
 * opened once.
 */
export function holdersOfEach(env: Opener, { id: personId, contacts }: PersonState): (contact: Contact) => readonly Contact[] {
  const byType = new Map<Contact['contactType'], ReadonlyMap<string, readonly Contact[]>>();
  const groupsOf = (type: Contact['contactType']): ReadonlyMap<string, readonly Contact[]> => {
    const alike = type === 'address' ? [] : contacts.filter(({ contactType }) => contactType === type);
    const byValue = new Map<string, Contact[]>();
    const byId = new Map<string, readonly Contact[]>();
    for (const contact of alike.length > 1 ? alike : []) {
      const value = openText(env, personId, 'contact.value', contact.id, contact.value);
      if (value === null) continue;
      const group = byValue.get(value) ?? [];
      group.push(contact);
      byValue.set(value, group);
      byId.set(contact.id, group);
    }
    byType.set(type, byId);
    return byId;
  };
  return (contact) => {
    const group = (byType.get(contact.contactType) ?? groupsOf(contact.contactType)).get(contact.id) ?? [];
    return [contact, ...group.filter((other) => other.id !== contact.id)];
  };
}

/** The newest answer of each list. Of two of one day, the one that lists the number counts. */
export function newestChecks(holders: readonly Pick<Contact, 'numberChecks'>[]): readonly NumberCheck[] {
  const newest = new Map<NumberCheck['list'], NumberCheck>();
  for (const check of holders.flatMap(({ numberChecks = [] }) => numberChecks)) {
    const known = newest.get(check.list);
    const isNewer = known === undefined || known.checkedOn < check.checkedOn;
    if (isNewer || (known.checkedOn === check.checkedOn && check.isListed)) newest.set(check.list, check);
  }
  return [...newest.values()];
}
