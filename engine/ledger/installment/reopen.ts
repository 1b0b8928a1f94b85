import { letPass } from './period.js';
import { holds } from '../core/rules.js';
import type { LedgerState } from './state.js';
import type { LedgerStatus } from '../core/state.js';
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

/** Money that came to be known later has paid the loan off before somebody froze or unfroze it: that counts once it is open again. */
export function orderOfPaidOff(state: LedgerState, status: 'active' | 'frozen'): void {
  if (state.acceleratedSince !== null || !holds(state, 'ordersWhilePaidOff')) return;
  if (status === 'active') state.frozenSteps = null;
  else state.frozenSteps ??= [];
}
