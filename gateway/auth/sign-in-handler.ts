import { createHmac, hash, randomBytes, randomInt } from 'node:crypto';
import { LIMITS } from '../limits.js';
import { type GrantKind, type Mode, Refusal, type SecondFactor, type SignInStep, type Tenant } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import { type Accounts, asUser, type CodeMessage, type CodeSender, type FoundUser, lockedOut, type Origin } from './accounts.js';
import { assertServed, type SignInTarget, signInTargetsOf, networkOf, userAt, withShownType } from './addresses.js';
import { readGrant } from './grants.js';
import { enrolmentUrl, Gate, newAuthenticatorSecret, timeStepOf, AttemptsByName } from './authenticator.js';
import { isPassword } from './passwords.js';
import { NO_COMPANY, type RateLimiter } from './rate-limiter.js';
import type { Sessions } from './sessions.js';
import type { Caller, RateLimit } from '../routing/route.js';
import type { SignInBody, WhereQuery } from './sign-in-bodies.js';

export interface SignInParts {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly codes: CodeSender;
  readonly limiter: RateLimiter;
  readonly nowMs: () => number;
  /** Called with failures of work that goes on after the answer. */
  readonly onFailure: (cause: unknown) => void;
}

/** A user who has signed in, and how. */
export interface Entered {
  readonly user: FoundUser;
  readonly userType: SignInTarget['userType'] | 'api';
  readonly generation: number;
}

