import { fulfilByCapitalization } from '../installment/shared.js';
import type { Cents } from '../../money/index.js';
import { oldestDraw } from './draws.js';
import { beginEntry, enter } from './entering.js';
import type { DrawState, LineFee, LineObligation, LineState } from './state.js';
import { countFor } from './totals.js';

/**
 * Due and overdue balances go back to non-due, their interest and fees into principal; obligations are closed by what was
 * capitalized, and the borrower is current.
 */
export function deferBalances(state: LineState): void {
  const before = beginEntry(state);
  const interestCents = state.draws.reduce((sum, draw) => sum + deferDraw(state, draw), 0);
  deferLineFees(state);
  for (const obligation of state.obligations) if (obligation.remainingCents > 0) closeDeferred(state, obligation);
  enter(state, before, 'balancesDeferred');
  const { day, seconds } = state;
  if (interestCents > 0) state.watcher?.happened({ type: 'interestCapitalized', day, seconds, amountCents: interestCents as Cents });
}

/** Answers the interest that has become principal. */
function deferDraw(state: LineState, draw: DrawState): number {
  const { balances } = draw;
  const interestCents = balances.dueInterestCents + balances.overdueInterestCents;
  balances.nonDuePrincipalCents += balances.duePrincipalCents + balances.overduePrincipalCents + interestCents;
  balances.duePrincipalCents = 0;
  balances.overduePrincipalCents = 0;
  balances.dueInterestCents = 0;
  balances.overdueInterestCents = 0;
  countFor(state, draw, (totals) => (totals.capitalizedInterestCents += interestCents));
  capitalizeFees(state, draw.fees, draw);
  return interestCents;
}

/** Fees of the line become principal of its oldest draw; a line without one has them wait for its next due date. */
function deferLineFees(state: LineState): void {
  const oldest = oldestDraw(state);
  if (oldest !== undefined) {
    capitalizeFees(state, state.fees, oldest);
    return;
  }
  for (const fee of state.fees) {
    if (!isDeferred(fee)) continue;
    fee.standing = 'nonDue';
    fee.carriedBy = null;
    fee.dueDay = null;
  }
}

const isDeferred = (fee: LineFee): boolean => fee.openCents > 0 && (fee.standing === 'due' || fee.standing === 'overdue');

function capitalizeFees(state: LineState, fees: readonly LineFee[], into: DrawState): void {
  for (const fee of fees) {
    if (!isDeferred(fee)) continue;
    const { openCents } = fee;
    fee.openCents = 0;
    fee.capitalizedCents += openCents;
    into.balances.nonDuePrincipalCents += openCents;
    countFor(state, into, (totals) => (totals.capitalizedFeesCents += openCents));
    const { day, seconds } = state;
    state.watcher?.happened({ type: 'feeCapitalized', day, seconds, of: fee, amountCents: openCents as Cents });
  }
}

function closeDeferred(state: LineState, obligation: LineObligation): void {
  const amountCents = obligation.remainingCents;
  for (const part of obligation.draws) {
    part.capitalizedCents += part.remainingCents;
    part.remainingCents = 0;
  }
  if (obligation.isFulfilled) {
    // What the tolerance had let pass.
    obligation.remainingCents = 0;
    obligation.capitalizedCents += amountCents;
    return;
  }
  fulfilByCapitalization(state, obligation, amountCents);
}
