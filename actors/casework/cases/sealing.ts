import type { Sealed, Values } from './state.js';

/** Texts about a case are sealed with its borrower's key. The context binds each to its place, so that it opens nowhere else. */
type SealedPlace = 'description' | 'outcomeNote' | 'fields' | 'snooze' | 'call' | 'escalation';

interface Sealer {
  seal(owner: string, plain: string, context: string): Uint8Array;
}

interface Opener {
  open(owner: string, sealed: Uint8Array, context: string): string | undefined;
}

/** Whose key, what of it, and the id of the case or of what hangs on it. */
export interface SealedAt {
  readonly personId: string;
  readonly place: SealedPlace;
  readonly id: string;
}

const contextOf = ({ place, id }: SealedAt): string => `case.${place}/${id}`;

export const sealText = (env: Sealer, at: SealedAt, text: string | null | undefined): Sealed | null =>
  text == null ? null : env.seal(at.personId, text, contextOf(at));

/** Null for what is not there, and for everything once the borrower was erased. */
export const openText = (env: Opener, at: SealedAt, sealed: Sealed | null): string | null =>
  sealed === null ? null : (env.open(at.personId, sealed, contextOf(at)) ?? null);

const fieldsAt = (personId: string, id: string): SealedAt => ({ personId, place: 'fields', id });

export const sealFields = (env: Sealer, personId: string, caseId: string, values: Values): Sealed | null =>
  Object.keys(values).length === 0 ? null : sealText(env, fieldsAt(personId, caseId), JSON.stringify(values));

export function openFields(
  env: Opener,
  { personId, id, sealedFields }: { readonly personId: string; readonly id: string; readonly sealedFields: Sealed | null },
): Values {
  const text = openText(env, fieldsAt(personId, id), sealedFields);
  return text === null ? {} : (JSON.parse(text) as Values);
}

/** The number of the case at the court, of a bankruptcy among others. */
export function courtCaseNumberOf(env: Opener, state: Parameters<typeof openFields>[1]): string | null {
  const { courtCaseNumber } = openFields(env, state);
  return typeof courtCaseNumber === 'string' ? courtCaseNumber : null;
}
