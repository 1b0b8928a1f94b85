import type { Day } from '../../calendar/index.js';
import type { Cents } from '../../money/index.js';
import type { Payoff } from '../core/views.js';
import { advanceTo } from './advance.js';
import { cloneLine } from './clone.js';
import { drawOf } from './draws.js';
import { interestCents, openFeesCents, principalCents } from './owed.js';
import { dailyInterestOf } from './read-balances.js';
import type { LineState } from './state.js';

/**
 * What a payment on `day` (the state's or a later one) must be to leave nothing on the line, or on one draw: with the interest
 * of every day before it, truncated to the cent. Without payments until then.
 */
export function linePayoffOf(state: LineState, day: Day, draw: number | null = null): Payoff {
  const copy = cloneLine(state);
  advanceTo(copy, day);
  const draws = draw === null ? copy.draws : [drawOf(copy, draw)];
  const principal = draws.reduce((sum, of) => sum + principalCents(of), 0);
  const interest = draws.reduce((sum, of) => sum + interestCents(of), 0);
  const fees = draws.reduce((sum, of) => sum + openFeesCents(of.fees), draw === null ? openFeesCents(copy.fees) : 0);
  return {
    day,
    payoffCents: (principal + interest + fees) as Cents,
    principalCents: principal as Cents,
    interestCents: interest as Cents,
    feesCents: fees as Cents,
    dailyInterest: dailyInterestOf(copy, draw),
    processingCents: processingCents(state, draw) as Cents,
  };
}

/** Money that is counted in and has not settled. */
function processingCents({ payments }: LineState, draw: number | null): number {
  let total = 0;
  for (const payment of payments) {
    if (!payment.isProcessing) continue;
    if (draw === null) total += payment.amountCents;
    else for (const split of payment.splits) if (split.draw === draw) total += split.principalCents + split.interestCents + split.feesCents;
  }
  return total;
}
