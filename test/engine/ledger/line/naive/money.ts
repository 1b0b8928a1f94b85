import Big from 'big.js';
import type { Bucket } from '../../../../../engine/index.js';
import { type NaiveState, closeFulfilled, isWhole, type NaivePayment, type Split, toleranceOf } from './state.js';
import { annualRate } from './daily-rate.js';
import { type Holder, least, most, type NaiveFee, type NaiveObligation, type DueStatus, sum, sure, wholeCents, ZERO } from './holder.js';
import { fulfilWithoutLate, remainingOf } from './late-fees.js';
import { bucketsOf } from './orders.js';

/** Money that is to be allocated to buckets. */
export interface NaiveAllocation {
  readonly transaction: number;
  readonly amount: Big;
  readonly waterfall: readonly Bucket[];
  readonly kind: 'payment' | 'credit' | 'refund';
  readonly directed: Holder | null;
  readonly principalOnly?: Big;
}

/** The progress of an allocation. */
interface Stream {
  readonly payment: NaivePayment;
  left: Big;
  /** The part that late fees took: late fees outside obligations, or a part that the obligation would not lack without late fees. */
  toLateFees: Big;
  /** The part that paid non-due balances. */
  early: Big;
  /** It may pay fees that were not recorded yet. */
  readonly isForAll?: true;
}

export const streamOf = ({ transaction, kind, amount }: Pick<NaiveAllocation, 'transaction' | 'kind' | 'amount'>): Stream => ({
  payment: { transaction, isCredit: kind === 'credit', splits: new Map(), over: ZERO },
  left: amount,
  toLateFees: ZERO,
  early: ZERO,
});

export interface Allocated {
  /** The part that paid balances before they were due. */
  readonly early: Big;
  /** The part that late fees took and no obligation lacks. */
  readonly toLateFees: Big;
}

export function allocate(state: NaiveState, money: NaiveAllocation): Allocated {
  const stream = streamOf(money);
  const first = state.obligations.findIndex(({ isFulfilled }) => !isFulfilled);
  const buckets = bucketsOf(state.status, state.settings, money.waterfall);
  if (money.directed !== null) for (const bucket of buckets) allocateInto(state, money.directed, bucket, stream);
  fill(state, buckets, stream);
  // A refund is not a payment: what it pays early does not count toward older obligations.
  const principalOnly = money.kind === 'refund' ? stream.early : (money.principalOnly ?? ZERO);
  if (!isWhole(state) && state.status !== 'paidOff') countForOldest(state, stream, principalOnly);
  const toLateFees = endAllocation(state, stream, { first });
  if (!isWhole(state)) stream.early = stream.early.plus(deferFeesPaidOtherwise(state));
  return { early: stream.early, toLateFees };
}

function fill(state: NaiveState, buckets: readonly string[], stream: Stream): void {
  for (const bucket of buckets) {
    const draws = inOrder(state);
    for (const holder of state.settings.areLineFeesFirst ? [state.line, ...draws] : [...draws, state.line])
      allocateInto(state, holder, bucket, stream);
  }
}

/** The overpaid part of a payment pays what is owed now, including fees that were recorded after the payment. */
export function payFromOverpaid(state: NaiveState, payment: NaivePayment, amount: Big): Allocated {
  const stream: Stream = { payment, left: amount, toLateFees: ZERO, early: ZERO, isForAll: true };
  const first = state.obligations.findIndex(({ isFulfilled }) => !isFulfilled);
  fill(state, bucketsOf(state.status, state.settings, state.settings.paymentWaterfall), stream);
  if (!isWhole(state) && state.status !== 'paidOff') countForOldest(state, stream, ZERO);
  const used = amount.minus(stream.left);
  payment.over = payment.over.minus(used);
  state.reimbursement = state.reimbursement.minus(used);
  const toLateFees = first >= 0 ? fulfilWithoutLate(state, first, stream.toLateFees) : stream.toLateFees;
  closeFulfilled(state, remainingOf);
  if (!isWhole(state)) stream.early = stream.early.plus(deferFeesPaidOtherwise(state));
  return { early: stream.early, toLateFees };
}

/** Money that paid non-due balances of any draw counts toward unfulfilled minimum payments, the oldest first. */
function countForOldest(state: NaiveState, stream: Stream, principalOnly: Big): void {
  let left = most(ZERO, stream.early.minus(principalOnly));
  for (const obligation of state.obligations.filter(({ isFulfilled }) => !isFulfilled)) {
    for (const part of obligation.parts) {
      const counted = least(left, part.remaining);
      part.remaining = part.remaining.minus(counted);
      meetWithoutLate(state, obligation, counted, stream);
      left = left.minus(counted);
      stream.early = stream.early.minus(counted);
    }
  }
  returnToNonDue(state);
}

