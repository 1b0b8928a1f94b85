import { firstRowAfter } from './due.js';
import type { LedgerState } from './state.js';
import { changeStatus } from './status.js';

/** What is owed again opens a loan that was paid off, in the status that it had before. */
export function reopen(state: LedgerState): void {
  state.nextRow = firstRowAfter(state);
  changeStatus(state, state.acceleratedSince === null ? 'active' : 'accelerated', { type: 'balance' });
}
