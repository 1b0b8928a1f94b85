import { NEVER, type Opening } from './openings.js';
import type { Objection } from './verdict.js';

/** What may stand against a contact, and when it does not. */
export interface Stop {
  readonly objection: Objection;
  readonly openings: readonly Opening[];
}

/** It stands against the contact whenever it is made. */
export const barred = (objection: Objection): Stop => ({ objection, openings: [NEVER] });