/** Due or overdue balances of a draw above what its minimum payments lack become non-due again. */
export function returnToNonDue(state: NaiveState): void {
  for (const draw of state.draws) {
    for (const lateness of ['overdue', 'due'] as const) {
      const all = aboveAsked(state, draw, 'overdue').plus(aboveAsked(state, draw, 'due'));
      let above = lateness === 'overdue' ? aboveAsked(state, draw, 'overdue') : least(aboveAsked(state, draw, 'due'), all);
      // Money that paid due balances was counted toward overdue ones: that much of the overdue balance becomes due.
      let toDue = lateness === 'overdue' ? most(ZERO, ZERO.minus(aboveAsked(state, draw, 'due'))) : ZERO;
      for (const amounts of [draw.principal, draw.interest]) {
        const moved = most(ZERO, least(above, amounts[lateness]));
        const stillDue = least(moved, toDue);
        amounts[lateness] = amounts[lateness].minus(moved);
        amounts.due = amounts.due.plus(stillDue);
        amounts.nonDue = amounts.nonDue.plus(moved.minus(stillDue));
        above = above.minus(moved);
        toDue = toDue.minus(stillDue);
      }
    }
  }
}

const carriedFees = ({ fees }: Holder): readonly NaiveFee[] =>
  fees.filter(({ isCarried, dueStatus }) => isCarried && dueStatus !== 'nonDue');

/** The due or overdue balance of a draw that no minimum payment lacks. */
function aboveAsked({ obligations }: NaiveState, holder: Holder, lateness: 'overdue' | 'due'): Big {
  const { principal, interest } = holder;
  const ofStatus = obligations.filter(({ isEnforced }) => isEnforced === (lateness === 'overdue'));
  const asked = ofStatus.flatMap(({ parts }) => parts.filter((part) => part.holder === holder).map(({ remaining }) => remaining));
  const fees = carriedFees(holder).filter((fee) => fee.dueStatus === lateness);
  return sum([principal[lateness], interest[lateness], ...fees.map(({ open }) => open)]).minus(sum(asked));
}

/**
 * All obligations are fulfilled: fees for which other money was counted wait for the next statement, the newest first. That
 * money is paid ahead.
 */
function deferFeesPaidOtherwise(state: NaiveState): Big {
  let counted = ZERO;
  if (state.obligations.some((obligation) => !obligation.isFulfilled && remainingOf(obligation).gt(toleranceOf(state)))) return counted;
  for (const holder of state.holders) {
    let above = aboveAsked(state, holder, 'overdue').plus(aboveAsked(state, holder, 'due'));
    for (const fee of [...carriedFees(holder)].reverse()) {
      if (fee.open.eq(0) || fee.open.gt(above)) continue;
      fee.isCarried = false;
      fee.dueStatus = 'due';
      above = above.minus(fee.open);
      counted = counted.plus(fee.open);
    }
  }
  return counted;
}

/** Returns what would be left of the money that paid due balances or late fees, if no late fee had taken any. */
export function endAllocation(state: NaiveState, { payment, left, toLateFees: taken }: Stream, { first }: { readonly first: number }): Big {
  payment.over = left;
  const toLateFees = first >= 0 ? fulfilWithoutLate(state, first, taken) : taken;
  closeFulfilled(state, remainingOf);
  if (!payment.isCredit) state.reimbursement = state.reimbursement.plus(left);
  state.payments.push(payment);
  return toLateFees;
}

export function allocateInto(state: NaiveState, holder: Holder, bucket: string, stream: Stream): void {
  const dueStatus = (['nonDue', 'overdue', 'due', 'chargedOff'] as const).find((name) => bucket.startsWith(name)) ?? 'due';
  if (bucket.endsWith('Fees')) {
    for (const fee of holder.fees)
      if (fee.dueStatus === dueStatus && (fee.knownFrom <= state.today || stream.isForAll === true))
        allocateIntoFee(state, holder, fee, stream);
    return;
  }
  const isPrincipal = bucket.endsWith('Principal');
  const amounts = isPrincipal ? holder.principal : holder.interest;
  const taken = least(stream.left, wholeCents(amounts[dueStatus]));
  if (taken.eq(0)) return;
  amounts[dueStatus] = amounts[dueStatus].minus(taken);
  stream.left = stream.left.minus(taken);
  const split = splitOf(stream.payment, holder);
  if (isPrincipal) split.principal = split.principal.plus(taken);
  else split.interest = split.interest.plus(taken);
  countFulfilled(state, holder, taken);
  if (dueStatus === 'nonDue') stream.early = stream.early.plus(taken);
  else meet(state, holder, taken, stream);
}

