import { moveStatus } from '../installment/shared.js';
import { holds } from '../core/rules.js';
import { isZero } from '../core/interest.js';
import { mayMoveLedger } from '../core/status-moves.js';
import { beginEntry, enter } from './entering.js';
import { forgetAhead } from './ahead.js';
import { resumeRows } from './move-rows.js';
import { drawOwedCents, lineOwedCents } from './owed.js';
import { catchUpPeriods } from './roll-periods.js';
import { truncateInterest } from './statement.js';
import type { LineState } from './state.js';

/**
 * A closed line whose balance is zero with no payment in processing is paid off; an open one stays
 * active, and a charged-off one keeps its status.
 */
export function settleZeroBalance(state: LineState): void {
  if (holds(state, 'fractionsForgone')) forgoFractions(state);
  if (!mayMoveLedger(state.status, 'payOff')) return;
  if (!state.isClosed || state.processingPayments > 0 || lineOwedCents(state) > 0) return;
  const before = beginEntry(state);
  for (const draw of state.draws) if (!isZero(draw.balances.nonDueInterest)) truncateInterest(state, draw);
  enter(state, before, 'forgoneInterest');
  forgetAhead(state);
  moveStatus(state, 'payOff', { type: 'balance' });
}

/** What a payoff leaves of a draw is a fraction of a cent that nobody can pay: fractions of two draws would come to a cent. */
function forgoFractions(state: LineState): void {
  const paid = state.draws.filter((draw) => !isZero(draw.balances.nonDueInterest) && drawOwedCents(draw) === 0);
  if (paid.length === 0) return;
  const before = beginEntry(state);
  for (const draw of paid) truncateInterest(state, draw);
  enter(state, before, 'forgoneInterest');
}

/** What is owed again opens a line that was paid off, in the status that it had before; rows wait for it as long as nothing was owed. */
export function reopen(state: LineState): void {
  catchUpPeriods(state);
  for (const draw of state.draws) resumeRows(state, draw, { shiftDueDates: true });
  moveStatus(state, 'owe', { type: 'balance' }, { isFrozen: state.isFrozen, isAccelerated: state.acceleratedSince !== null });
}

/** A closed draw with nothing owed on it. */
export const isPaidOff = (draw: LineState['draws'][number]): boolean => draw.isClosed && !draw.isCanceled && drawOwedCents(draw) === 0;

/** Tells of draws that have come to nothing. */
export function tellPaidOff(state: LineState, before: readonly LineState['draws'][number][]): void {
  const { day, seconds } = state;
  for (const draw of state.draws) {
    if (isPaidOff(draw) && !before.includes(draw)) state.watcher?.happened({ type: 'drawPaidOff', day, seconds, draw: draw.draw });
  }
}
