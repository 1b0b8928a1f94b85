import { AmortizationError, amortize, type PaymentTerm, type Schedule } from '../../amortization/index.js';
import type { Day } from '../../calendar/index.js';
import { cents, type Cents } from '../../money/index.js';
import type { RateTimeline } from '../../rates/index.js';
import { holds } from '../core/rules.js';
import { findDraw } from './credit.js';
import type { AmortizedPayment, DrawAmortized } from './facts.js';
import { periodAfter, runningPeriod } from './periods.js';
import type { DrawState, LineFee, LinePeriod, LineState } from './state.js';

/**
 * A spread draw fee falls due in equal parts with the rows of its draw, the remainder with the last row. Without rows it falls
 * due with the first due date.
 */
function spreadFees(draw: DrawState): void {
  if (draw.activation.fee.logic !== 'spread' || draw.rows.length === 0) return;
  draw.fees = draw.fees.flatMap((fee) => (isWhole(fee) ? sharesOf(fee, draw.rows) : [fee]));
}

const isWhole = ({ origin, dueStatus, openCents, fromDueDate }: LineFee): boolean =>
  origin === 'draw' && dueStatus === 'nonDue' && openCents > 0 && fromDueDate === null;

function sharesOf(fee: LineFee, rows: DrawState['rows']): readonly LineFee[] {
  const shareCents = Math.floor(fee.openCents / rows.length);
  const paidCents = fee.amountCents - fee.openCents;
  return rows.flatMap(({ dueDate }, position) => {
    const isLast = position === rows.length - 1;
    const openCents = isLast ? fee.openCents - shareCents * position : shareCents;
    const amountCents = position === 0 ? openCents + paidCents : openCents;
    const creditedCents = position === 0 ? fee.creditedCents : 0;
    return amountCents === 0 ? [] : [{ ...fee, amountCents, openCents, creditedCents, fromDueDate: dueDate }];
  });
}

/** The most due dates for a named amount. */
const MOST_ROWS = 600;

export interface DrawPlan {
  readonly principalCents: Cents;
  readonly start: Day;
  readonly payment: AmortizedPayment;
  readonly rates: RateTimeline;
  /** The first due date that a row may have. */
  readonly from: LinePeriod;
}

/**
 * The rows of a balance that is paid off on the line's due dates: one level, or a named amount for as many periods as needed.
 *
 * @throws AmortizationError when the amount does not cover the interest.
 */
export function amortizeDraw(state: LineState, plan: DrawPlan): Schedule {
  const { payment } = plan;
  const term: PaymentTerm = payment.type === 'periods' ? { type: 'level' } : { type: 'openEnded', amountCents: payment.amountCents };
  return amortize({
    start: plan.start,
    principalCents: plan.principalCents,
    dueDates: dueDatesFrom(state, plan.from, payment.type === 'periods' ? payment.count : MOST_ROWS),
    payment: term,
    rates: plan.rates,
    dayCount: state.terms.dayCount,
    accrualMethod: state.terms.accrualMethod,
    rounding: state.terms.rounding,
  });
}

export function dueDatesFrom(state: LineState, first: LinePeriod, count: number): readonly Day[] {
  const dates: Day[] = [];
  for (let period = first; dates.length < count; period = periodAfter(state.schedule, period)) dates.push(period.dueDate);
  return dates;
}

/** Amortizes the non-due balance of a draw from the due date of the running period on. */
export function amortizeBalance(state: LineState, { draw: number, payment }: DrawAmortized): void {
  const draw = findDraw(state, number);
  if (draw === undefined || state.status !== 'active' || draw.isCanceled) return;
  draw.rows = [];
  addPlan(state, draw, { cents: draw.balances.nonDuePrincipalCents, payment, from: runningPeriod(state) });
  // The purchases of the period are part of these rows.
  if (holds(state, 'rowsFollowLine')) draw.periodPurchasesCents = 0;
}

/**
 * The rows that another system had left of an automatically amortized draw are not known: the whole non-due balance is amortized as if it
 * were bought now.
 */
