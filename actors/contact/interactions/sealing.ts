import { ownJson } from '../../../engine/index.js';
import type { InteractionFields, InteractionState, Sealed } from './state.js';

/*
 * Content, contact and failure are sealed with the borrower's key, and are lost when it is destroyed. A message of an unknown sender has
 * a key of its own, created with it.
 */

type SealedPart = 'content' | 'contact' | 'failure' | 'plan';

interface Sealer {
  seal(owner: string, plain: string, context: string): Uint8Array;
}

interface Opener {
  open(owner: string, sealed: Uint8Array, context: string): string | undefined;
}

export const ownerOf = (id: string, personId: string | null): string => personId ?? id;

const contextOf = (part: SealedPart, id: string): string => `interaction.${part}/${id}`;

export interface SealedAt {
  readonly id: string;
  readonly personId: string | null;
}

export const sealJson = (env: Sealer, { id, personId }: SealedAt, part: SealedPart, value: object | null): Sealed | null =>
  value === null ? null : env.seal(ownerOf(id, personId), JSON.stringify(value), contextOf(part, id));

/** Null for an absent value, and for every value after the borrower was erased. */
export function openJson<Value>(
  env: Opener,
  state: Pick<InteractionState, 'id'> & Pick<InteractionFields, 'personId' | SealedPart>,
  part: SealedPart,
): Value | null {
  const sealed = state[part];
  const text = sealed === null ? undefined : env.open(ownerOf(state.id, state.personId), sealed, contextOf(part, state.id));
  return text === undefined ? null : ownJson<Value>(text);
}
