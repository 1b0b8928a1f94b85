import { letPass } from './due.js';
import type { LedgerState, LedgerStatus } from './state.js';
import { changeStatus } from './status.js';

/** What is owed again opens a loan that was paid off, in the status that it had before. */
export function reopen(state: LedgerState): void {
  letPass(state);
  changeStatus(state, statusBefore(state), { type: 'balance' });
}

function statusBefore({ acceleratedSince, frozenSteps }: LedgerState): LedgerStatus {
  if (frozenSteps !== null) return 'frozen';
  return acceleratedSince === null ? 'active' : 'accelerated';
}
