import type Big from 'big.js';
import { must, type PeriodView } from '../../../../../engine/index.js';
import { addInterest } from './accrue.js';
import { type NaiveState, toleranceOf } from './state.js';
import {
  fallDue,
  fallingFees,
  type Holder,
  least,
  money,
  most,
  type NaiveObligation,
  overOwnLimit,
  owedBy,
  type Part,
  share,
  type Stated,
  sum,
  sure,
  wholeCents,
  withWaiting,
  ZERO,
} from './holder.js';
import { inOrder } from './money.js';
import { dueDatesFrom, runningPeriod } from './periods.js';
import { addPlan, moveRows } from './rows.js';

/** On a statement date, interest is truncated to cents, and the minimum payment is computed and becomes due. */
export function makeStatement(state: NaiveState, period: PeriodView): void {
  const at: Stated = { day: state.today, due: period.dueDay };
  for (const draw of state.draws) {
    chargeMinimumInterest(state, draw);
    draw.interest.nonDue = wholeCents(draw.interest.nonDue);
  }
  for (const draw of state.draws) {
    const { amortization } = sure(draw.terms);
    if (amortization?.logic === 'aggregatePurchasesInPeriod')
      amortize(state, draw, { principal: least(draw.bought, draw.principal.nonDue), payment: amortization.payment, from: period });
  }
  const asked = new Map<Holder, Big>(state.holders.map((holder) => [holder, askedOf(state, holder, at)]));
  raiseToLine(state, asked, at);
  boundBy(state, asked, at, state.adjustments.bounds.get(period.ordinal));
  state.obligations.push(fixed(state, period, asked, at));
  for (const draw of state.draws) {
    draw.accrued = ZERO;
    draw.bought = ZERO;
    draw.rows = draw.rows.filter(({ date }) => date > period.dueDay);
  }
}

function chargeMinimumInterest({ settings }: NaiveState, draw: Holder): void {
  const least150 = settings.minimumInterestChargeCents;
  const lacking = least150 === null ? ZERO : money(least150).minus(draw.accrued);
  if (!draw.inGrace && !draw.isCanceled && draw.accrued.gt(0) && lacking.gt(0)) addInterest(draw, lacking);
}

function fixed(state: NaiveState, period: PeriodView, asked: ReadonlyMap<Holder, Big>, at: Stated): NaiveObligation {
  const loose = looseLateFees(state);
  let fees = ZERO;
  const parts = state.holders.map((holder): Part => {
    const full = owedBy(holder);
    const principal = sum(Object.values(holder.principal));
    const wanted = must(asked.get(holder), 'asked');
    const { due } = holder.interest;
    const body = wanted.minus(feesWith(holder, wanted, at));
    const forThis = least(state.forNext, body);
    state.forNext = state.forNext.minus(forThis);
    const agreed = least(state.ahead, body.minus(forThis));
    state.ahead = state.ahead.minus(agreed);
    const ahead = forThis.plus(agreed);
    fees = fees.plus(fallDue(holder, { asked: wanted, ahead }, at));
    return { holder, full, principal, interest: holder.interest.due.minus(due), remaining: wanted.minus(ahead), fulfilled: ZERO };
  });
  const amount = sum([...asked.values()]);
  const remaining = sum(parts.map((part) => part.remaining));
  const shortOfLateFees = remaining.minus(loose.minus(looseLateFees(state))).minus(state.forNextButForLateFees);
  state.forNext = state.forNextButForLateFees = ZERO;
  return {
    ordinal: period.ordinal,
    due: period.dueDay,
    amount,
    statement: state.today,
    parts,
    withoutLate: most(ZERO, shortOfLateFees),
    paused: 0,
    isEnforced: false,
    isFulfilled: remaining.lte(toleranceOf(state)),
    base: amount.minus(fees),
  };
}

/** The fees that become due with such an amount. */
function feesWith(holder: Holder, asked: Big, at: Stated): Big {
  const fees = sum(fallingFees(holder, at).map(({ open }) => open));
  const body = bodyOf(holder);
  return asked.gte(fees.plus(body)) ? asked.minus(body) : fees;
}

const bodyOf = ({ principal, interest }: Holder): Big => principal.nonDue.plus(interest.nonDue);

const looseLateFees = ({ line }: NaiveState): Big => sum(line.fees.map((fee) => (fee.late !== null && !fee.isCarried ? fee.open : ZERO)));

