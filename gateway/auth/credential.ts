import { isPermitted, Refusal, SIGN_IN_LIMITS, type Tenant } from '../../actors/index.js';
import type { HttpRequest } from '../http/message.js';
import { LIMITS } from '../limits.js';
import type { Caller, Session } from '../routing/route.js';
import { Accounts, asUser, type Origin } from './accounts.js';
import { newGrant } from './grants.js';
import { apiKeyAuthenticator, isKeyText, keyDirectory, withNewestKeys } from './key-directory.js';
import { assertMayActAs, PasswordHandler } from './password-handler.js';
import { Sessions, type SessionsOptions } from './sessions.js';
import { SignInHandler, type SignInParts } from './sign-in-handler.js';

/** The credential of a request. */
export interface Credential {
  /** A key (`test_…`, `live_…`) or a session's token. */
  readonly text: string;
  /** The client's address, for keys that are bound to some. */
  readonly address: string;
}

/** Finds the caller of a request. Throws `Refusal` with 401, or 403 for an address that the key does not allow. */
export interface Authenticator {
  authenticate(credential: Credential): Caller | Promise<Caller>;
}

/** Reads `Authorization: Bearer`, `X-API-KEY` or `X_API_KEY`. Undefined when none is sent. */
export function credentialText(headers: HttpRequest['headers']): string | undefined {
  const token = bearer(headers.authorization);
  const { 'x-api-key': dashed, x_api_key: underlined } = headers;
  const text = token || dashed || underlined;
  if (text === '') return undefined;
  if ((dashed !== '' && dashed !== text) || (underlined !== '' && underlined !== text))
    throw new Refusal('unauthenticated', 'The request has two different credentials. Send one: Authorization or X-API-KEY.');
  if (text.length > LIMITS.credentialLength)
    throw new Refusal('unauthenticated', `The credential is longer than ${LIMITS.credentialLength} characters.`);
  return text;
}

function bearer(header: string): string {
  if (header === '') return '';
  const match = /^Bearer +(\S+) *$/i.exec(header);
  if (!match) throw new Refusal('unauthenticated', 'The Authorization header must have the form "Bearer KEY_OR_TOKEN".');
  return match[1] ?? '';
}

/** Every permission: for keys whose user has no roles that limit it. */
export const ALL_PERMISSIONS: ReadonlySet<string> = new Set(['*']);

export function assertPermitted(caller: Caller, permission: string): void {
  if (caller.permissions.has(permission) || caller.permissions.has('*')) return;
  throw new Refusal('permissionDenied', `This operation needs the permission ${permission}.`, { extra: { permission } });
}

/** Authenticates keys and tokens. They are distinguished by how they look, in whichever header they are sent. */
const keysAndSessions = (keys: Authenticator, sessions: Authenticator): Authenticator => ({
  authenticate: (credential) => (isKeyText(credential.text) || !credential.text.includes('.') ? keys : sessions).authenticate(credential),
});

interface InSession {
  readonly tenant: Tenant;
  readonly userId: string;
  readonly session: Session;
}

/** Refreshes, ends and narrows the token of a session, and makes tokens with which other users sign in. */
class SessionHandler {
  constructor(
    private readonly signIn: SignInHandler,
    private readonly sessions: Sessions,
  ) {}

  /** Replaces the token of this session by a new one. */
  async refresh(caller: Caller, origin: Origin): Promise<string> {
    const { tenant, userId, session } = inSession(caller);
    if (session.isShortLived) throw new Refusal('permissionDenied', 'A short-lived token cannot be refreshed. Use the token of a session.');
    const generation = await this.#revoke({ tenant, userId, session }, origin);
    const lifetimeMs = this.signIn.lifetimeMs(tenant, session.userType);
    return this.sessions.issue({ tenant, userId, userType: session.userType, generation }, lifetimeMs, { since: session.since });
  }

  async end(caller: Caller, origin: Origin): Promise<void> {
    await this.#revoke(inSession(caller), origin);
  }

