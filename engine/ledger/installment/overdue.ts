import { cents } from '../../money/index.js';
import { hasDue, moveDueToOverdue } from '../core/balances.js';
import { fulfilByCapitalization, obligationChanged } from '../core/obligations.js';
import { capitalizing, enforcedToday, enforcementDay, passEnforced } from '../core/overdue.js';
import { holds } from '../core/rules.js';
import type { ObligationState } from '../core/state.js';
import { beginEntry, enter } from './entering.js';
import type { LedgerState } from './state.js';

/** 00:20 of due date + 1, if configured: unpaid due interest becomes principal. */
export function capitalizeDueInterest(state: LedgerState): void {
  const enforced = enforcedToday(state);
  const amountCents = state.dueInterestCents;
  if (enforced.length === 0 || amountCents === 0) return;
  const before = beginEntry(state);
  state.dueInterestCents = 0;
  state.nonDuePrincipalCents += amountCents;
  state.totals.capitalizedInterestCents += amountCents;
  if (holds(state, 'capitalizedInFull')) lowerTogether(state, capitalizing(state, enforced), amountCents);
  else for (const obligation of enforced.slice(0, 1)) fulfilByCapitalization(state, obligation, amountCents);
  enter(state, before, 'interestCapitalization');
  state.watcher?.happened({
    type: 'interestCapitalized',
    day: state.day,
    seconds: state.seconds,
    amountCents: cents(amountCents),
  });
}

function lowerTogether(state: LedgerState, obligations: readonly ObligationState[], amountCents: number): void {
  let leftCents = amountCents;
  for (const obligation of obligations)
    leftCents -= fulfilByCapitalization(state, obligation, Math.min(leftCents, obligation.remainingCents));
}

/**
 * 00:40 of due date + 1: unpaid balances become overdue. It runs before the due dates of its own day, so all due balances
 * belong to the obligations that are enforced now, even if due dates are on consecutive days. A fulfilled obligation may still
 * have due balances, if its money went to the rest of an older obligation within the tolerance.
 */
export function enforceDueDates(state: LedgerState): void {
  const enforced = enforcedToday(state);
  passEnforced(state);
  if (enforced.length === 0 && !isLeftDue(state)) return;
  const before = beginEntry(state);
  for (const obligation of enforced) obligation.isEnforced = true;
  moveToOverdue(state);
  enter(state, before, 'movedToOverdue');
  for (const obligation of enforced) {
    if (!obligation.isFulfilled) obligationChanged(state, obligation);
  }
}

function isLeftDue(state: LedgerState): boolean {
  const last = state.obligations.at(-1);
  return mayStayDue(state) && last !== undefined && enforcementDay(last) <= state.day;
}

/** Whether something is due that becomes overdue with the last obligation, fulfilled or not. */
export const mayStayDue = (state: LedgerState): boolean => isAnythingDue(state) && holds(state, 'nothingStaysDue');

/** Whether anything is due, including fees that obligations carry. */
function isAnythingDue(state: LedgerState): boolean {
  if (hasDue(state) || (state.dueOriginationFeeCents > 0 && state.obligations.length > 0)) return true;
  return (
    state.openFeesCents > 0 &&
    state.fees.some(({ openCents, dueStatus, carriedBy }) => openCents > 0 && dueStatus === 'due' && carriedBy !== null)
  );
}

function moveToOverdue(state: LedgerState): void {
  moveDueToOverdue(state);
  state.overdueOriginationFeeCents += state.dueOriginationFeeCents;
  state.dueOriginationFeeCents = 0;
  if (state.openFeesCents === 0) return;
  for (const fee of state.fees) {
    if (fee.dueStatus === 'due' && fee.carriedBy !== null) fee.dueStatus = 'overdue';
  }
}
