import type { Sealed } from '../state.js';

/** A code that was sent to an address or number, to prove that it can be reached. */
export interface Confirmation {
  readonly contactId: string;
  readonly code: Sealed;
  readonly sentAt: number;
  readonly wrongAttempts: number;
}

/** How long a code counts. */
export const CODE_LASTS_MS = 15 * 60_000;
/** Wrong tries until a code counts no more. */
export const MOST_WRONG = 5;
/** Codes that are sent to one contact within an hour. */
export const MOST_SENT = 5;
export const SENT_WITHIN_MS = 3_600_000;
