import { letPass } from './period.js';
import { holds } from '../core/rules.js';
import type { LedgerState } from './state.js';
import { moveStatus } from './status.js';

/** What is owed again opens a loan that was paid off, in the status that it had before. */
export function reopen(state: LedgerState): void {
  letPass(state);
  const isFrozen = state.frozenSteps !== null;
  moveStatus(state, 'owe', { type: 'balance' }, { isFrozen, isAccelerated: state.acceleratedSince !== null });
}

/** Money that came to be known later has paid the loan off before somebody froze or unfroze it: that counts once it is open again. */
export function orderOfPaidOff(state: LedgerState, status: 'active' | 'frozen'): void {
  if (state.acceleratedSince !== null || !holds(state, 'ordersWhilePaidOff')) return;
  if (status === 'active') state.frozenSteps = null;
  else state.frozenSteps ??= [];
}
