import { isPermitted, Refusal, SIGN_IN_LIMITS, type Tenant } from '../../actors/index.js';
import type { HttpRequest } from '../http/message.js';
import { LIMITS } from '../limits.js';
import type { Caller, Session } from '../routing/route.js';
import { Accounts, asUser, type Origin } from './accounts.js';
import { newGrant } from './grants.js';
import { apiKeyAuthenticator, isKeyText, keyDirectory, withNewestKeys } from './key-directory.js';
import { assertMayActAs, PasswordDesk } from './password-desk.js';
import { Sessions, type SessionsOptions } from './sessions.js';
import { SignInDesk, type SignInDeskParts } from './sign-in-desk.js';

/** What a request shows of its caller. */
export interface Credential {
  /** A key (`test_…`, `live_…`) or a session's token. */
  readonly text: string;
  /** The client's address, for keys that are bound to some. */
  readonly address: string;
}

/** Finds out who calls. Throws `Refusal` with 401, or 403 for an address that the key does not allow. */
export interface Authenticator {
  authenticate(credential: Credential): Caller | Promise<Caller>;
}

/** `Authorization: Bearer`, `X-API-KEY` and `X_API_KEY` are equal. Undefined when none is sent. */
export function credentialText(headers: HttpRequest['headers']): string | undefined {
  const token = bearer(headers.authorization);
  const { 'x-api-key': dashed, x_api_key: underlined } = headers;
  const text = token || dashed || underlined;
  if (text === '') return undefined;
  if ((dashed !== '' && dashed !== text) || (underlined !== '' && underlined !== text))
    throw new Refusal('unauthenticated', 'The request shows two different credentials.');
  if (text.length > LIMITS.credentialLength) throw new Refusal('unauthenticated', 'The credential is too long.');
  return text;
}

function bearer(header: string): string {
  if (header === '') return '';
  const match = /^Bearer +(\S+) *$/i.exec(header);
  if (!match) throw new Refusal('unauthenticated', 'The Authorization header must be "Bearer" and a key or token.');
  return match[1] ?? '';
}

/** Holds every permission: of keys whose user has no roles to be limited by. */
export const ALL_PERMISSIONS: ReadonlySet<string> = new Set(['*']);

export function assertPermitted(caller: Caller, permission: string): void {
  if (caller.permissions.has(permission) || caller.permissions.has('*')) return;
  throw new Refusal('permissionDenied', `The permission ${permission} is missing.`, { extra: { permission } });
}

/** API keys and tokens are told apart by how they look, wherever they stand in the request. */
const keysAndSessions = (keys: Authenticator, sessions: Authenticator): Authenticator => ({
  authenticate: (credential) => (isKeyText(credential.text) || !credential.text.includes('.') ? keys : sessions).authenticate(credential),
});

interface InSession {
  readonly tenant: Tenant;
  readonly userId: string;
  readonly session: Session;
}

/** What a session does with its own token, and what a caller may hand on of what it has. */
class SessionDesk {
  constructor(
    private readonly desk: SignInDesk,
    private readonly sessions: Sessions,
  ) {}

  /** Another token for this one, which ends with it. */
  async refresh(caller: Caller, origin: Origin): Promise<string> {
    const { tenant, userId, session } = inSession(caller);
    if (session.isShortLived) throw new Refusal('permissionDenied', 'A short-lived token is not refreshed.');
    const generation = await this.#revoke({ tenant, userId, session }, origin);
    return this.sessions.issue({ tenant, userId, userType: session.userType, generation }, this.desk.lifetimeMs(tenant, session.userType), {
      since: session.since,
    });
  }

  async end(caller: Caller, origin: Origin): Promise<void> {
    await this.#revoke(inSession(caller), origin);
  }

  async #revoke({ tenant, userId, session: { jti, until, userType } }: InSession, origin: Origin): Promise<number> {
    const { outcome, generation } = await this.desk.parts.accounts.take(
      { tenant, userId, userType },
      { type: 'tokenRevoked', jti, until },
      { ...origin, actor: asUser({ userId }) },
    );
    if (outcome === 'wrong') throw new Refusal('tokenRevoked', 'The session has ended: sign in again.');
    return generation;
  }

  /** A token with fewer permissions, for a while. */
  async shortLived(caller: Caller, permissions: readonly string[]): Promise<string> {
    const { tenant, userId, session } = inSession(caller);
    if (session.isShortLived) throw new Refusal('permissionDenied', 'A short-lived token makes no other.');
    const missing = permissions.find((name) => !isPermitted(caller.permissions, name));
    if (missing !== undefined)
      throw new Refusal('permissionDenied', `Nobody gives a permission that they lack: ${missing}.`, { extra: { permission: missing } });
    const { userType, generation, since } = session;
    return this.sessions.issue({ tenant, userId, userType, generation }, SIGN_IN_LIMITS.shortLivedMs, {
      since,
      permissions: [...new Set(permissions)],
    });
  }

  /** A token with which a user signs in once. Who may make one could act as the user: nobody does that for somebody with more rights. */
  async exchangeToken(caller: Caller, anyId: string, origin: Origin): Promise<string> {
    const tenant = { company: caller.company, mode: caller.mode };
    const user = await this.desk.parts.accounts.byId(tenant, anyId);
    if (!user)
      throw new Refusal('validationError', `There is no active user ${anyId}.`, {
        errors: [{ path: 'userId', expected: 'the id of a user', message: `there is no active user ${anyId}` }],
      });
    assertMayActAs(caller, user);
    const { text, secretHash } = newGrant('exchange', tenant, user.userId);
    await this.desk.parts.accounts.take(user, { type: 'granted', kind: 'exchange', hash: secretHash }, origin);
    return text;
  }
}

function inSession({ company, mode, userId, session }: Caller): InSession {
  if (!session || userId === null) throw new Refusal('unauthenticated', 'This takes the token of a session: a key has none.');
  return { tenant: { company, mode }, userId, session };
}

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
