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
