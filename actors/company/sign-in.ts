const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Every bound of signing in, in milliseconds and counts. */
export const SIGN_IN_LIMITS = {
  /** How long a code that was sent is good, how often it may be tried, and how many may be sent in what time. */
  codeMs: 5 * MINUTE,
  codeTries: 5,
  codesWithin: 5,
  codesWithinMs: HOUR,
  grantMs: { exchange: 5 * MINUTE, passwordReset: 30 * MINUTE },
  /** Grants of a user at once: the oldest give way. */
  grants: 5,
  /** With the one in force, the five that a new password may not be. */
  formerPasswords: 4,
  shortLivedMs: 15 * MINUTE,
  /** From signing in, over all refreshed tokens. */
  sessionMs: DAY,
  /** When a new key signs tokens, and how long the one before it is believed: longer than any session. */
  tokenKeyMs: 30 * DAY,
  tokenKeyBelievedMs: 2 * DAY,
  /** Tokens given back that are remembered of a user, more than any person has: with the next all sessions end. */
  revoked: 200,
} as const;

/**
 * What is remembered of the ways in which a user comes and goes. Secrets lie in it as hashes alone; all times are machine time in
 * milliseconds, since a test clock moves nobody's session.
 */
export interface SignIn {
  /** Wrong credentials in a row. */
  readonly failures: number;
  readonly lockedUntil: number | null;
  /** Tokens that were given back before their end. */
  readonly revoked: readonly { readonly jti: string; readonly until: number }[];
  /** The session in which the password was changed goes on while all others end. */
  readonly kept: { readonly jti: string; readonly generation: number } | null;
  /** Hashes, the newest first, without the one in force. */
  readonly formerPasswords: readonly string[];
  /** The newest code that was sent to sign in with. */
  readonly code: SentCode | null;
  /** When codes were sent within the last hour. */
  readonly codesSentAt: readonly number[];
  /** A password that was right and waits for its second factor. */
  readonly challenge: Challenge | null;
  /** Absent of what was remembered before there were any. */
  readonly authenticator?: AuthenticatorKey | null;
  /** Tokens that are good for one use, the newest last. */
  readonly grants: readonly Grant[];
}

interface SentCode {
  readonly hash: string;
  readonly until: number;
  readonly tries: number;
}

interface Challenge {
  /** Of its id. */
  readonly hash: string;
  /** Null where an authenticator application makes the code. */
  readonly codeHash: string | null;
  readonly until: number;
  readonly tries: number;
}

/** What an authenticator application of the user shares with the service (RFC 6238). */
interface AuthenticatorKey {
  readonly sealed: Uint8Array;
  /** It has shown a right code; until then another one may take its place. */
  readonly isConfirmed: boolean;
  /** The newest time step of which a code was taken: none is good twice (RFC 6238, 5.2). */
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

/** A user as the steps of signing in see it. */
export interface Account {
  readonly passwordHash: string | null;
  /** Rises when all sessions are to end. */
  readonly generation: number;
  readonly signIn: SignIn;
}

/** Whether a token of the user is still good, as far as the user is concerned. */
export const isLiving = (
  { generation, signIn: { kept, revoked } }: Account,
  token: { readonly jti: string; readonly generation: number },
): boolean =>
  (token.generation === generation || (kept !== null && kept.jti === token.jti && kept.generation === generation)) &&
  !revoked.some(({ jti }) => jti === token.jti);

/** A step of signing in, as the gateway has seen it: it has compared what was shown with what is stored, and made what is new. */
export type SignInStep =
  | { readonly type: 'failed' }
  /** The password was right. `verified`: the hash that it was compared with. */
  | { readonly type: 'signedIn'; readonly verified: string }
  | { readonly type: 'challenged'; readonly verified: string; readonly challengeHash: string; readonly codeHash: string }
  | { readonly type: 'answered'; readonly verified: string; readonly challengeHash: string; readonly codeHash: string }
  /**
   * The password was right, and a code of the user's authenticator is asked for. `sealed`: the secret of a new one, where none is
   * confirmed.
   */
  | { readonly type: 'authenticatorAsked'; readonly verified: string; readonly challengeHash: string; readonly sealed: Uint8Array | null }
  /** `timeStep`: of the code that was shown; null where it is none of the authenticator's. */
  | { readonly type: 'authenticatorShown'; readonly verified: string; readonly challengeHash: string; readonly timeStep: number | null }
  | { readonly type: 'codeSent'; readonly codeHash: string }
  | { readonly type: 'codeShown'; readonly codeHash: string }
  | { readonly type: 'tokenRevoked'; readonly jti: string; readonly until: number }
  | { readonly type: 'granted'; readonly kind: GrantKind; readonly hash: string }
  | { readonly type: 'redeemed'; readonly kind: GrantKind; readonly hash: string }
  | { readonly type: 'passwordSet'; readonly passwordHash: string; readonly by: PasswordProof; readonly keep: string | null };

/** What entitles to another password. */
export type PasswordProof =
  | { readonly type: 'password'; readonly verified: string }
  | { readonly type: 'grant'; readonly kind: GrantKind; readonly hash: string }
  /** Somebody else, who may. */
  | { readonly type: 'permission' };

export interface StepContext {
  /** Machine time in milliseconds. */
  readonly at: number;
  readonly maxFailures: number;
  readonly lockoutMs: number;
}

/**
 * What a step comes to. `wrong`: what was shown is not what is stored, or not any more; `changed`: the password was changed meanwhile.
 * Nothing is recorded where `signIn` is absent.
 */
export interface StepResult {
  readonly outcome: 'done' | 'wrong' | 'changed' | 'locked' | 'tooMany';
  readonly signIn?: SignIn;
  readonly passwordHash?: string;
  /** All sessions but the one that is kept end. */
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
    // Whoever may set it holds the account: what was open before closes, grants and locks too.
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

/** Who has lost the authenticator gets a new password from somebody who may give one, and another authenticator with it. */
const WITHOUT_AUTHENTICATOR = { authenticator: null } as const;

const WRONG: StepResult = { outcome: 'wrong' };
const CHANGED: StepResult = { outcome: 'changed' };
const TOO_MANY: StepResult = { outcome: 'tooMany' };

/** What a lock keeps out. Whoever has a token, or may hand one out, is in already. */
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

/** Takes a step. What has run out is forgotten with it. */
export function takeStep(account: Account, step: SignInStep, context: StepContext): StepResult {
  const current = { ...account, signIn: withoutOutdated(account.signIn, context.at) };
  if (current.signIn.lockedUntil !== null && KEPT_OUT.has(step.type)) return { outcome: 'locked' };
  const take = STEPS[step.type] as Take<SignInStep['type']>;
  return take(current, step, context);
}

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

/** Null when enough codes were sent. */
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

/** Null when there is no such grant. */
function withoutGrant(signIn: SignIn, kind: GrantKind, hash: string): SignIn | null {
  const grants = signIn.grants.filter((grant) => grant.kind !== kind || grant.hash !== hash);
  return grants.length === signIn.grants.length ? null : { ...signIn, grants };
}
