import type { Day, RatesChanged } from '../../../engine/index.js';
import type { LedgerChange } from '../facts.js';
import type { RateRow } from './rows.js';

export interface RateFacts {
  readonly RatesSet: RatesSet;
  readonly IndexTaken: IndexTaken;
}

/** Rates, caps and SCRA rates that are new or other than before, each as it is from now on. */
export interface RatesSet {
  readonly rows: readonly RateRow[];
  /** Null when no day costs more or less. */
  readonly change: LedgerChange<RatesChanged> | null;
  readonly recordedDay: Day;
  readonly caseId: string | null;
  readonly reason: string | null;
}

/** The product's index has other values: the loan takes them over, for days past and to come. */
export interface IndexTaken {
  readonly stamp: number;
  /** Null when no day of the loan costs more or less. */
  readonly change: LedgerChange<RatesChanged> | null;
  readonly recordedDay: Day;
}