/** Turns credentials into a session. All wrong credentials get one answer. */
export class SignInHandler {
  readonly #attempts = new AttemptsByName();
  readonly #gate = new Gate({
    atOnce: LIMITS.passwordsAtOnce,
    waiting: LIMITS.passwordsWaiting,
    refusal: 'Too many sign-ins at the moment. Try again in a second.',
  });

  constructor(readonly parts: SignInParts) {}

  /** The token of a new session. */
  async signIn(where: WhereQuery, body: SignInBody, origin: Origin): Promise<string> {
    const { exchangeToken, username } = body;
    if (exchangeToken !== undefined) return this.tokenFor(await this.#byExchange(exchangeToken, origin));
    if (username === undefined) throw incomplete();
    const attempt = (): Promise<string> => this.#signInAs(where, body, username, origin);
    if (where.mode === 'test') return attempt();
    await this.assertFew(SIGN_INS, `${origin.address}/${username.toLowerCase()}`, origin);
    return this.#amongFew(FAILURES, `failed/${networkOf(origin.address)}`, origin, attempt);
  }

  async #signInAs(where: WhereQuery, body: SignInBody, username: string, origin: Origin): Promise<string> {
    const targets = signInTargetsOf(this.parts.accounts, where).map((target) => withShownType(target, body));
    targets.forEach(assertServed);
    const name = JSON.stringify([where.companyId, where.domain, where.mode, where.userType, username.toLowerCase()]);
    return this.tokenFor(await this.#attempts.run(name, (after) => this.#enter(targets, username, body, origin, after)));
  }

  async #enter(
    targets: readonly SignInTarget[],
    username: string,
    body: SignInBody,
    origin: Origin,
    after: (rest: Promise<unknown>) => void,
  ): Promise<Entered> {
    const found = await userAt(this.parts.accounts, targets, username);
    const target = found?.target ?? targets[0];
    const user = found?.user ?? null;
    if (user?.lockedUntil != null && user.lockedUntil > this.parts.nowMs()) throw lockedOut(user.lockedUntil, this.parts.nowMs());
    const isByCode = target !== undefined && target.authType !== 'basic';
    const step = isByCode ? await this.#codeShown(user, body) : await this.#passwordShown(user, body);
    if (user === null || target === undefined || step === null) throw WRONG();
    if (step.type === 'failed') {
      // Answered as fast as for an unknown name; the next attempt waits until this one is counted.
      after(this.later(this.parts.accounts.take(user, step, { ...origin, actor: SOMEBODY })));
      throw WRONG();
    }
    const { outcome, generation } = await this.parts.accounts.take(user, step, { ...origin, actor: asUser(user) });
    if (outcome === 'wrong') throw WRONG();
    return { user, userType: target.userType, generation };
  }

  /** Compares even for an unknown name, so that the time of the answer does not show whether the user exists. */
  async #passwordShown(user: FoundUser | null, { password, code, challengeId }: SignInBody): Promise<SignInStep | null> {
    if (password === undefined) throw incomplete();
    const verified = user?.passwordHash ?? null;
    const isRight = await this.compare(password, verified ?? NOBODYS_HASH);
    if (user === null || verified === null) return null;
    if (!isRight) return { type: 'failed' };
    const factor = this.#secondFactorOf(user.tenant);
    if (factor === null) return { type: 'signedIn', verified };
    if (challengeId === undefined || code === undefined)
      return factor === 'code' ? this.#challenge(user, verified) : this.#askAuthenticator(user, verified);
    const shown = { verified, challengeHash: hash('sha256', challengeId) };
    if (factor === 'code') return { type: 'answered', ...shown, codeHash: await this.#codeHash(user, code) };
    return {
      type: 'authenticatorShown',
      ...shown,
      timeStep: user.authenticator && timeStepOf(user.authenticator.secret, code, this.parts.nowMs()),
    };
  }

  /** The second factor that the company requires; null where the password suffices. */
  #secondFactorOf(tenant: Tenant): SecondFactor | null {
    const { requireSecondFactor = false, secondFactor = 'code' } = this.parts.accounts.company(tenant)?.profile?.config.auth ?? {};
    return requireSecondFactor ? secondFactor : null;
  }

  /** Asks for a code of the user's authenticator. Until one has given a right code, each question sets up a new one. */
  async #askAuthenticator(user: FoundUser, verified: string): Promise<never> {
    const challengeId = randomBytes(16).toString('base64url');
    const secret = user.authenticator?.isConfirmed ? undefined : newAuthenticatorSecret();
    const { outcome } = await this.parts.accounts.take(
      user,
      { type: 'authenticatorAsked', verified, challengeHash: hash('sha256', challengeId), sealed: null },
      asked(user, challengeId),
      secret,
    );
    if (outcome !== 'done') throw WRONG();
    const profile = this.parts.accounts.company(user.tenant)?.profile;
    const enrolment =
      secret === undefined
        ? {}
        : { enrolment: { secret, url: enrolmentUrl(secret, profile?.brandName ?? profile?.name ?? '', user.userName) } };
    throw new Refusal('secondFactorRequired', 'Repeat the request with `challengeId` and a `code` of the authenticator application.', {
      extra: { challengeId, factor: 'authenticator', ...enrolment },
    });
  }

  /** Sends a code, and asks for it. */
  async #challenge(user: FoundUser, verified: string): Promise<never> {
    const challengeId = randomBytes(16).toString('base64url');
    const way = wayTo(user);
    if (way === null)
      throw new Refusal(
        'businessValidation',
        'A second factor is required, but the user has no e-mail address or phone. Add one to the user.',
      );
    this.assertSends(user.tenant.mode);
    const code = newCode();
    await this.parts.accounts.take(
      user,
      { type: 'challenged', verified, challengeHash: hash('sha256', challengeId), codeHash: await this.#codeHash(user, code) },
      asked(user, challengeId),
    );
    await this.parts.codes.send({ ...user.tenant, ...way, purpose: 'secondFactor', code });
    throw new Refusal('secondFactorRequired', 'Repeat the request with `challengeId` and the `code` that was sent.', {
      extra: { challengeId, factor: way.channel },
    });
  }

  async #codeShown(user: FoundUser | null, { code }: SignInBody): Promise<SignInStep | null> {
    if (code === undefined) throw incomplete();
    return user && { type: 'codeShown', codeHash: await this.#codeHash(user, code) };
  }

  /** Sends a code to sign in with. The answer and its time are the same whether the user exists or not. */
  async sendCode(where: WhereQuery, username: string, origin: Origin): Promise<void> {
    const { accounts } = this.parts;
    const targets = signInTargetsOf(accounts, where).map(
      (target): SignInTarget =>
        target.authType === 'oneTimeCodeText' ? target : { ...target, authType: where.authType ?? 'oneTimeCodeEmail' },
    );
    targets.forEach(assertServed);
    this.assertSends(where.mode ?? 'live');
    await this.assertFewSent(`${where.companyId ?? where.domain ?? ''}/${username.toLowerCase()}`, origin);
    const found = await userAt(accounts, targets, username);
    const channel = found?.target.authType === 'oneTimeCodeText' ? 'text' : 'email';
    const destination = found?.user.auths.find(
      ({ authType, authValueType }) => authType === found.target.authType && authValueType === (channel === 'text' ? 'phone' : 'email'),
    )?.value;
    if (found && destination !== undefined) void this.later(this.#sendCode(found.user, { channel, destination }, origin));
  }

  async #sendCode(user: FoundUser, way: Pick<CodeMessage, 'channel' | 'destination'>, origin: Origin): Promise<void> {
    const code = newCode();
    await this.parts.accounts.take(user, { type: 'codeSent', codeHash: await this.#codeHash(user, code) }, { ...origin, actor: SOMEBODY });
    await this.parts.codes.send({ ...user.tenant, ...way, purpose: 'signIn', code });
  }

  async #byExchange(text: string, origin: Origin): Promise<Entered> {
    const { user, secretHash } = await this.grantee('exchange', text);
    const { outcome, generation } = await this.parts.accounts.take(
      user,
      { type: 'redeemed', kind: 'exchange', hash: secretHash },
      { ...origin, actor: asUser(user) },
    );
    if (outcome === 'wrong') throw WRONG();
    return { user, userType: user.userType, generation };
  }

  /** The user of a token for one use. */
  async grantee(kind: GrantKind, text: string): Promise<{ readonly user: FoundUser; readonly secretHash: string }> {
    const grant = readGrant(kind, text);
    const user = grant && (await this.parts.accounts.byId(grant.tenant, grant.userId));
    const isGood =
      user?.grants.some((known) => known.kind === kind && known.hash === grant?.secretHash && known.until > this.parts.nowMs()) === true;
    if (!user || !grant || !isGood) throw WRONG();
    return { user, secretHash: grant.secretHash };
  }

  async tokenFor({ user, userType, generation }: Entered): Promise<string> {
    return this.parts.sessions.issue(
      { tenant: user.tenant, userId: user.userId, userType, generation },
      this.lifetimeMs(user.tenant, userType),
    );
  }

  lifetimeMs(tenant: Tenant, userType: Entered['userType']): number {
    const { agentTokenMinutes, borrowerTokenMinutes } = must(this.parts.accounts.company(tenant)?.profile, 'a company that is there').config
      .auth;
    return (userType === 'borrower' ? borrowerTokenMinutes : agentTokenMinutes) * 60_000;
  }

  compare(password: string, stored: string): Promise<boolean> {
    return this.compute(() => isPassword(password, stored));
  }

  compute<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#gate.pass(work);
  }

  /** Work that goes on after the answer. */
  later(work: Promise<unknown>): Promise<unknown> {
    return work.catch((cause: unknown) => (cause instanceof Refusal ? undefined : this.parts.onFailure(cause)));
  }

  /** Throws 429 after too many attempts under a name, whether a user has it or not. */
  async assertFew(rateLimit: RateLimit, name: string, origin: Origin): Promise<void> {
    const { refusal } = await this.parts.limiter.take(countedAs(rateLimit, name, origin));
    if (refusal) throw refusal;
  }

  /** Limits the messages to a user: few for a name, and few names from one address. */
  async assertFewSent(name: string, origin: Origin): Promise<void> {
    await this.assertFew(CODES, name, origin);
    await this.assertFew(SENT, `sent/${networkOf(origin.address)}`, origin);
  }

  /**
   * Limits failed attempts. Each counts from its beginning, so that parallel attempts count too; a successful one is given back.
   */
  async #amongFew<Result>(rateLimit: RateLimit, name: string, origin: Origin, attempt: () => Promise<Result>): Promise<Result> {
    const counted = countedAs(rateLimit, name, origin);
    const { refusal } = await this.parts.limiter.take(counted);
    if (refusal) throw refusal;
    try {
      const result = await attempt();
      await this.parts.limiter.giveBack(counted);
      return result;
    } catch (cause) {
      if (cause instanceof Refusal && UNGUESSED.has(cause.errorType)) await this.parts.limiter.giveBack(counted);
      throw cause;
    }
  }

  assertSends(mode: Mode): void {
    if (!this.parts.codes.sends(mode))
      throw new Refusal('businessValidation', `Codes cannot be sent in ${mode} mode: no sending service is connected.`);
  }

  /** Hashed with the company's key: six digits alone could be guessed from their hash. */
  async #codeHash({ tenant, userId }: FoundUser, code: string): Promise<string> {
    const { secret } = await this.parts.sessions.keys.current(tenant);
    return createHmac('sha256', secret).update(`${userId}/${code}`).digest('base64url');
  }
}

