import type { Day } from '../../calendar/index.js';
import { knownArrangement } from './compute.js';
import type { LedgerFact } from '../core/facts.js';
import { foldByDay } from './fold.js';
import type { LedgerState } from './state.js';
import type { LedgerTerms } from '../core/terms.js';

export interface DayRange {
  /** Not before the activation. */
  readonly from: Day;
  /** Inclusive. */
  readonly to: Day;
}

/**
 * Shows the ledger at the end of each day of a range, as it is known at the last of them: one ledger that moves forward.
 * What is shown belongs to the ledger and moves on: take figures from it, not the state.
 */
export function computeByDay(terms: LedgerTerms, facts: readonly LedgerFact[], range: DayRange, see: (state: LedgerState) => void): void {
  foldByDay(terms, knownArrangement(terms, facts, range.to), range, see);
}
