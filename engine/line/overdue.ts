import { enforcedToday, moveDueToOverdue, obligationChanged, passEnforced } from '../replay/shared.js';
import { beginEntry, enter } from './entering.js';
import type { LineFee, LineState } from './state.js';

/** 00:40 of due date + 1: what is unpaid becomes overdue. All that is due belongs to the obligations that are enforced now. */
export function enforceDueDates(state: LineState): void {
  const enforced = enforcedToday(state);
  passEnforced(state);
  if (enforced.length === 0) return;
  const before = beginEntry(state);
  for (const obligation of enforced) obligation.isEnforced = true;
  moveFees(state.fees);
  for (const draw of state.draws) {
    moveDueToOverdue(draw.balances);
    moveFees(draw.fees);
  }
  enter(state, before, 'movedToOverdue');
  for (const obligation of enforced) if (!obligation.isFulfilled) obligationChanged(state, obligation);
}

function moveFees(fees: readonly LineFee[]): void {
  for (const fee of fees) if (fee.standing === 'due' && fee.carriedBy !== null) fee.standing = 'overdue';
}
