import type { Cents } from '../money/index.js';
import { enforcedToday, fulfilByCapitalization, moveDueToOverdue, obligationChanged, passEnforced } from '../replay/shared.js';
import { beginEntry, enter } from './entering.js';
import { allFees } from './fees-of.js';
import type { DrawState, LineObligation, LineState } from './state.js';
import { countFor } from './totals.js';

/** 00:20 of due date + 1, where configured: unpaid due interest becomes principal of its draw (servicing-behaviour 4.9). */
export function capitalizeDueInterest(state: LineState): void {
  const [obligation] = enforcedToday(state);
  const found = state.obligations.find((candidate) => candidate === obligation);
  if (found === undefined) return;
  const before = beginEntry(state);
  const amountCents = state.draws.reduce((sum, draw) => sum + capitalizeOf(state, draw, found), 0);
  if (amountCents === 0) return;
  enter(state, before, 'interestCapitalization');
  const { day, seconds } = state;
  state.watcher?.happened({ type: 'interestCapitalized', day, seconds, amountCents: amountCents as Cents });
}

function capitalizeOf(state: LineState, draw: DrawState, obligation: LineObligation): number {
  const part = obligation.draws.find((candidate) => candidate.draw === draw.draw);
  const amountCents = Math.min(draw.balances.dueInterestCents, part?.remainingCents ?? 0);
  if (part === undefined || amountCents === 0) return 0;
  draw.balances.dueInterestCents -= amountCents;
  draw.balances.nonDuePrincipalCents += amountCents;
  countFor(state, draw, (totals) => (totals.capitalizedInterestCents += amountCents));
  part.remainingCents -= amountCents;
  part.capitalizedCents += amountCents;
  fulfilByCapitalization(state, obligation, amountCents);
  return amountCents;
}

/** 00:40 of due date + 1: what is unpaid becomes overdue. All that is due belongs to the obligations that are enforced now. */
export function enforceDueDates(state: LineState): void {
  const enforced = enforcedToday(state);
  passEnforced(state);
  if (enforced.length === 0) return;
  const before = beginEntry(state);
  for (const obligation of enforced) obligation.isEnforced = true;
  for (const draw of state.draws) moveDueToOverdue(draw.balances);
  for (const fee of allFees(state)) if (fee.standing === 'due' && fee.carriedBy !== null) fee.standing = 'overdue';
  enter(state, before, 'movedToOverdue');
  for (const obligation of enforced) if (!obligation.isFulfilled) obligationChanged(state, obligation);
}
