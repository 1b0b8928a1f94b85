import { beginEntry, enter } from '../entering.js';
import type { Reamortized } from '../../core/facts.js';
import { closeFulfilled } from '../fulfil.js';
import type { LedgerState } from '../state.js';
import { addToBook, settle } from './book.js';

/**
 * What is past due joins the rows to come (engine/ledger/scheduled/reamortize.ts): it is overdue no longer, and the obligations that had
 * asked for it ask for what was paid of them and for their charges. A loan by the day spreads its balance by a new schedule instead.
 */
export function reamortizeInstallments(state: LedgerState, { from }: Reamortized): void {
  if (state.instalmentFacts === null) return;
  const before = beginEntry(state);
  addToBook(state, { type: 'reamortized', day: state.day, from });
  settle(state);
  closeFulfilled(state);
  enter(state, before, 'reamortization');
}
