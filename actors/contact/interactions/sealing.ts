import type { InteractionFields, InteractionState, Sealed } from './state.js';

/*
 * What was said, to whom and why it failed is sealed with the key of the borrower, and goes with it. A message of a sender whom nobody
 * knows has a key of its own, made with it.
 */

type SealedPlace = 'content' | 'contact' | 'failure' | 'plan';

interface Sealer {
  seal(owner: string, plain: string, context: string): Uint8Array;
}

interface Opener {
  open(owner: string, sealed: Uint8Array, context: string): string | undefined;
}

export const ownerOf = (id: string, personId: string | null): string => personId ?? id;

const contextOf = (place: SealedPlace, id: string): string => `interaction.${place}/${id}`;

export interface SealedAt {
  readonly id: string;
  readonly personId: string | null;
}

export const sealJson = (env: Sealer, { id, personId }: SealedAt, place: SealedPlace, value: object | null): Sealed | null =>
  value === null ? null : env.seal(ownerOf(id, personId), JSON.stringify(value), contextOf(place, id));

/** Null for what is not there, and for everything once the borrower was erased. */
export function openJson<Value>(
  env: Opener,
  state: Pick<InteractionState, 'id'> & Pick<InteractionFields, 'personId' | SealedPlace>,
  place: SealedPlace,
): Value | null {
  const sealed = state[place];
  const text = sealed === null ? undefined : env.open(ownerOf(state.id, state.personId), sealed, contextOf(place, state.id));
  return text === undefined ? null : (JSON.parse(text) as Value);
}
