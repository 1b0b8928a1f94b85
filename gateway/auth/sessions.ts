import { randomBytes } from 'node:crypto';
import {
  accountOf, type CompanyState, isLiving, permissionsOf, Refusal, rolesOf, SIGN_IN_LIMITS, type Tenant, usersOf,
} from '../../actors/index.js';
import type { Engine } from '../engine.js';
import { LIMITS } from '../limits.js';
import type { Caller, Session } from '../routing/call.js';
import type { Authenticator, Credential } from './credential.js';
import type { Companies } from './key-directory.js';
import { isSignedWith, signedToken, type TokenClaims, type TokenParts, tokenParts } from './token.js';
import { TokenKeys } from './token-keys.js';

export interface SessionsOptions {
  readonly engine: Engine;
  /** Where companies are found without asking: the engine of this process. */
  readonly companies: Companies;
  /** Machine time in milliseconds. */
  readonly nowMs: () => number;
}

/** Whom a token is for. */
export interface TokenHolder {
  readonly tenant: Tenant;
  readonly userId: string;
  readonly userType: TokenClaims['userType'];
  readonly generation: number;
}

/** Gives out the tokens of sessions, and finds out whose a token is. */
export class Sessions implements Authenticator {
  readonly keys: TokenKeys;
  readonly #permissions = new Map<string, { readonly users: unknown; readonly roles: unknown; readonly granted: ReadonlySet<string> }>();

  constructor(private readonly options: SessionsOptions) {
    this.keys = new TokenKeys(options.engine, options.nowMs);
  }

  /** A token for a while; `since`: when its user signed in, in milliseconds. */
  async issue(holder: TokenHolder, lifetimeMs: number, { since = this.options.nowMs(), permissions }: { readonly since?: number; readonly permissions?: readonly string[] } = {}): Promise<string> {
    const { tenant: { company, mode }, userId, userType, generation } = holder;
    const now = this.options.nowMs();
    const until = Math.min(now + lifetimeMs, since + SIGN_IN_LIMITS.sessionMs);
    const claims: TokenClaims = {
      sub: userId, companyId: company, userType, mode, iat: seconds(now), exp: seconds(until), jti: randomBytes(16).toString('base64url'), auth_time: seconds(since), gen: generation,
      ...(permissions === undefined ? {} : { permissions }),
    };
    const { id, secret } = await this.keys.current(holder.tenant);
    const token = signedToken(claims, id, secret);
    if (token.length > LIMITS.credentialLength) throw new Refusal('validationError', 'A token has no room for so many permissions.', { errors: [{ path: 'permissions', expected: 'fewer', message: 'are too many' }] });
    return token;
  }

  authenticate(credential: Credential): Caller | Promise<Caller> {
    const parts = tokenParts(credential.text) ?? refuseToken();
    const tenant = { company: parts.claims.companyId, mode: parts.claims.mode };
    if (!this.#company(tenant)) return refuseToken();
    const key = this.keys.known(tenant, parts.keyId);
    if (key) return this.#callerOf(parts, key.secret, credential);
    return this.keys.find(tenant, parts.keyId).then((found) => (found ? this.#callerOf(parts, found.secret, credential) : refuseToken()));
  }

  #company(tenant: Tenant): CompanyState | undefined {
    return this.options.companies.stateOf<CompanyState>(tenant, 'company', tenant.company);
  }

  #callerOf(parts: TokenParts, secret: string, { address }: Credential): Caller {
    const { claims } = parts;
    if (!isSignedWith(parts, secret)) refuseToken();
    if (claims.exp <= this.options.nowMs() / 1000) throw new Refusal('tokenExpired', 'The token has expired: sign in again.');
    const tenant = { company: claims.companyId, mode: claims.mode };
    const state = this.#company(tenant) ?? refuseToken();
    const user = usersOf(state).get(claims.sub) ?? refuseToken();
    const isActive = user.stored.status === 'active' && state.profile?.status === 'active';
    if (!isActive || !isLiving(accountOf(state, user), { jti: claims.jti, generation: claims.gen })) throw new Refusal('tokenRevoked', 'The session has ended: sign in again.');
    const granted = this.#grantedTo(state, claims.sub);
    const permissions = claims.permissions === undefined ? granted : new Set(claims.permissions.filter((name) => granted.has(name) || granted.has('*')));
    const session: Session = {
      jti: claims.jti, userType: claims.userType, since: claims.auth_time * 1000, until: claims.exp * 1000, generation: claims.gen, isShortLived: claims.permissions !== undefined,
    };
    return { ...tenant, keyId: null, userId: claims.sub, permissions, address, session };
  }

  /** Computed again when the users or roles of the company are others. */
  #grantedTo(state: CompanyState, userId: string): ReadonlySet<string> {
    const [users, roles] = [usersOf(state), rolesOf(state)];
    const known = this.#permissions.get(userId);
    if (known && known.users === users && known.roles === roles) return known.granted;
    const user = users.get(userId)?.stored;
    const granted = user ? permissionsOf(state, user) : new Set<string>();
    this.#permissions.set(userId, { users, roles, granted });
    return granted;
  }
}

/** One message for all that is no token of ours. */
const refuseToken = (): never => {
  throw new Refusal('unauthenticated', 'The token is not valid.');
};

const seconds = (ms: number): number => Math.floor(ms / 1000);
