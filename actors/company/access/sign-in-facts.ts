import { must } from '../../../engine/index.js';
import { putRecord } from '../../kernel/resources/index.js';
import type { Fact } from '../../kernel/fact.js';
import type { SignIn, SignInStep } from '../sign-in/index.js';
import type { CompanyState } from '../state.js';
import { type TokenKey, withTokenKey } from './token-keys.js';
import { USER, usersOf } from './user.js';

/** How users come and go. The envelope says from where. */
export interface SignInFacts {
  /** `step`: what happened; `signIn`: what is remembered since. */
  readonly SignInRecorded: { readonly userId: string; readonly step: SignInStep['type']; readonly signIn: SignIn };
  /** All sessions of the user end but the one that is kept; with another password where there is one. */
  readonly SessionsEnded: { readonly userId: string; readonly generation: number; readonly passwordHash: string | null };
  readonly TokenKeyMade: { readonly key: TokenKey };
}

type Apply = { [Type in keyof SignInFacts]: (state: CompanyState, body: SignInFacts[Type], fact: Fact) => void };

export const APPLY_TO_SIGN_INS: Apply = {
  SignInRecorded(state, { userId, signIn }) {
    state.signIns = new Map(state.signIns).set(userId, signIn);
  },
  SessionsEnded(state, { userId, generation, passwordHash }) {
    const user = must(usersOf(state).get(userId), `sessions of the unknown user ${userId} ended`);
    putRecord(state, USER, { ...user, stored: { ...user.stored, generation, passwordHash } });
  },
  TokenKeyMade(state, { key }) {
    state.tokenKeys = withTokenKey(state.tokenKeys, key);
  },
};
