import { randomBytes } from 'node:crypto';
import {
  accountOf,
  type CommandRequest,
  type CompanyState,
  employeesOf,
  investorsSeenBy,
  isFreshTokenKey,
  isLiving,
  isPermitted,
  type OpenTokenKey,
  permissionsOf,
  Refusal,
  rolesOf,
  SIGN_IN_LIMITS,
  type Tenant,
  type TokenKeyBody,
  usersOf,
} from '../../actors/index.js';
import { must } from '../../engine/index.js';
import { ask } from '../answers.js';
import { LIMITS } from '../limits.js';
import type { EngineCalls } from '../engine-calls.js';
import type { Caller, Session } from '../routing/route.js';
import type { Accounts } from './accounts.js';
import { BORROWER_PERMISSIONS } from './borrower-limits.js';
import type { Authenticator, Credential } from './credential.js';
import type { Companies } from './key-directory.js';
import { isSignedWith, signedToken, type TokenClaims, tokenParts, type TokenParts } from './token.js';

const SECRET_BYTES = 32;

const NO_PERMISSIONS: ReadonlySet<string> = new Set();

/** The keys that sign the tokens of each company and mode. The company stores them sealed; a gateway reads them once. */
export class TokenKeys {
  readonly #known = new Map<string, { readonly keys: readonly OpenTokenKey[]; readonly askedAt: number }>();

  constructor(
    private readonly engine: EngineCalls,
    private readonly nowMs: () => number,
  ) {}

  /** The key that signs now; made where there is no fresh one. */
  async current(tenant: Tenant): Promise<OpenTokenKey> {
    const isFresh = (key: OpenTokenKey | undefined): boolean => key !== undefined && isFreshTokenKey(key, this.nowMs());
    if (!isFresh(this.#knownOf(tenant).at(-1)) && !isFresh((await this.#ask(tenant)).at(-1))) {
      await this.#make(tenant);
      await this.#ask(tenant);
    }
    return must(this.#knownOf(tenant).at(-1), 'a key that was made');
  }

  /** The key with this id, where this gateway has read it. */
  known(tenant: Tenant, keyId: string): OpenTokenKey | undefined {
    return this.#knownOf(tenant).find(({ id }) => id === keyId);
  }

  /** The same, read from the company where it is not known. Anybody can make up ids, so keys are read at most once in a while. */
  async find(tenant: Tenant, keyId: string): Promise<OpenTokenKey | undefined> {
    const { askedAt = -Infinity } = this.#known.get(nameOf(tenant)) ?? {};
    if (performance.now() - askedAt > LIMITS.tokenKeysAskedMs) await this.#ask(tenant);
    return this.known(tenant, keyId);
  }

  #knownOf(tenant: Tenant): readonly OpenTokenKey[] {
    return this.#known.get(nameOf(tenant))?.keys ?? [];
  }

  async #ask(tenant: Tenant): Promise<readonly OpenTokenKey[]> {
    const keys = await ask(this.engine, {
      ...tenant,
      type: 'tokenKey.list',
      target: tenant.company,
      params: {},
      query: {},
      permissions: NO_PERMISSIONS,
    });
    this.#known.set(nameOf(tenant), { keys, askedAt: performance.now() });
    return keys;
  }

  async #make(tenant: Tenant): Promise<void> {
    const body: TokenKeyBody = { secret: randomBytes(SECRET_BYTES).toString('base64url'), at: this.nowMs() };
    const commandId = `token-key-${randomBytes(16).toString('hex')}`;
    const request: CommandRequest = {
      ...tenant,
      commandId,
      type: 'tokenKey.make',
      target: tenant.company,
      params: {},
      body,
      actor: { type: 'system', id: 'gateway' },
      permissions: NO_PERMISSIONS,
      address: null,
      requestId: commandId,
    };
    await this.engine.execute(request);
  }
}

const nameOf = ({ company, mode }: Tenant): string => `${company}/${mode}`;

export interface SessionsOptions {
  readonly engine: EngineCalls;
  /** Where companies are found without asking: the engine of this process. */
  readonly companies: Companies;
  readonly accounts: Accounts;
  /** Machine time in milliseconds. */
  readonly nowMs: () => number;
}

/** The user of a token. */
export interface TokenHolder {
  readonly tenant: Tenant;
  readonly userId: string;
  readonly userType: TokenClaims['userType'];
  readonly generation: number;
}

/** Issues the tokens of sessions, and authenticates them. */
export class Sessions implements Authenticator {
  readonly keys: TokenKeys;
  readonly #known = new Map<string, Known>();

  constructor(private readonly options: SessionsOptions) {
    this.keys = new TokenKeys(options.engine, options.nowMs);
  }

  /** A token with a lifetime; `since`: when its user signed in, in milliseconds. */
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
      throw new Refusal('validationError', 'The token would be too long. Send fewer `permissions`.', {
        errors: [{ path: 'permissions', expected: 'fewer permissions', message: 'permissions has too many items for one token' }],
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
    if (claims.exp <= this.options.nowMs() / 1000) throw new Refusal('tokenExpired', 'The token has expired. Sign in again.');
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

  /** Users of borrowers are stored with the borrower, since there are many: its shard is asked whether the session goes on. */
  async #borrower(tenant: Tenant, claims: TokenClaims, address: string): Promise<Caller> {
    const known = await this.options.accounts.portalSession(tenant, claims.sub, { jti: claims.jti, generation: claims.gen });
    if (!known) throw ended();
    return callerWith(claims, BORROWER_PERMISSIONS, address, { ...sessionOf(claims), borrower: known });
  }

  /** Computed again when the users, roles or employees of the company have changed. */
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

/** What a user may do and see, with the parts of the company from which it was computed. */
interface Known {
  readonly of: readonly unknown[];
  readonly granted: ReadonlySet<string>;
  readonly investorIds: readonly string[] | undefined;
}

/** One message for every text that is not a token of this service. */
const refuseToken = (): never => {
  throw new Refusal('unauthenticated', 'The token is not valid.');
};

const ended = (): Refusal => new Refusal('tokenRevoked', 'The session has ended. Sign in again.');

const sessionOf = ({ jti, userType, auth_time: since, exp, gen, permissions }: TokenClaims): Session => ({
  jti,
  userType,
  since: since * 1000,
  until: exp * 1000,
  generation: gen,
  isShortLived: permissions !== undefined,
});

/** A short-lived token has the permissions it was given, as far as its user still has them. */
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
