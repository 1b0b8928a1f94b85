import { centsOfInterest, minusCents, NO_INTEREST, plus, roundedBy } from '../core/interest.js';
import type { LedgerState } from './state.js';

/** Interest becomes whole cents by the loan's rounding; the difference is forgone, whichever way it falls. */
export function roundInterest(state: LedgerState): number {
  const { nonDueInterest } = state;
  if (nonDueInterest.parts === 0) return nonDueInterest.cents;
  const cents = roundedBy(nonDueInterest, state.terms.rounding.interest);
  forgo(state, cents);
  return cents;
}

/** The whole cents that fall due on a due date. Where the fraction is kept, it goes on waiting. */
export const interestFallingDue = (state: LedgerState): number =>
  state.terms.isFractionKept === true ? state.nonDueInterest.cents : roundInterest(state);

/** Once no whole cent of interest is owed, a kept fraction is forgone. */
export function cutFraction(state: LedgerState): void {
  if (state.terms.isFractionKept !== true || state.nonDueInterest.parts === 0) return;
  if (state.nonDueInterest.cents + state.dueInterestCents + state.overdueInterestCents === 0) forgo(state, 0);
}

function forgo(state: LedgerState, leftCents: number): void {
  state.totals.forgoneRounding = plus(state.totals.forgoneRounding, minusCents(state.nonDueInterest, leftCents));
  state.nonDueInterest = leftCents === 0 ? NO_INTEREST : centsOfInterest(leftCents);
}
