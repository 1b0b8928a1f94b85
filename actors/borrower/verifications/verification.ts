import type { PersonState } from '../state.js';

/** A session in which an agent asks whether the caller is the borrower. No answer is kept. */
export interface Verification {
  readonly id: string;
  /** Null when a key without a user has started it. */
  readonly agentUserId: string | null;
  /** Null: what holds where the company names none. */
  readonly verificationTypeId: string | null;
  readonly startedAt: number;
  readonly expiresAt: number;
  readonly maxAttempts: number;
  readonly questionIds: readonly string[];
  readonly attempts: readonly VerificationAttempt[];
  /** As recorded: a session that has run out without an end is `expired` by its time. */
  readonly outcome: 'started' | 'succeeded' | 'failed' | 'canceled';
  readonly updatedAt: number | null;
}

interface VerificationAttempt {
  readonly id: string;
  readonly isSuccess: boolean;
  readonly createdAt: number;
}

export type VerificationStatus = Verification['outcome'] | 'expired';

/** A borrower's newest sessions are kept in reach; older ones are in the journal alone. */
export const KEPT_VERIFICATIONS = 200;

/** How long a session that has succeeded counts. */
const VERIFIED_MS = 15 * 60_000;

export const statusAt = ({ outcome, expiresAt }: Verification, now: number): VerificationStatus =>
  outcome === 'started' && now >= expiresAt ? 'expired' : outcome;

/** When the session succeeded; null for all others. */
export const succeededAt = ({ attempts }: Verification): number | null => attempts.find(({ isSuccess }) => isSuccess)?.createdAt ?? null;

export function isActiveAt(verification: Verification, now: number): boolean {
  const at = succeededAt(verification);
  return at !== null && now < at + VERIFIED_MS;
}

export const findVerification = ({ verifications }: PersonState, id: string): Verification | undefined =>
  verifications.find((known) => known.id === id);
