import { must } from '../../assert.js';
import { addDays, type Day } from '../../calendar/index.js';
import type { Cents } from '../../money/index.js';
import { NO_INTEREST } from '../core/interest.js';
import { withoutIdleDays } from '../core/mixer.js';
import { settingsOf } from '../core/rules.js';
import { yearEndAfter } from '../installment/shared.js';
import type { DrawActivated } from './facts.js';
import { drawOwedCents, lineOwedCents } from './owed.js';
import type { DrawBalances, DrawState, LinePaymentState, LineState, LineTotals } from './state.js';

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

export const findDraw = (state: LineState, draw: number): DrawState | undefined => state.draws.find((candidate) => candidate.draw === draw);

/** The oldest one that takes what is owed of the line itself. */
export const oldestDraw = ({ draws }: LineState): DrawState | undefined =>
  draws.find(({ isCanceled, activation }) => !isCanceled && activation.drawType !== 'static');

export const drawOf = (state: LineState, draw: number): DrawState => must(findDraw(state, draw), `draw ${draw} has been activated`);

/** A new draw has no balance, and with it nothing that was not paid: it begins in grace where grace applies. */
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
  /** What is owed, the fraction of interest left out. */
  readonly utilizedCents: Cents;
  /** Credit of payments that is not free yet. */
  readonly heldCents: Cents;
  /** Paid principal that frees no credit: of a line that does not revolve. */
  readonly spentCents: Cents;
  /** Never below zero. */
  readonly availableCents: Cents;
  readonly overLimitCents: Cents;
}

/** Limit, use and rest of the line, or of a draw with a limit of its own: one without has the line's. */
export function creditOf(state: LineState, draw: number | null = null): Credit {
  const of = draw === null ? null : drawOf(state, draw);
  const limitCents = of?.limitCents ?? state.limitCents;
  const utilizedCents = of === null ? lineOwedCents(state) : drawOwedCents(of);
  const { heldCents, spentCents } = unfreedBy(state, draw);
  const left = limitCents - utilizedCents - heldCents - spentCents;
  return {
    limitCents: limitCents as Cents,
    utilizedCents: utilizedCents as Cents,
    heldCents: heldCents as Cents,
    spentCents: spentCents as Cents,
    availableCents: Math.max(0, left) as Cents,
    overLimitCents: Math.max(0, utilizedCents - limitCents) as Cents,
  };
}

/** What of a limit is not open. */
export const takenCents = ({ utilizedCents, heldCents, spentCents }: Credit): Cents => (utilizedCents + heldCents + spentCents) as Cents;

/** What a purchase may come to: the line's rest, and the draw's where it has a limit of its own. */
export function availableCredit(state: LineState, draw: number | null = null): Cents {
  const ofLine = creditOf(state).availableCents;
  if (draw === null || drawOf(state, draw).limitCents === null) return ofLine;
  const ofDraw = creditOf(state, draw).availableCents;
  return ofDraw < ofLine ? ofDraw : ofLine;
}

/** The line's limit less what is owed: below zero when it is exceeded. */
export const limitRoom = (state: LineState): number => state.limitCents - lineOwedCents(state);

export const overLimitOf = (draw: DrawState): number => (draw.limitCents === null ? 0 : Math.max(0, drawOwedCents(draw) - draw.limitCents));

/** Payments that may hold credit: days pass and holds end, so that those at the front are looked at once. */
function heldPayments(state: LineState): readonly LinePaymentState[] {
  const { payments, day } = state;
  const isOver = (payment: LinePaymentState | undefined): boolean =>
    payment !== undefined && (payment.holdUntil === null || payment.holdUntil < day);
  while (isOver(payments[state.firstHeldPayment])) state.firstHeldPayment += 1;
  return payments.slice(state.firstHeldPayment);
}

/** What payments have met without freeing credit: for the time of a hold, or principal for good. A purchase that is given back frees it. */
function unfreedBy(state: LineState, draw: number | null): { readonly heldCents: number; readonly spentCents: number } {
  const { isRevolving } = settingsOf(state);
  let heldCents = 0;
  let spentCents = 0;
  for (const { kind, holdUntil, splits } of isRevolving ? heldPayments(state) : state.payments) {
    const isHeld = holdUntil !== null && holdUntil >= state.day;
    const isSpent = !isRevolving && kind !== 'refund';
    if (!isHeld && !isSpent) continue;
    for (const split of splits) {
      if (draw !== null && split.draw !== draw) continue;
      if (isSpent) spentCents += split.principalCents;
      else heldCents += split.principalCents;
      if (isHeld) heldCents += split.interestCents + split.feesCents;
    }
  }
  return { heldCents, spentCents };
}
