import { randomBytes } from 'node:crypto';
import {
  accountOf,
  type CompanyState,
  employeesOf,
  investorsSeenBy,
  isLiving,
  isPermitted,
  permissionsOf,
  Refusal,
  rolesOf,
  SIGN_IN_LIMITS,
  type Tenant,
  usersOf,
} from '../../actors/index.js';
import type { Engine } from '../engine.js';
import { LIMITS } from '../limits.js';
import type { Caller, Session } from '../routing/call.js';
import type { Authenticator, Credential } from './credential.js';
import type { Companies } from './key-directory.js';
import type { Accounts } from './accounts.js';
import { BORROWER_PERMISSIONS } from './borrower-limits.js';
import { isSignedWith, signedToken, type TokenClaims, type TokenParts, tokenParts } from './token.js';
import { TokenKeys } from './token-keys.js';

export interface SessionsOptions {
  readonly engine: Engine;
  /** Where companies are found without asking: the engine of this process. */
  readonly companies: Companies;
  readonly accounts: Accounts;
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
  readonly #known = new Map<string, Known>();

  constructor(private readonly options: SessionsOptions) {
    this.keys = new TokenKeys(options.engine, options.nowMs);
  }

  /** A token for a while; `since`: when its user signed in, in milliseconds. */
  async issue(
    holder: TokenHolder,
    lifetimeMs: number,
    { since = this.options.nowMs(), permissions }: { readonly since?: number; readonly permissions?: readonly string[] } = {},
  ): Promise<string> {
    const {
      tenant: { company, mode },
      userId,
      userType,
      generation,
    } = holder;
    const now = this.options.nowMs();
    const until = Math.min(now + lifetimeMs, since + SIGN_IN_LIMITS.sessionMs);
    const claims: TokenClaims = {
      sub: userId,
      companyId: company,
      userType,
      mode,
      iat: seconds(now),
      exp: seconds(until),
      jti: randomBytes(16).toString('base64url'),
      auth_time: seconds(since),
      gen: generation,
      ...(permissions === undefined ? {} : { permissions }),
    };
    const { id, secret } = await this.keys.current(holder.tenant);
    const token = signedToken(claims, id, secret);
    if (token.length > LIMITS.credentialLength)
      throw new Refusal('validationError', 'A token has no room for so many permissions.', {
        errors: [{ path: 'permissions', expected: 'fewer', message: 'are too many' }],
      });
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

  #callerOf(parts: TokenParts, secret: string, { address }: Credential): Caller | Promise<Caller> {
    const { claims } = parts;
    if (!isSignedWith(parts, secret)) refuseToken();
    if (claims.exp <= this.options.nowMs() / 1000) throw new Refusal('tokenExpired', 'The token has expired: sign in again.');
    const tenant: Tenant = { company: claims.companyId, mode: claims.mode };
    if (claims.userType === 'borrower') return this.#borrower(tenant, claims, address);
    const state = this.#company(tenant) ?? refuseToken();
    const user = usersOf(state).get(claims.sub) ?? refuseToken();
    const isActive = user.stored.status === 'active' && state.profile?.status === 'active';
    if (!isActive || !isLiving(accountOf(state, user), { jti: claims.jti, generation: claims.gen })) throw ended();
    const { granted, investorIds } = this.#knownOf(state, claims.sub);
    const caller = callerWith(claims, granted, address, sessionOf(claims));
    return investorIds === undefined ? caller : { ...caller, investorIds };
  }

  /** Users of borrowers lie beside them, as many as there are: whether a session goes on is asked there. */
  async #borrower(tenant: Tenant, claims: TokenClaims, address: string): Promise<Caller> {
    const known = await this.options.accounts.portalSession(tenant, claims.sub, { jti: claims.jti, generation: claims.gen });
    if (!known) throw ended();
    return callerWith(claims, BORROWER_PERMISSIONS, address, { ...sessionOf(claims), borrower: known });
  }

  /** Computed again when the users, roles or employees of the company are others. */
  #knownOf(state: CompanyState, userId: string): Known {
    const of = [usersOf(state), rolesOf(state), employeesOf(state)];
    const known = this.#known.get(userId);
    if (known?.of.every((each, at) => each === of[at]) === true) return known;
    const user = usersOf(state).get(userId)?.stored;
    const found: Known = {
      of,
      granted: user ? permissionsOf(state, user) : new Set<string>(),
      investorIds: investorsSeenBy(state, userId),
    };
    this.#known.set(userId, found);
    return found;
  }
}

/** What the configuration of its company says about a user, and what of it was looked at. */
interface Known {
  readonly of: readonly unknown[];
  readonly granted: ReadonlySet<string>;
  readonly investorIds: readonly string[] | undefined;
}

/** One message for all that is no token of ours. */
const refuseToken = (): never => {
  throw new Refusal('unauthenticated', 'The token is not valid.');
};

const ended = (): Refusal => new Refusal('tokenRevoked', 'The session has ended: sign in again.');

const sessionOf = ({ jti, userType, auth_time: since, exp, gen, permissions }: TokenClaims): Session => ({
  jti,
  userType,
  since: since * 1000,
  until: exp * 1000,
  generation: gen,
  isShortLived: permissions !== undefined,
});

/** A short-lived token has what it was given, as far as its user still has it. */
function callerWith(
  { companyId: company, mode, sub: userId, permissions: given }: TokenClaims,
  granted: ReadonlySet<string>,
  address: string,
  session: Session,
): Caller {
  const permissions = given === undefined ? granted : new Set(given.filter((name) => isPermitted(granted, name)));
  return { company, mode, keyId: null, userId, permissions, address, session };
}

const seconds = (ms: number): number => Math.floor(ms / 1000);
