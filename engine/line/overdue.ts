import type { Cents } from '../money/index.js';
import { enforcedToday, enforcementDay, fulfilByCapitalization, moveDueToOverdue, obligationChanged, passEnforced } from '../replay/shared.js';
import { beginEntry, enter } from './entering.js';
import { allFees } from './fees-of.js';
import { openFeesCents } from './owed.js';
import type { DrawBalances, DrawObligation, DrawState, LineFee, LineObligation, LineState } from './state.js';
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
  const { interestCents } = laterDues(draw, state.obligations.slice(state.obligations.indexOf(obligation) + 1));
  const amountCents = Math.min(draw.balances.dueInterestCents - interestCents, part?.remainingCents ?? 0);
  if (part === undefined || amountCents === 0) return 0;
  draw.balances.dueInterestCents -= amountCents;
  draw.balances.nonDuePrincipalCents += amountCents;
  countFor(state, draw, (totals) => (totals.capitalizedInterestCents += amountCents));
  part.remainingCents -= amountCents;
  part.capitalizedCents += amountCents;
  fulfilByCapitalization(state, obligation, amountCents);
  return amountCents;
}

/** What of a draw's due balances belongs to obligations that are enforced later: days of freezing may bring two of them together. */
function laterDues({ draw, balances, fees }: DrawState, later: readonly LineObligation[]): { readonly principalCents: number; readonly interestCents: number } {
  const parts = later.flatMap((obligation) => obligation.draws.filter((part) => part.draw === draw));
  const sum = (of: (part: DrawObligation) => number): number => parts.reduce((total, part) => total + of(part), 0);
  const interestCents = Math.min(balances.dueInterestCents, sum((part) => Math.min(part.interestCents, part.remainingCents)));
  const feesCents = openFeesCents(fees.filter((fee) => isCarriedBy(fee, later)));
  const principalCents = Math.max(0, Math.min(balances.duePrincipalCents, sum((part) => part.remainingCents) - interestCents - feesCents));
  return { principalCents, interestCents };
}

const isCarriedBy = ({ carriedBy }: LineFee, obligations: readonly LineObligation[]): boolean => obligations.some(({ ordinal }) => ordinal === carriedBy);

/** 00:40 of due date + 1: what is unpaid of the obligations that are enforced now becomes overdue. */
export function enforceDueDates(state: LineState): void {
  const enforced = enforcedToday(state);
  passEnforced(state);
  if (enforced.length === 0) return;
  const before = beginEntry(state);
  for (const obligation of enforced) obligation.isEnforced = true;
  const later = state.obligations.filter((obligation) => enforcementDay(obligation) > state.day);
  for (const draw of state.draws) {
    const { principalCents, interestCents } = laterDues(draw, later);
    moveDueToOverdue(draw.balances);
    takeBack(draw.balances, principalCents, interestCents);
  }
  for (const fee of allFees(state)) if (fee.standing === 'due' && fee.carriedBy !== null && !isCarriedBy(fee, later)) fee.standing = 'overdue';
  enter(state, before, 'movedToOverdue');
  for (const obligation of enforced) if (!obligation.isFulfilled) obligationChanged(state, obligation);
}

function takeBack(balances: DrawBalances, principalCents: number, interestCents: number): void {
  balances.overduePrincipalCents -= principalCents;
  balances.duePrincipalCents += principalCents;
  balances.overdueInterestCents -= interestCents;
  balances.dueInterestCents += interestCents;
}
