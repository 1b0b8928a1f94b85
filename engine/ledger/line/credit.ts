import { must } from '../../assert.js';
import { addDays, type Day } from '../../calendar/index.js';
import { type Cents, cents } from '../../money/index.js';
import { withoutIdleDays, yearEndAfter } from '../core/accrual.js';
import { NO_INTEREST } from '../core/interest.js';
import { settingsOf } from '../core/rules.js';
import type { DrawActivated } from './facts.js';
import { drawOwedCents, lineOwedCents } from './owed.js';
import type { DrawBalances, DrawState, LineState, LineTotals } from './state.js';

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

/** The totals of the line include those of its draws: every count of a draw is also a count of the line. */
export function countFor(state: LineState, draw: DrawState | null, count: (totals: LineTotals) => void): void {
  count(state.totals);
  if (draw !== null) count(draw.totals);
}

export const findDraw = (state: LineState, draw: number): DrawState | undefined => state.draws.find((candidate) => candidate.draw === draw);

/** The oldest draw that can take amounts of the line itself. */
export const oldestDraw = ({ draws }: LineState): DrawState | undefined =>
  draws.find(({ isCanceled, activation }) => !isCanceled && activation.drawType !== 'static');

export const drawOf = (state: LineState, draw: number): DrawState => must(findDraw(state, draw), `draw ${draw} has been activated`);

/** A new draw has no unpaid balance, so it begins in grace if grace applies. */
export const newDraw = (state: LineState, activation: DrawActivated): DrawState => ({
  draw: activation.draw,
  activation,
  interestFrom: addDays(activation.effective.day, state.terms.interestFrom - state.terms.activation),
  isClosed: false,
  isCanceled: false,
  limitCents: activation.limitCents,
  rates: withoutIdleDays(activation.rates, state.orders.idle),
  balances: noBalances(),
  fees: [],
  isGraceEligible: activation.grace.isApplicable,
  paidAheadInterestCents: 0,
  periodPurchasesCents: 0,
  isAmortized: false,
  rows: [],
  totals: noTotals(state.day),
  frozenSteps: [],
});

const noBalances = (): DrawBalances => ({
  nonDuePrincipalCents: 0,
  duePrincipalCents: 0,
  overduePrincipalCents: 0,
  chargedOffPrincipalCents: 0,
  nonDueInterest: NO_INTEREST,
  dueInterestCents: 0,
  overdueInterestCents: 0,
  chargedOffInterestCents: 0,
});

export interface Credit {
  readonly limitCents: Cents;
  /** What is owed, without fractions of interest. */
  readonly utilizedCents: Cents;
  /** Credit that payments have not freed yet. */
  readonly heldCents: Cents;
  /** Paid principal that frees no credit, on a line that does not revolve. */
  readonly spentCents: Cents;
  /** Zero or more. */
  readonly availableCents: Cents;
  readonly overLimitCents: Cents;
}

/** The credit of the line, or of a draw with a limit of its own; a draw without a limit has that of the line. */
export function creditOf(state: LineState, draw: number | null = null): Credit {
  const of = draw === null ? null : drawOf(state, draw);
  const limitCents = of?.limitCents ?? state.limitCents;
  const utilizedCents = of === null ? lineOwedCents(state) : drawOwedCents(of);
  const { heldCents, spentCents } = unfreedBy(state, draw);
  const left = limitCents - utilizedCents - heldCents - spentCents;
  return {
    limitCents: cents(limitCents),
    utilizedCents: cents(utilizedCents),
    heldCents: cents(heldCents),
    spentCents: cents(spentCents),
    availableCents: cents(Math.max(0, left)),
    overLimitCents: cents(Math.max(0, utilizedCents - limitCents)),
  };
}

/** The used part of a limit. */
export const takenCents = ({ utilizedCents, heldCents, spentCents }: Credit): Cents => cents(utilizedCents + heldCents + spentCents);

/** The largest purchase: within the line's credit, and within the draw's if it has a limit of its own. */
export function availableCredit(state: LineState, draw: number | null = null): Cents {
  const ofLine = creditOf(state).availableCents;
  if (draw === null || drawOf(state, draw).limitCents === null) return ofLine;
  const ofDraw = creditOf(state, draw).availableCents;
  return ofDraw < ofLine ? ofDraw : ofLine;
}

/** The line's limit less what is owed: negative if it is exceeded. */
export const limitRoom = (state: LineState): number => state.limitCents - lineOwedCents(state);

export const overLimitOf = (draw: DrawState): number => (draw.limitCents === null ? 0 : Math.max(0, drawOwedCents(draw) - draw.limitCents));

/** Money that has freed no credit: during a hold, or principal of a line that does not revolve. A returned purchase frees it. */
function unfreedBy(state: LineState, draw: number | null): { readonly heldCents: number; readonly spentCents: number } {
  const { isRevolving } = settingsOf(state);
  let heldCents = 0;
  let spentCents = 0;
  for (const row of state.heldCredit) {
    if (draw !== null && row.draw !== draw) continue;
    const isHeld = row.holdUntil !== null && row.holdUntil >= state.day;
    if (!isRevolving) spentCents += row.principalCents;
    else if (isHeld) heldCents += row.principalCents;
    if (isHeld) heldCents += row.refundedPrincipalCents + row.otherCents;
  }
  return { heldCents, spentCents };
}