export function amortizeSeeded(state: LineState, draw: DrawState): void {
  const { amortization } = draw.activation;
  if (amortization === null || !holds(state, 'rowsFollowLine')) return;
  addPlan(state, draw, { cents: draw.balances.nonDuePrincipalCents, payment: amortization.payment, from: runningPeriod(state) });
}

/** Amortizes the purchases of a period together, from its due date on. */
export function amortizeBought(state: LineState, draw: DrawState, period: LinePeriod): void {
  const { amortization } = draw.activation;
  if (amortization?.logic !== 'aggregatePurchasesInPeriod') return;
  const boughtCents = Math.min(draw.periodPurchasesCents, draw.balances.nonDuePrincipalCents);
  addPlan(state, draw, { cents: boughtCents, payment: amortization.payment, from: period });
}

/** Amortizes a single purchase from the due date of the running period on. */
export function amortizePurchase(state: LineState, draw: DrawState, purchaseCents: number): void {
  const { amortization } = draw.activation;
  if (amortization?.logic !== 'perPurchase' || state.status !== 'active') return;
  addPlan(state, draw, { cents: purchaseCents, payment: amortization.payment, from: runningPeriod(state) });
}

/**
 * Amortizes the non-due balance with its accrued interest over a number of due dates, without the purchases of the running period, which
 * get rows later.
 */
export function amortizeOver(
  state: LineState,
  draw: DrawState,
  { count, from }: { readonly count: number; readonly from: LinePeriod },
): void {
  const { nonDuePrincipalCents, nonDueInterest } = draw.balances;
  const isPlannedLater = draw.activation.amortization?.logic === 'aggregatePurchasesInPeriod';
  const laterCents = isPlannedLater ? Math.min(draw.periodPurchasesCents, nonDuePrincipalCents) : 0;
  draw.rows = [];
  if (count > 0)
    addPlan(state, draw, { cents: nonDuePrincipalCents - laterCents + nonDueInterest.cents, payment: { type: 'periods', count }, from });
}

interface Part {
  readonly cents: number;
  readonly payment: AmortizedPayment;
  readonly from: LinePeriod;
}

/** Adds the rows of a plan to those of other plans. If an amount does not cover its interest, the rows keep that amount. */
function addPlan(state: LineState, draw: DrawState, { cents: principal, payment, from }: Part): void {
  draw.isAmortized = true;
  if (principal === 0) return;
  // The rows of balances that were paid off or returned are dropped.
  if (draw.balances.nonDuePrincipalCents === principal && holds(state, 'rowsFollowLine')) draw.rows = [];
  const start = state.day > draw.interestFrom ? state.day : draw.interestFrom;
  const plan: DrawPlan = { principalCents: cents(principal), start, payment, rates: draw.rates, from };
  const rows = plannedRows(state, plan);
  const amounts = new Map(draw.rows.map(({ dueDate, amountCents }) => [dueDate, amountCents]));
  for (const { date, amountCents } of rows) amounts.set(date, (amounts.get(date) ?? 0) + amountCents);
  draw.rows = [...amounts].map(([dueDate, amountCents]) => ({ dueDate, amountCents })).sort((a, b) => a.dueDate - b.dueDate);
  spreadFees(draw);
}

function plannedRows(state: LineState, plan: DrawPlan): readonly { readonly date: Day; readonly amountCents: number }[] {
  const { payment } = plan;
  try {
    const schedule = amortizeDraw(state, plan);
    // Every row has the level: the last row takes the rest, which is known on its day.
    const levelCents = schedule.levels[0]?.amountCents ?? 0;
    return schedule.rows.map(({ date, amountCents }) => ({ date, amountCents: payment.type === 'periods' ? levelCents : amountCents }));
  } catch (error) {
    if (!(error instanceof AmortizationError) || payment.type !== 'amount') throw error;
    return dueDatesFrom(state, plan.from, MOST_ROWS).map((date) => ({ date, amountCents: payment.amountCents }));
  }
}

/** Drops rows that have fallen due. */
export function dropRows(draw: DrawState, { dueDate }: LinePeriod): void {
  if (draw.rows.length > 0) draw.rows = draw.rows.filter((row) => row.dueDate > dueDate);
}
