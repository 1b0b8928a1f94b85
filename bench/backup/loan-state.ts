import type { LoanState } from '../../actors/index.js';
import { assert } from '../../engine/index.js';

/** The state of an actor of the kind `loan`. The world keeps actors of all kinds, and so does not know what their states are. */
export function loanStateOf({ kind, state }: { readonly kind: string; readonly state: unknown }): LoanState {
  assert(kind === 'loan', 'the actor is a loan');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- loans have this state
  return state as LoanState;
}
