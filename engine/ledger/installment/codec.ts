import { assert } from '../../assert.js';
import type { RateTimeline } from '../../rates/index.js';
import { cloneState } from './clone.js';
import { NOTHING_DIGESTED } from '../core/mixer.js';
import type { LedgerState, OpenRow } from './state.js';
import type { LedgerTerms } from '../core/terms.js';

type Derived = 'terms' | 'watcher' | 'seconds' | 'source' | 'rateIndex' | 'firstUnenforced' | 'digestedObligations' | 'digestedPayments';

/**
 * A state as a plain object of numbers, strings, booleans, lists and records, for a snapshot. The terms are not in
 * it: they belong to the loan, and `decodeState` is given them again.
 */
export interface EncodedState extends Omit<LedgerState, Derived | 'rates' | 'rows'> {
  readonly version: typeof STATE_VERSION;
  /** Null while they are those of the terms. */
  readonly rates: RateTimeline | null;
  readonly rows: readonly OpenRow[] | null;
}

/**
 * 2: interest is two numbers. 3: totals of advances and refunds. 4: the rule of due dates in force. 5: caps by due date. 6: steps of a
 * freezing. 7: days of military service. 8: what rows ask for of the origination fee. 9: what was reimbursed. 10: who holds the
 * thresholds. 11: what late fees have taken from money in advance.
 */
const STATE_VERSION = 11;

export function encodeState(state: LedgerState): EncodedState {
  const { terms, watcher, seconds, source, rateIndex, firstUnenforced, digestedObligations, digestedPayments, ...plain } =
    cloneState(state);
  return {
    ...plain,
    version: STATE_VERSION,
    rates: state.rates === terms.rates ? null : state.rates,
    rows: state.rows === terms.rows ? null : state.rows,
  };
}

/** The state that was encoded, free to move on. A snapshot of another version is a bug of whoever reads it. */
export function decodeState(encoded: EncodedState, terms: LedgerTerms): LedgerState {
  assert(encoded.version === STATE_VERSION, `a ledger state of version ${encoded.version}`);
  const { version, rates, rows, ...plain } = encoded;
  return cloneState({
    ...plain,
    terms,
    watcher: null,
    seconds: 0,
    source: { type: 'dailyJob' },
    rateIndex: 0,
    firstUnenforced: 0,
    rates: rates ?? terms.rates,
    rows: rows ?? terms.rows,
    digestedObligations: NOTHING_DIGESTED,
    digestedPayments: NOTHING_DIGESTED,
  });
}
