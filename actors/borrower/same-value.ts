import { openText, type Opener } from './contact-fields.js';
import type { Contact, NumberCheck, PersonState } from './state.js';

/*
 * A stop and what a list or a carrier says belong to the number or mailbox. They hold for each contact of the borrower that has it,
 * also an archived one: it can be taken into use again.
 */

/** The other contacts of the borrower with the same number or mailbox. An address is none. */
export function othersWithValue(
  env: Opener,
  { id: personId, contacts }: PersonState,
  { id, contactType }: Pick<Contact, 'contactType'> & { readonly id: string | null },
  value: string | null,
): readonly Contact[] {
  if (value === null || contactType === 'address') return [];
  return contacts.filter(
    (other) =>
      other.id !== id && other.contactType === contactType && openText(env, personId, 'contact.value', other.id, other.value) === value,
  );
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
