import type { Day } from '../../../engine/index.js';
import type { LoanState } from '../state.js';

/** Since when a collection agency has the loan, for the account status 93; null: it was not placed. Loans are not placed yet. */
export const placedOn = (_state: LoanState): Day | null => null;
