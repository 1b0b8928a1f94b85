const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** All limits of signing in, in milliseconds and counts. */
export const SIGN_IN_LIMITS = {
  /** How long a code is valid, how often it may be tried, and how many codes may be sent in which time. */
  codeMs: 5 * MINUTE,
  codeTries: 5,
  codesWithin: 5,
  codesWithinMs: HOUR,
  grantMs: { exchange: 5 * MINUTE, passwordReset: 30 * MINUTE },
  /** Maximum number of grants of a user; a new one replaces the oldest. */
  grants: 5,
  /** A new password must differ from the current one and from this many former ones: five in all. */
  formerPasswords: 4,
  shortLivedMs: 15 * MINUTE,
  /** Maximum length of a session, counted from signing in, over all refreshed tokens. */
  sessionMs: DAY,
  /** A key signs new tokens for this long. Its tokens are accepted for some time more, longer than any session. */
  tokenKeyMs: 30 * DAY,
  tokenKeyBelievedMs: 2 * DAY,
  /** Maximum number of revoked tokens kept per user, more than a person needs. The next revocation ends all sessions. */
  revoked: 200,
} as const;

/**
 * The state of a user's sign-ins. It has only hashes of secrets. All times are machine time in milliseconds, since a test
 * clock must not move sessions.
 */
export interface SignIn {
  /** Number of wrong credentials in a row. */
  readonly failures: number;
  readonly lockedUntil: number | null;
  /** Tokens that were revoked before they expired. */
  readonly revoked: readonly { readonly jti: string; readonly until: number }[];
  /** The session in which the password was changed; it remains valid while all others end. */
  readonly kept: { readonly jti: string; readonly generation: number } | null;
  /** Hashes, the newest first, without the current one. */
  readonly formerPasswords: readonly string[];
  /** The newest sign-in code that was sent. */
  readonly code: SentCode | null;
  /** When codes were sent within the last hour. */
  readonly codesSentAt: readonly number[];
  /** The password was right and the second factor is awaited. */
  readonly challenge: Challenge | null;
  /** Absent in records of earlier releases, which had no authenticators. */
  readonly authenticator?: AuthenticatorKey | null;
  /** Tokens that can be used once, the newest last. */
  readonly grants: readonly Grant[];
}

interface SentCode {
  readonly hash: string;
  readonly until: number;
  readonly tries: number;
}

interface Challenge {
  /** Hash of the challenge's id. */
  readonly hash: string;
  /** Null if an authenticator application generates the code. */
  readonly codeHash: string | null;
  readonly until: number;
  readonly tries: number;
}

/** The secret that the user's authenticator application shares with the service (RFC 6238). */
interface AuthenticatorKey {
  readonly sealed: Uint8Array;
  /** A right code was shown. Until then another authenticator may replace this one. */
  readonly isConfirmed: boolean;
  /** The newest time step of which a code was accepted: no code is accepted twice (RFC 6238, 5.2). */
  readonly timeStep: number;
}

export interface Grant {
  readonly kind: GrantKind;
  readonly hash: string;
  readonly until: number;
}

export type GrantKind = 'exchange' | 'passwordReset';

export const NEVER_SIGNED_IN: SignIn = {
  failures: 0,
  lockedUntil: null,
  revoked: [],
  kept: null,
  formerPasswords: [],
  code: null,
  codesSentAt: [],
  challenge: null,
  authenticator: null,
  grants: [],
};

/** What the steps of signing in need of a user. */
export interface Account {
  readonly passwordHash: string | null;
  /** Incremented when all sessions must end. */
  readonly generation: number;
  readonly signIn: SignIn;
}

/** Whether a token is still valid by the state of its user. */
export const isLiving = (
  { generation, signIn: { kept, revoked } }: Account,
  token: { readonly jti: string; readonly generation: number },
): boolean =>
  (token.generation === generation || (kept !== null && kept.jti === token.jti && kept.generation === generation)) &&
  !revoked.some(({ jti }) => jti === token.jti);

