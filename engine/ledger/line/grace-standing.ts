import { enforcementDay } from '../installment/shared.js';
import { drawOwedCents, openFeesCents, principalCents } from './owed.js';
import type { DrawState, GraceStanding, LineState } from './state.js';

/** What a draw (null: the line itself) must pay until the due date to be paid in full. */
export function fullBalanceOf(state: LineState, draw: DrawState | null): GraceStanding {
  const fullBalanceCents = draw === null ? openFeesCents(state.fees) : drawOwedCents(draw);
  const overdueCents = overdueOf(state, draw);
  return {
    fullBalanceCents,
    fullBalanceMinusOverdueCents: fullBalanceCents - overdueCents,
    principalCents: draw === null ? 0 : principalCents(draw),
    totalFulfilledOnDueDateCents: 0,
    isEligible: draw?.isGraceEligible ?? false,
  };
}

/** The whole line: in grace while every draw is to which grace applies. */
export function graceOfLine(state: LineState): GraceStanding {
  const standings = [null, ...state.draws].map((draw) => fullBalanceOf(state, draw));
  const applicable = state.draws.filter(({ activation }) => activation.grace.isApplicable);
  return {
    fullBalanceCents: standings.reduce((sum, standing) => sum + standing.fullBalanceCents, 0),
    fullBalanceMinusOverdueCents: standings.reduce((sum, standing) => sum + standing.fullBalanceMinusOverdueCents, 0),
    principalCents: standings.reduce((sum, standing) => sum + standing.principalCents, 0),
    totalFulfilledOnDueDateCents: 0,
    isEligible: applicable.length > 0 && applicable.every((draw) => draw.isGraceEligible),
  };
}

function overdueOf(state: LineState, draw: DrawState | null): number {
  const fees = (draw === null ? state.fees : draw.fees).filter(({ standing }) => standing === 'overdue');
  const balancesCents = draw === null ? 0 : draw.balances.overduePrincipalCents + draw.balances.overdueInterestCents;
  return openFeesCents(fees) + balancesCents;
}

/** Money, credits and returns that lower a balance count toward the last statement's, up to its due date. */
export function noteFulfilled({ obligations, day }: LineState, draw: number | null, amountCents: number): void {
  const last = obligations.at(-1);
  if (last === undefined || day >= enforcementDay(last)) return;
  last.grace.totalFulfilledOnDueDateCents += amountCents;
  const part = last.draws.find((candidate) => candidate.draw === draw);
  if (part !== undefined) part.grace.totalFulfilledOnDueDateCents += amountCents;
}
