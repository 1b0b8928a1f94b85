import { ratesSince } from '../../instalments/index.js';
import { beginEntry, enter } from '../entering.js';
import type { LedgerState } from '../state.js';
import { addToBook, settle } from './book.js';

/** The instalments to come are solved again; interest that was owed from the beginning changes at once. */
export function changeInstalmentRates(state: LedgerState): void {
  const before = beginEntry(state);
  addToBook(state, { type: 'ratesReplaced', day: state.day, rates: ratesSince(state.rates, state.day) });
  settle(state);
  enter(state, before, 'interestAccrual');
}