  async #revoke({ tenant, userId, session: { jti, until, userType } }: InSession, origin: Origin): Promise<number> {
    const { outcome, generation } = await this.signIn.parts.accounts.take(
      { tenant, userId, userType },
      { type: 'tokenRevoked', jti, until },
      { ...origin, actor: asUser({ userId }) },
    );
    if (outcome === 'wrong') throw new Refusal('tokenRevoked', 'The session has ended. Sign in again.');
    return generation;
  }

  /** A token with fewer permissions and a short lifetime. */
  async shortLived(caller: Caller, permissions: readonly string[]): Promise<string> {
    const { tenant, userId, session } = inSession(caller);
    if (session.isShortLived)
      throw new Refusal('permissionDenied', 'A short-lived token cannot create another token. Use the token of a session.');
    const missing = permissions.find((name) => !isPermitted(caller.permissions, name));
    if (missing !== undefined)
      throw new Refusal('permissionDenied', `You cannot grant the permission ${missing}: you do not have it.`, {
        extra: { permission: missing },
      });
    const { userType, generation, since } = session;
    return this.sessions.issue({ tenant, userId, userType, generation }, SIGN_IN_LIMITS.shortLivedMs, {
      since,
      permissions: [...new Set(permissions)],
    });
  }

  /** A token with which a user signs in once. The caller could act as that user, and so needs every right that the user has. */
  async exchangeToken(caller: Caller, anyId: string, origin: Origin): Promise<string> {
    const tenant = { company: caller.company, mode: caller.mode };
    const user = await this.signIn.parts.accounts.byId(tenant, anyId);
    if (!user)
      throw new Refusal('validationError', `There is no active user ${anyId}.`, {
        errors: [{ path: 'userId', expected: 'the id of an active user', message: `userId: there is no active user ${anyId}` }],
      });
    assertMayActAs(caller, user);
    const { text, secretHash } = newGrant('exchange', tenant, user.userId);
    await this.signIn.parts.accounts.take(user, { type: 'granted', kind: 'exchange', hash: secretHash }, origin);
    return text;
  }
}

function inSession({ company, mode, userId, session }: Caller): InSession {
  if (!session || userId === null)
    throw new Refusal('unauthenticated', 'This operation needs the token of a session. Sign in; an API key is not accepted here.');
  return { tenant: { company, mode }, userId, session };
}

/** Signs users in, keeps their sessions and changes their passwords. */
export interface Access {
  readonly accounts: Accounts;
  readonly signIn: SignInHandler;
  readonly sessions: SessionHandler;
  readonly passwords: PasswordHandler;
}

export interface AccessOptions extends Omit<SessionsOptions, 'accounts'>, Pick<SignInParts, 'codes' | 'limiter' | 'onFailure'> {
  /** Of an engine that only follows the companies: resolves when it has read everything written before the call. */
  readonly caughtUp: (() => Promise<void>) | null;
}

/** With the authenticator of keys and tokens. */
export function openAccess({ engine, companies, nowMs, codes, limiter, onFailure, caughtUp }: AccessOptions): {
  readonly access: Access;
  readonly authenticator: Authenticator;
} {
  const accounts = new Accounts(engine, companies, nowMs);
  const sessions = new Sessions({ engine, companies, accounts, nowMs });
  const signIn = new SignInHandler({ accounts, sessions, codes, limiter, nowMs, onFailure });
  const authenticator = keysAndSessions(apiKeyAuthenticator(keyDirectory(companies)), sessions);
  return {
    access: { accounts, signIn, sessions: new SessionHandler(signIn, sessions), passwords: new PasswordHandler(signIn) },
    authenticator: caughtUp ? withNewestKeys(authenticator, caughtUp) : authenticator,
  };
}

/** For processes without an interface, and for generated documents. */
export const NO_ACCESS: Access = {
  get accounts() {
    return noSignIns();
  },
  get signIn() {
    return noSignIns();
  },
  get sessions() {
    return noSignIns();
  },
  get passwords() {
    return noSignIns();
  },
};

function noSignIns(): never {
  throw new Refusal('unavailable', 'This process does not serve sign-ins.');
}
