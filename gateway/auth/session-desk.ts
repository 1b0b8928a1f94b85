import { isPermitted, Refusal, SIGN_IN_LIMITS, type Tenant } from '../../actors/index.js';
import type { Caller, Session } from '../routing/call.js';
import { assertMayActAs } from './acting-as.js';
import { asUser, type Origin } from './accounts.js';
import { newGrant } from './grants.js';
import type { Sessions } from './sessions.js';
import type { SignInDesk } from './sign-in-desk.js';

interface InSession {
  readonly tenant: Tenant;
  readonly userId: string;
  readonly session: Session;
}

/** What a session does with its own token, and what a caller may hand on of what it has. */
export class SessionDesk {
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