function askedOf(state: NaiveState, holder: Holder, at: Stated): Big {
  const fees = sum(fallingFees(holder, at).map(({ open }) => open));
  const whole = fees.plus(bodyOf(holder));
  if (holder.terms === null) return withWaiting(holder, fees, whole, at);
  const row = holder.rows.find(({ date }) => date === at.due);
  if (row !== undefined) {
    const isLast = holder.rows.every(({ date }) => date <= at.due);
    return withWaiting(holder, isLast ? whole : least(whole, fees.plus(row.amount)), whole, at);
  }
  if (holder.isAmortized) return withWaiting(holder, holder.rows.length === 0 ? whole : fees, whole, at);
  const { minimum } = holder.terms;
  const { isInterestInMinimum, areFeesInMinimum } = state.settings;
  let minimal = share(sum(Object.values(holder.principal)), minimum.percentageOfPrincipal);
  if (isInterestInMinimum) minimal = minimal.plus(holder.interest.nonDue);
  if (areFeesInMinimum) minimal = minimal.plus(fees);
  if (minimum.isOverLimitIncluded) minimal = minimal.plus(overOwnLimit(holder));
  return withWaiting(holder, most(fees, least(whole, most(minimal, money(minimum.minCents)))), whole, at);
}

/** The line's minimum amount, and the balance above its limit, are asked of the draws in order. */
function raiseToLine(state: NaiveState, asked: Map<Holder, Big>, at: Stated): void {
  const { minimum } = state.terms;
  const included = sum(state.draws.map((draw) => (draw.terms?.minimum.isOverLimitIncluded === true ? overOwnLimit(draw) : ZERO)));
  const over = most(ZERO, sum(state.holders.map(owedBy)).minus(state.limit).minus(included));
  const isIncluded = state.settings.isOverLimitInMinimum || minimum.isOverLimitIncluded;
  const total = sum([...asked.values()]);
  let extra = most(money(minimum.minCents), total.plus(isIncluded ? over : ZERO)).minus(total);
  for (const draw of inOrder(state)) {
    if (extra.lte(0)) return;
    const before = must(asked.get(draw), 'asked');
    const whole = sum(fallingFees(draw, at).map(({ open }) => open)).plus(bodyOf(draw));
    const raised = withWaiting(draw, least(whole, least(before, whole).plus(extra)), whole, at);
    asked.set(draw, raised);
    extra = extra.minus(raised.minus(before));
  }
}

/** A fact recorded after the due date for a day before it does not raise the minimum payment: the last draws ask for less. */
function boundBy(state: NaiveState, asked: Map<Holder, Big>, at: Stated, most100: number | undefined): void {
  if (most100 === undefined) return;
  const feesOf = (holder: Holder): Big => sum(fallingFees(holder, at).map(({ open }) => open));
  const bodyAsked = (holder: Holder): Big => least(bodyOf(holder), most(ZERO, must(asked.get(holder), 'asked').minus(feesOf(holder))));
  let excess = sum(state.holders.map(bodyAsked)).minus(money(most100));
  for (const holder of [...state.holders].reverse()) {
    const less = least(excess, bodyAsked(holder));
    if (less.gt(0)) asked.set(holder, feesOf(holder).plus(bodyAsked(holder)).minus(less));
    excess = excess.minus(less);
    if (excess.lte(0)) return;
  }
}

interface Plan {
  readonly principal: Big;
  readonly payment: Parameters<typeof addPlan>[1]['payment'];
  /** The period whose due date is that of the first row. */
  readonly from: PeriodView;
}

/**
 * Handles rows whose statements were skipped: all rows move to later dates, or their amounts are spread over the remaining rows.
 */
export function resumeRows(state: NaiveState, draw: Holder, { shiftDueDates }: { readonly shiftDueDates: boolean }): void {
  const running = runningPeriod(state);
  const left = draw.rows.filter(({ date }) => date >= running.dueDay).length;
  if (left === draw.rows.length) return;
  if (shiftDueDates) return moveRows(draw, 0, (count) => dueDatesFrom(state, running, count));
  const bought = sure(draw.terms).amortization?.logic === 'aggregatePurchasesInPeriod' ? least(draw.bought, draw.principal.nonDue) : ZERO;
  draw.rows = [];
  const principal = draw.principal.nonDue.minus(bought).plus(wholeCents(draw.interest.nonDue));
  if (left > 0) amortize(state, draw, { principal, payment: { type: 'periods', count: left }, from: running });
}

/** Amortizes a balance of a draw over the line's due dates. */
export function amortize(state: NaiveState, draw: Holder, { principal, payment, from }: Plan): void {
  const { terms, today: day } = state;
  addPlan(draw, {
    terms,
    draw: sure(draw.terms),
    rates: sure(draw.rates),
    principal,
    payment,
    day,
    dueDates: (count) => dueDatesFrom(state, from, count),
  });
}
