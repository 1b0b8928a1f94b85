import type { Contact, PersonState } from './state.js';

/** The contact that an id of the path or of a body names. */
export const findContact = ({ contacts }: PersonState, anyId: string): Contact | undefined =>
  contacts.find(({ id, externalId }) => id === anyId || (externalId !== null && `ext-${externalId}` === anyId));
