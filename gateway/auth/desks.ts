import { Refusal } from '../../actors/index.js';
import { Accounts } from './accounts.js';
import { apiKeyAuthenticator } from './api-keys.js';
import type { Authenticator } from './credential.js';
import { keysAndSessions } from './either.js';
import { keyDirectory } from './key-directory.js';
import { withNewestKeys } from './newest-keys.js';
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

export interface DesksOptions extends Omit<SessionsOptions, 'accounts'>, Pick<SignInDeskParts, 'codes' | 'limiter' | 'onFailure'> {
  /** Of an engine that only follows the companies: resolves when it has all that was written before. */
  readonly caughtUp: (() => Promise<void>) | null;
}

/** With whoever finds out whose keys and tokens are shown. */
export function openDesks({ engine, companies, nowMs, codes, limiter, onFailure, caughtUp }: DesksOptions): {
  readonly desks: Desks;
  readonly authenticator: Authenticator;
} {
  const accounts = new Accounts(engine, companies, nowMs);
  const sessions = new Sessions({ engine, companies, accounts, nowMs });
  const signIn = new SignInDesk({ accounts, sessions, codes, limiter, nowMs, onFailure });
  const authenticator = keysAndSessions(apiKeyAuthenticator(keyDirectory(companies)), sessions);
  return {
    desks: { accounts, signIn, sessions: new SessionDesk(signIn, sessions), passwords: new PasswordDesk(signIn) },
    authenticator: caughtUp ? withNewestKeys(authenticator, caughtUp) : authenticator,
  };
}

/** Of a process that serves nobody from outside, and of documents. */
export const NO_DESKS = new Proxy({} as Desks, {
  get: () => {
    throw new Refusal('unavailable', 'Nobody signs in here.');
  },
});