/** Platform 9: attempts to sign in from an address under a name, and codes for a name. */
const SIGN_INS: RateLimit = { perSecond: 10 / 60, burst: 10 };
const CODES: RateLimit = { perSecond: 5 / 3_600, burst: 5 };
/** From one address under all names together: failed attempts, and sent messages. All who work in an office share one address. */
const FAILURES: RateLimit = { perSecond: 10 / 60, burst: 30 };
const SENT: RateLimit = { perSecond: 100 / 3_600, burst: 100 };

/** Refusals after which the attempt does not count: the password was right, or nothing was compared. */
const UNGUESSED: ReadonlySet<string> = new Set(['secondFactorRequired', 'unavailable']);

const countedAs = (rateLimit: RateLimit, name: string, { address }: Origin): Caller => ({
  company: NO_COMPANY,
  mode: 'test',
  keyId: hash('sha256', `${rateLimit.burst}/${name}`),
  userId: null,
  permissions: NO_PERMISSIONS,
  address,
  rateLimit,
});

const NO_PERMISSIONS: ReadonlySet<string> = new Set();

/** Compared with where there is no user: it takes as long as the hash of a user. */
const NOBODYS_HASH = `scrypt$${2 ** 15}$8$1$${randomBytes(16).toString('base64url')}$${randomBytes(32).toString('base64url')}`;