/** A step of signing in. The gateway has already compared the given secrets with the stored ones, and generated new ones. */
export type SignInStep =
  | { readonly type: 'failed' }
  /** The password was right. `verified`: the hash that it was compared with. */
  | { readonly type: 'signedIn'; readonly verified: string }
  | { readonly type: 'challenged'; readonly verified: string; readonly challengeHash: string; readonly codeHash: string }
  | { readonly type: 'answered'; readonly verified: string; readonly challengeHash: string; readonly codeHash: string }
  /**
   * The password was right, and a code of the user's authenticator is required. `sealed`: the secret of a new authenticator, if none
   * is confirmed.
   */
  | { readonly type: 'authenticatorAsked'; readonly verified: string; readonly challengeHash: string; readonly sealed: Uint8Array | null }
  /** `timeStep`: that of the given code; null if the code is wrong. */
  | { readonly type: 'authenticatorShown'; readonly verified: string; readonly challengeHash: string; readonly timeStep: number | null }
  | { readonly type: 'codeSent'; readonly codeHash: string }
  | { readonly type: 'codeShown'; readonly codeHash: string }
  | { readonly type: 'tokenRevoked'; readonly jti: string; readonly until: number }
  | { readonly type: 'granted'; readonly kind: GrantKind; readonly hash: string }
  | { readonly type: 'redeemed'; readonly kind: GrantKind; readonly hash: string }
  | { readonly type: 'passwordSet'; readonly passwordHash: string; readonly by: PasswordProof; readonly keep: string | null };

/** What entitles the caller to set a new password. */
export type PasswordProof =
  | { readonly type: 'password'; readonly verified: string }
  | { readonly type: 'grant'; readonly kind: GrantKind; readonly hash: string }
  /** Another user, who has the permission. */
  | { readonly type: 'permission' };

export interface StepContext {
  /** Machine time in milliseconds. */
  readonly at: number;
  readonly maxFailures: number;
  readonly lockoutMs: number;
}

/**
 * The result of a step. `wrong`: the given secret is wrong or no longer valid; `changed`: the password was changed meanwhile.
 * Nothing is recorded if `signIn` is absent.
 */
export interface StepResult {
  readonly outcome: 'done' | 'wrong' | 'changed' | 'locked' | 'tooMany';
  readonly signIn?: SignIn;
  readonly passwordHash?: string;
  /** All sessions end except the kept one. */
  readonly endsSessions?: true;
}

type Take<Type extends SignInStep['type']> = (
  account: Account,
  step: Extract<SignInStep, { readonly type: Type }>,
  context: StepContext,
) => StepResult;

