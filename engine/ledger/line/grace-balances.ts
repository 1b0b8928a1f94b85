import { enforcementDay } from '../core/overdue.js';
import { drawOwedCents, openFeesCents, principalCents } from './owed.js';
import type { DrawState, GraceBalances, LineState } from './state.js';

/** What a draw (null: the line itself) must be paid by the due date to be paid in full. */
export function fullBalanceOf(state: LineState, draw: DrawState | null): GraceBalances {
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

/** The whole line. It is in grace if all draws to which grace applies are in grace. */
export function graceOfLine(state: LineState): GraceBalances {
  const balances = [null, ...state.draws].map((draw) => fullBalanceOf(state, draw));
  const applicable = state.draws.filter(({ activation }) => activation.grace.isApplicable);
  return {
    fullBalanceCents: balances.reduce((sum, of) => sum + of.fullBalanceCents, 0),
    fullBalanceMinusOverdueCents: balances.reduce((sum, of) => sum + of.fullBalanceMinusOverdueCents, 0),
    principalCents: balances.reduce((sum, of) => sum + of.principalCents, 0),
    totalFulfilledOnDueDateCents: 0,
    isEligible: applicable.length > 0 && applicable.every((draw) => draw.isGraceEligible),
  };
}

function overdueOf(state: LineState, draw: DrawState | null): number {
  const fees = (draw === null ? state.fees : draw.fees).filter(({ dueStatus }) => dueStatus === 'overdue');
  const balancesCents = draw === null ? 0 : draw.balances.overduePrincipalCents + draw.balances.overdueInterestCents;
  return openFeesCents(fees) + balancesCents;
}

/** Money, credits and returns that lower a balance count toward the balance of the last statement, up to its due date. */
export function noteFulfilled({ obligations, day }: LineState, draw: number | null, amountCents: number): void {
  const last = obligations.at(-1);
  if (last === undefined || day >= enforcementDay(last)) return;
  last.grace.totalFulfilledOnDueDateCents += amountCents;
  const part = last.draws.find((candidate) => candidate.draw === draw);
  if (part !== undefined) part.grace.totalFulfilledOnDueDateCents += amountCents;
}