const SOMEBODY = { type: 'user', id: 'unknown' } as const;

/** One message for all wrong credentials: the caller must not learn which part was wrong. */
export const WRONG = (): Refusal => new Refusal('unauthenticated', 'The credentials are wrong or have expired.');

const incomplete = (): Refusal =>
  new Refusal('validationError', 'Send `username` with `password` or `code`, or send `exchangeToken`.', {
    errors: [
      { path: 'username', expected: 'username with password or code, or exchangeToken', message: 'the credentials are not complete' },
    ],
  });

const CODE_DIGITS = 6;
const newCode = (): string => String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');

/** Where to send a code to a user: by e-mail where there is an address, else by text. */
export function wayTo({ auths }: FoundUser): Pick<CodeMessage, 'channel' | 'destination'> | null {
  const valueOf = (wanted: string): string | undefined => auths.find(({ authValueType }) => authValueType === wanted)?.value;
  const [email, phone] = [valueOf('email'), valueOf('phone')];
  if (email !== undefined) return { channel: 'email', destination: email };
  return phone === undefined ? null : { channel: 'text', destination: phone };
}

/** The origin of a question for a second factor: the user, with the id of the question as the id of the request. */
const asked = (user: FoundUser, challengeId: string): Origin => ({ address: '', requestId: challengeId, actor: asUser(user) });