const STEPS: { readonly [Type in SignInStep['type']]: Take<Type> } = {
  failed: ({ signIn }, _step, context) => ({ outcome: 'wrong', signIn: afterFailure(signIn, context) }),
  signedIn: ({ passwordHash, signIn }, { verified }) =>
    passwordHash === verified ? { outcome: 'done', signIn: afterSuccess(signIn) } : CHANGED,
  challenged({ passwordHash, signIn }, { verified, challengeHash, codeHash }, { at }) {
    if (passwordHash !== verified) return CHANGED;
    const sent = afterCode(signIn, at);
    return sent === null
      ? TOO_MANY
      : { outcome: 'done', signIn: { ...sent, challenge: { hash: challengeHash, codeHash, until: at + SIGN_IN_LIMITS.codeMs, tries: 0 } } };
  },
  answered({ passwordHash, signIn }, { verified, challengeHash, codeHash }, context) {
    const { challenge } = signIn;
    if (passwordHash !== verified) return CHANGED;
    if (challenge === null || challenge.hash !== challengeHash || isOver(challenge, context))
      return { outcome: 'wrong', signIn: afterFailure(signIn, context) };
    if (challenge.codeHash === codeHash) return { outcome: 'done', signIn: { ...afterSuccess(signIn), challenge: null } };
    return { outcome: 'wrong', signIn: { ...afterFailure(signIn, context), challenge: { ...challenge, tries: challenge.tries + 1 } } };
  },
  authenticatorAsked({ passwordHash, signIn }, { verified, challengeHash, sealed }, { at }) {
    if (passwordHash !== verified) return CHANGED;
    const known = signIn.authenticator ?? null;
    const authenticator = known?.isConfirmed || sealed === null ? known : { sealed, isConfirmed: false, timeStep: 0 };
    if (authenticator === null) return WRONG;
    return {
      outcome: 'done',
      signIn: { ...signIn, authenticator, challenge: { hash: challengeHash, codeHash: null, until: at + SIGN_IN_LIMITS.codeMs, tries: 0 } },
    };
  },
  authenticatorShown({ passwordHash, signIn }, { verified, challengeHash, timeStep }, context) {
    const { challenge, authenticator } = signIn;
    if (passwordHash !== verified) return CHANGED;
    if (challenge === null || authenticator == null || challenge.hash !== challengeHash || isOver(challenge, context))
      return { outcome: 'wrong', signIn: afterFailure(signIn, context) };
    const isRight = challenge.codeHash === null && timeStep !== null && timeStep > authenticator.timeStep;
    if (isRight)
      return {
        outcome: 'done',
        signIn: { ...afterSuccess(signIn), challenge: null, authenticator: { ...authenticator, isConfirmed: true, timeStep } },
      };
    return { outcome: 'wrong', signIn: { ...afterFailure(signIn, context), challenge: { ...challenge, tries: challenge.tries + 1 } } };
  },
  codeSent({ signIn }, { codeHash }, { at }) {
    const sent = afterCode(signIn, at);
    return sent === null
      ? TOO_MANY
      : { outcome: 'done', signIn: { ...sent, code: { hash: codeHash, until: at + SIGN_IN_LIMITS.codeMs, tries: 0 } } };
  },
  codeShown({ signIn }, { codeHash }, context) {
    const { code } = signIn;
    if (code === null || isOver(code, context)) return { outcome: 'wrong', signIn: afterFailure(signIn, context) };
    if (code.hash === codeHash) return { outcome: 'done', signIn: { ...afterSuccess(signIn), code: null } };
    return { outcome: 'wrong', signIn: { ...afterFailure(signIn, context), code: { ...code, tries: code.tries + 1 } } };
  },
  tokenRevoked({ signIn }, { jti, until }) {
    if (signIn.revoked.some((known) => known.jti === jti)) return WRONG;
    if (signIn.revoked.length >= SIGN_IN_LIMITS.revoked) return { outcome: 'done', signIn: { ...signIn, revoked: [] }, endsSessions: true };
    return { outcome: 'done', signIn: { ...signIn, revoked: [...signIn.revoked, { jti, until }] } };
  },
  granted: ({ signIn }, { kind, hash }, { at }) => ({
    outcome: 'done',
    signIn: {
      ...signIn,
      grants: [...signIn.grants, { kind, hash, until: at + SIGN_IN_LIMITS.grantMs[kind] }].slice(-SIGN_IN_LIMITS.grants),
    },
  }),
  redeemed({ signIn }, { kind, hash }) {
    const left = withoutGrant(signIn, kind, hash);
    return left === null ? WRONG : { outcome: 'done', signIn: afterSuccess(left) };
  },
  passwordSet({ passwordHash, generation, signIn }, { passwordHash: next, by, keep }) {
    const proved = provedBy(by, passwordHash, signIn);
    if (proved === null) return by.type === 'password' ? CHANGED : WRONG;
    const formerPasswords = [...(passwordHash === null ? [] : [passwordHash]), ...signIn.formerPasswords].slice(
      0,
      SIGN_IN_LIMITS.formerPasswords,
    );
    // The new password starts the account afresh: former grants, codes, challenges and locks end.
    const after: SignIn = {
      ...afterSuccess(proved),
      ...(by.type === 'permission' ? WITHOUT_AUTHENTICATOR : {}),
      formerPasswords,
      grants: [],
      code: null,
      challenge: null,
      kept: keep === null ? null : { jti: keep, generation: generation + 1 },
    };
    return { outcome: 'done', signIn: after, passwordHash: next, endsSessions: true };
  },
};

