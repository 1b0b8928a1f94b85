import { cents } from '../../money/index.js';
import { hasDue, moveDueToOverdue } from '../core/balances.js';
import { fulfilByCapitalization, obligationChanged } from '../core/obligations.js';
import { capitalizing, enforcedToday, enforcementDay, passEnforced } from '../core/overdue.js';
import { holds } from '../core/rules.js';
import { allFees } from './count-in-order.js';
import { countFor } from './credit.js';
import { beginEntry, enter } from './entering.js';
import { openFeesCents } from './owed.js';
import type { DrawBalances, DrawObligation, DrawState, LineFee, LineObligation, LineState } from './state.js';

/** 00:20 of due date + 1, if configured: unpaid due interest becomes principal of its draw. */
export function capitalizeDueInterest(state: LineState): void {
  const enforced = enforcedToday(state);
  if (enforced.length === 0) return;
  const lowered = holds(state, 'capitalizedInFull')
    ? capitalizing(state, enforced)
    : state.obligations.filter((obligation) => obligation === enforced[0]);
  const before = beginEntry(state);
  const amountCents = state.draws.reduce((sum, draw) => sum + capitalizeOf(state, draw, lowered), 0);
  if (amountCents === 0) return;
  enter(state, before, 'interestCapitalization');
  const { day, seconds } = state;
  state.watcher?.happened({ type: 'interestCapitalized', day, seconds, amountCents: cents(amountCents) });
}

function capitalizeOf(state: LineState, draw: DrawState, lowered: readonly LineObligation[]): number {
  const { balances } = draw;
  const amountCents = capitalized(state, draw, lowered);
  if (amountCents === 0) return 0;
  balances.dueInterestCents -= amountCents;
  balances.nonDuePrincipalCents += amountCents;
  countFor(state, draw, (totals) => (totals.capitalizedInterestCents += amountCents));
  let leftCents = amountCents;
  for (const obligation of lowered) {
    const part = obligation.draws.find((candidate) => candidate.draw === draw.draw);
    const partCents = Math.min(leftCents, part?.remainingCents ?? 0);
    if (part === undefined || partCents === 0) continue;
    part.remainingCents -= partCents;
    part.capitalizedCents += partCents;
    leftCents -= fulfilByCapitalization(state, obligation, partCents);
  }
  return amountCents;
}

/** The interest to capitalize; before rules 2 at most what the first obligation of the day lacks. */
function capitalized(state: LineState, draw: DrawState, lowered: readonly LineObligation[]): number {
  const { dueInterestCents } = draw.balances;
  if (holds(state, 'capitalizedInFull')) return dueInterestCents - laterDues(draw, enforcedLater(state)).interestCents;
  const [first] = lowered;
  const part = first?.draws.find((candidate) => candidate.draw === draw.draw);
  if (first === undefined || part === undefined) return 0;
  const later = state.obligations.slice(state.obligations.indexOf(first) + 1);
  return Math.min(dueInterestCents - laterDues(draw, later).interestCents, part.remainingCents);
}

const enforcedLater = ({ obligations, day }: LineState): readonly LineObligation[] =>
  obligations.filter((obligation) => enforcementDay(obligation) > day);

/** The due balances of a draw that belong to obligations which are enforced later: after a freezing there may be several. */
function laterDues(
  { draw, balances, fees }: DrawState,
  later: readonly LineObligation[],
): { readonly principalCents: number; readonly interestCents: number } {
  const parts = later.flatMap((obligation) => obligation.draws.filter((part) => part.draw === draw));
  const sum = (of: (part: DrawObligation) => number): number => parts.reduce((total, part) => total + of(part), 0);
  const interestCents = Math.min(
    balances.dueInterestCents,
    sum((part) => Math.min(part.interestCents, part.remainingCents)),
  );
  const feesCents = openFeesCents(fees.filter((fee) => isCarriedBy(fee, later)));
  const principalCents = Math.max(0, Math.min(balances.duePrincipalCents, sum((part) => part.remainingCents) - interestCents - feesCents));
  return { principalCents, interestCents };
}

const isCarriedBy = ({ carriedBy }: LineFee, obligations: readonly LineObligation[]): boolean =>
  obligations.some(({ ordinal }) => ordinal === carriedBy);

/** 00:40 of due date + 1: unpaid amounts of the obligations that are enforced now become overdue. */
export function enforceDueDates(state: LineState): void {
  const enforced = enforcedToday(state);
  passEnforced(state);
  if (enforced.length === 0 && !isLeftDue(state)) return;
  const before = beginEntry(state);
  for (const obligation of enforced) obligation.isEnforced = true;
  const later = enforcedLater(state);
  for (const draw of state.draws) {
    const { principalCents, interestCents } = laterDues(draw, later);
    moveDueToOverdue(draw.balances);
    takeBack(draw.balances, principalCents, interestCents);
  }
  for (const fee of allFees(state))
    if (fee.dueStatus === 'due' && fee.carriedBy !== null && !isCarriedBy(fee, later)) fee.dueStatus = 'overdue';
  enter(state, before, 'movedToOverdue');
  for (const obligation of enforced) if (!obligation.isFulfilled) obligationChanged(state, obligation);
}

/** Money for a fulfilled obligation went to the rest of an older one within the tolerance. */
const isLeftDue = (state: LineState): boolean =>
  mayStayDue(state) && state.obligations.some((obligation) => enforcementDay(obligation) === state.day);

export const mayStayDue = (state: LineState): boolean => isDue(state) && holds(state, 'nothingStaysDue');

const isDue = (state: LineState): boolean =>
  state.draws.some(({ balances }) => hasDue(balances)) ||
  allFees(state).some(({ openCents, dueStatus, carriedBy }) => openCents > 0 && dueStatus === 'due' && carriedBy !== null);

function takeBack(balances: DrawBalances, principalCents: number, interestCents: number): void {
  balances.overduePrincipalCents -= principalCents;
  balances.duePrincipalCents += principalCents;
  balances.overdueInterestCents -= interestCents;
  balances.dueInterestCents += interestCents;
}
