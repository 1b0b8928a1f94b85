import { createHash } from 'node:crypto';
import type { Sealed } from './state.js';

/**
 * Personal data is sealed field by field with the borrower's key. The context binds each sealed text to its field
 * and record, so that it opens nowhere else.
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

/** `recordId` is the id of what hangs on the borrower (a name, a contact), or the borrower's own. */
export const sealText = (env: Sealer, personId: string, field: SealedField, recordId: string, plain: string): Sealed =>
  env.seal(personId, plain, contextOf(field, recordId));

/** Null for an absent field, and for every field once the borrower was erased. */
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

/** What stands for a value that is not shown. It says nothing about the value: it is made of ids alone. */
export function tokenOf(personId: string, recordId: string): string {
  const digest = createHash('sha256').update(`${personId}/${recordId}`).digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(0, TOKEN_LETTERS);
}