/** For a user who has lost the authenticator: a password that another user sets also clears the authenticator. */
const WITHOUT_AUTHENTICATOR = { authenticator: null } as const;

const WRONG: StepResult = { outcome: 'wrong' };
const CHANGED: StepResult = { outcome: 'changed' };
const TOO_MANY: StepResult = { outcome: 'tooMany' };

/** Steps that a lock refuses. The other steps come from a caller who has a token already or has the permission to issue one. */
const KEPT_OUT: ReadonlySet<SignInStep['type']> = new Set([
  'failed',
  'signedIn',
  'challenged',
  'answered',
  'authenticatorAsked',
  'authenticatorShown',
  'codeSent',
  'codeShown',
]);

/** Takes a step and removes what has expired. */
export function takeStep(account: Account, step: SignInStep, context: StepContext): StepResult {
  const current = { ...account, signIn: withoutOutdated(account.signIn, context.at) };
  if (current.signIn.lockedUntil !== null && KEPT_OUT.has(step.type)) return { outcome: 'locked' };
  return taken(step.type, current, step, context);
}

const taken = <Type extends SignInStep['type']>(
  type: Type,
  account: Account,
  step: Extract<SignInStep, { readonly type: Type }>,
  context: StepContext,
): StepResult => STEPS[type](account, step, context);

function withoutOutdated(signIn: SignIn, at: number): SignIn {
  const { lockedUntil, revoked, codesSentAt, grants } = signIn;
  return {
    ...signIn,
    lockedUntil: lockedUntil !== null && lockedUntil <= at ? null : lockedUntil,
    revoked: revoked.filter(({ until }) => until > at),
    codesSentAt: codesSentAt.filter((sentAt) => sentAt > at - SIGN_IN_LIMITS.codesWithinMs),
    grants: grants.filter(({ until }) => until > at),
  };
}

function afterFailure(signIn: SignIn, { at, maxFailures, lockoutMs }: StepContext): SignIn {
  const failures = signIn.failures + 1;
  return failures >= maxFailures ? { ...signIn, failures: 0, lockedUntil: at + lockoutMs } : { ...signIn, failures };
}

const afterSuccess = (signIn: SignIn): SignIn => ({ ...signIn, failures: 0, lockedUntil: null });

/** Null if the limit of sent codes is reached. */
const afterCode = (signIn: SignIn, at: number): SignIn | null =>
  signIn.codesSentAt.length >= SIGN_IN_LIMITS.codesWithin ? null : { ...signIn, codesSentAt: [...signIn.codesSentAt, at] };

const isOver = ({ until, tries }: { readonly until: number; readonly tries: number }, { at }: StepContext): boolean =>
  until <= at || tries >= SIGN_IN_LIMITS.codeTries;

function provedBy(by: PasswordProof, passwordHash: string | null, signIn: SignIn): SignIn | null {
  switch (by.type) {
    case 'password':
      return by.verified === passwordHash ? signIn : null;
    case 'grant':
      return withoutGrant(signIn, by.kind, by.hash);
    case 'permission':
      return signIn;
  }
}

/** Null if there is no such grant. */
function withoutGrant(signIn: SignIn, kind: GrantKind, hash: string): SignIn | null {
  const grants = signIn.grants.filter((grant) => grant.kind !== kind || grant.hash !== hash);
  return grants.length === signIn.grants.length ? null : { ...signIn, grants };
}