export function allocateIntoFee(state: NaiveState, holder: Holder, fee: NaiveFee, stream: Stream): void {
  const taken = least(fee.open, stream.left);
  if (taken.eq(0)) return;
  fee.open = fee.open.minus(taken);
  stream.left = stream.left.minus(taken);
  const split = splitOf(stream.payment, holder);
  split.fees = split.fees.plus(taken);
  countFulfilled(state, holder, taken);
  if (fee.isCarried) meet(state, holder, taken, stream);
  else if (fee.late !== null) stream.toLateFees = stream.toLateFees.plus(taken);
}

/** The oldest unfulfilled obligation first; amounts within the tolerance come last. */
function meet(state: NaiveState, holder: Holder, amount: Big, stream: Stream): void {
  const { obligations } = state;
  let left = amount;
  for (const obligation of [
    ...obligations.filter(({ isFulfilled }) => !isFulfilled),
    ...obligations.filter(({ isFulfilled }) => isFulfilled),
  ]) {
    for (const part of obligation.parts) {
      const paid = part.holder === holder ? least(left, part.remaining) : ZERO;
      part.remaining = part.remaining.minus(paid);
      meetWithoutLate(state, obligation, paid, stream);
      left = left.minus(paid);
    }
  }
  // A fee for which other money was counted before.
  if (!isWhole(state) && state.status !== 'paidOff') stream.early = stream.early.plus(left);
}

/** Counts the part of the money that the obligation would lack without late fees. Amounts within the tolerance are paid last. */
function meetWithoutLate(state: NaiveState, obligation: NaiveObligation, paid: Big, stream: Stream): void {
  const part = obligation.withoutLate.gt(toleranceOf(state)) ? least(paid, obligation.withoutLate) : ZERO;
  obligation.withoutLate = obligation.withoutLate.minus(part);
  stream.toLateFees = stream.toLateFees.plus(paid.minus(part));
}

function splitOf({ splits }: NaivePayment, holder: Holder): Split {
  const known = splits.get(holder) ?? { principal: ZERO, interest: ZERO, fees: ZERO };
  splits.set(holder, known);
  return known;
}

/** Counts money toward the last statement's full balance, up to its due date. */
export function countFulfilled({ obligations, today }: NaiveState, holder: Holder, amount: Big): void {
  const last = obligations.at(-1);
  if (last === undefined || today > last.due + last.paused) return;
  for (const part of last.parts) if (part.holder === holder) part.fulfilled = part.fulfilled.plus(amount);
}

/** The draws in the order of the multi-draw waterfall. */
export function inOrder({ draws, settings, today }: NaiveState): readonly Holder[] {
  const dueStatus = (draw: Holder, of: DueStatus): Big =>
    draw.principal[of].plus(draw.interest[of]).plus(sum(draw.fees.map((fee) => (fee.dueStatus === of ? fee.open : ZERO))));
  const keys = {
    overdueAmount: (draw: Holder) => dueStatus(draw, 'overdue'),
    dueAmount: (draw: Holder) => dueStatus(draw, 'due'),
    highestRate: (draw: Holder) => annualRate(sure(draw.rates), today),
    oldest: (draw: Holder) => new Big(-sure(draw.terms).effective.day),
  };
  return [...draws].sort(
    (a, b) => settings.drawOrder.map((step) => keys[step](b).cmp(keys[step](a))).find((compared) => compared !== 0) ?? 0,
  );
}

export const waterfallFor = ({ settings }: NaiveState, kind: NaiveAllocation['kind']): readonly Bucket[] =>
  kind === 'credit' ? settings.creditWaterfall : settings.paymentWaterfall;

interface Early {
  readonly isEnabled: boolean;
  /** A payment toward a statement; a down payment is not. */
  readonly isPeriodic: boolean;
  readonly principalOnly: Big;
  readonly toLateFees: Big;
}

/**
 * Early money counts toward future statements if the settings say so. If no due date is ahead, the borrower pays the next
 * statement early: the money counts toward that statement only.
 */
export function keepAhead(state: NaiveState, early: Big, { isEnabled, isPeriodic, principalOnly, toLateFees }: Early): void {
  if (state.status !== 'active' || isWhole(state)) return;
  const counting = early.minus(least(early, principalOnly));
  const isAskedFor = state.obligations.some(({ due, paused, amount }) => state.today <= due + paused && amount.gt(0));
  const isForNext = isPeriodic && !isAskedFor;
  if (isForNext) state.forNextButForLateFees = state.forNextButForLateFees.plus(toLateFees);
  if (isEnabled) state.ahead = state.ahead.plus(counting);
  else if (isForNext) state.forNext = state.forNext.plus(counting);
}
