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
