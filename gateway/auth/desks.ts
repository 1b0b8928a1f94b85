import { Refusal } from '../../actors/index.js';
import { Accounts } from './accounts.js';
import { PasswordDesk } from './password-desk.js';
import { SessionDesk } from './session-desk.js';
import { Sessions, type SessionsOptions } from './sessions.js';
import { SignInDesk, type SignInDeskParts } from './sign-in-desk.js';

/** Where users come in, stay, hand on what they have, and change their passwords. */
export interface Desks {
  readonly accounts: Accounts;
  readonly signIn: SignInDesk;
  readonly sessions: SessionDesk;
  readonly passwords: PasswordDesk;
}

export interface OpenedDesks extends Desks {
  /** Finds out whose tokens are shown. */
  readonly authenticator: Sessions;
}

export function openDesks(options: SessionsOptions & Pick<SignInDeskParts, 'codes' | 'limiter' | 'onFailure'>): OpenedDesks {
  const { engine, companies, nowMs, codes, limiter, onFailure } = options;
  const accounts = new Accounts(engine, companies, nowMs);
  const sessions = new Sessions({ engine, companies, nowMs });
  const signIn = new SignInDesk({ accounts, sessions, codes, limiter, nowMs, onFailure });
  return { accounts, signIn, sessions: new SessionDesk(signIn, sessions), passwords: new PasswordDesk(signIn), authenticator: sessions };
}

/** Of a process that serves nobody from outside, and of documents. */
export const NO_DESKS = new Proxy({} as Desks, {
  get: () => {
    throw new Refusal('unavailable', 'Nobody signs in here.');
  },
});
