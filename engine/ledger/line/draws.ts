import { must } from '../../assert.js';
import { addDays } from '../../calendar/index.js';
import { NO_INTEREST } from '../core/interest.js';
import { withoutIdleDays } from '../core/idle-days.js';
import type { DrawActivated } from './facts.js';
import type { DrawBalances, DrawState, LineState } from './state.js';
import { noTotals } from './totals.js';

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
