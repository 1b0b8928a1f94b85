import type { Day } from '../../calendar/index.js';
import { NO_INTEREST } from '../core/interest.js';
import { yearEndAfter } from '../installment/shared.js';
import type { DrawState, LineState, LineTotals } from './state.js';

export const noTotals = (from: Day): LineTotals => ({
  purchasesCents: 0,
  refundsCents: 0,
  interestAccrued: NO_INTEREST,
  interestDiscount: NO_INTEREST,
  forgoneRounding: NO_INTEREST,
  reversedInterest: NO_INTEREST,
  capitalizedInterestCents: 0,
  capitalizedFeesCents: 0,
  feesChargedCents: 0,
  paymentsCents: 0,
  creditsCents: 0,
  paidPrincipalCents: 0,
  paidInterestCents: 0,
  paidFeesCents: 0,
  paidOverCents: 0,
  reimbursementCents: 0,
  reimbursedCents: 0,
  owedAgainCents: 0,
  canceledPrincipalCents: 0,
  canceledFeesCents: 0,
  yearEnd: yearEndAfter(from),
  interestAccruedBeforeYear: NO_INTEREST,
  feesChargedBeforeYearCents: 0,
  paidInterestBeforeYearCents: 0,
  interestAccruedBeforePeriod: NO_INTEREST,
});

/** The line's own figures hold those of its draws: what one draw counts, the line counts too. */
export function countFor(state: LineState, draw: DrawState | null, count: (totals: LineTotals) => void): void {
  count(state.totals);
  if (draw !== null) count(draw.totals);
}

/** The year's figures start anew: interest of 31 December is booked on 1 January and still belongs to the old year. */
export function beginYear(state: LineState): void {
  for (const totals of [state.totals, ...state.draws.map((draw) => draw.totals)]) {
    totals.interestAccruedBeforeYear = totals.interestAccrued;
    totals.feesChargedBeforeYearCents = totals.feesChargedCents;
    totals.paidInterestBeforeYearCents = totals.paidInterestCents;
    totals.yearEnd = yearEndAfter(totals.yearEnd);
  }
}
