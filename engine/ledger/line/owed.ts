import { owedInterestCents, owedPrincipalCents } from '../core/balances.js';
import type { DrawState, LineFee, LineState } from './state.js';

/** Unpaid fees. */
export function openFeesCents(fees: readonly LineFee[]): number {
  let total = 0;
  for (const fee of fees) total += fee.openCents;
  return total;
}

/** All principal of a draw, charged off or not. */
export const principalCents = ({ balances }: DrawState): number => owedPrincipalCents(balances);

/** Whole cents of interest. */
export const interestCents = ({ balances }: DrawState): number => owedInterestCents(balances);

/** What is owed on one draw in whole cents, without the fraction of interest, which cannot be paid. */
export const drawOwedCents = (draw: DrawState): number => principalCents(draw) + interestCents(draw) + openFeesCents(draw.fees);

/** What is owed on the line and all its draws. */
export function lineOwedCents(state: LineState): number {
  let total = openFeesCents(state.fees);
  for (const draw of state.draws) total += drawOwedCents(draw);
  return total;
}
