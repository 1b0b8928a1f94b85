import Big from 'big.js';
import type { Bucket } from '../../../../../engine/index.js';
import { type NaiveState, closeFulfilled, isWhole, type NaivePayment, type Split, toleranceOf } from './state.js';
import { annualRate } from './daily-rate.js';
import { type Holder, least, most, type NaiveFee, type NaiveObligation, type DueStatus, sum, sure, wholeCents, ZERO } from './holder.js';
import { fulfilWithoutLate, remainingOf } from './late-fees.js';
import { bucketsOf } from './orders.js';

/** Money on its way into buckets. */
export interface NaiveAllocation {
  readonly transaction: number;
  readonly amount: Big;
  readonly waterfall: readonly Bucket[];
  readonly kind: 'payment' | 'credit' | 'refund';
  readonly directed: Holder | null;
  readonly principalOnly?: Big;
}

/** What has become of it so far. */
interface Stream {
  readonly payment: NaivePayment;
  left: Big;
  /** Late fees have taken it: those that no obligation asks for, or of one what it would not lack without any. */
  toLateFees: Big;
  /** It lowered what is not due. */
  early: Big;
  /** Nobody needs to have known what it meets. */
  readonly isForAll?: true;
}

export const streamOf = ({ transaction, kind, amount }: Pick<NaiveAllocation, 'transaction' | 'kind' | 'amount'>): Stream => ({
  payment: { transaction, isCredit: kind === 'credit', splits: new Map(), over: ZERO },
  left: amount,
  toLateFees: ZERO,
  early: ZERO,
});

export interface Allocated {
  /** It lowered balances before they were due. */
  readonly early: Big;
  /** Late fees have taken it, and no obligation lacks it. */
  readonly toLateFees: Big;
}

export function allocate(state: NaiveState, money: NaiveAllocation): Allocated {
  const stream = streamOf(money);
  const first = state.obligations.findIndex(({ isFulfilled }) => !isFulfilled);
  const buckets = bucketsOf(state.status, state.settings, money.waterfall);
  if (money.directed !== null) for (const bucket of buckets) allocateInto(state, money.directed, bucket, stream);
  fill(state, buckets, stream);
  // A refund is no payment of anyone's: it counts for nobody's older obligation.
  const principalOnly = money.kind === 'refund' ? stream.early : (money.principalOnly ?? ZERO);
  if (!isWhole(state) && state.status !== 'paidOff') countForOldest(state, stream, principalOnly);
  const toLateFees = endAllocation(state, stream, { first });
  if (!isWhole(state)) stream.early = stream.early.plus(letFeesGo(state));
  return { early: stream.early, toLateFees };
}

function fill(state: NaiveState, buckets: readonly string[], stream: Stream): void {
  for (const bucket of buckets) {
    const draws = inOrder(state);
    for (const holder of state.settings.areLineFeesFirst ? [state.line, ...draws] : [...draws, state.line])
      allocateInto(state, holder, bucket, stream);
  }
}

/** What a payment was paid over meets what is owed now, also fees that nobody knew of when it was paid. */
export function meetFrom(state: NaiveState, payment: NaivePayment, amount: Big): Allocated {
  const stream: Stream = { payment, left: amount, toLateFees: ZERO, early: ZERO, isForAll: true };
  const first = state.obligations.findIndex(({ isFulfilled }) => !isFulfilled);
  fill(state, bucketsOf(state.status, state.settings, state.settings.paymentWaterfall), stream);
  if (!isWhole(state) && state.status !== 'paidOff') countForOldest(state, stream, ZERO);
  const used = amount.minus(stream.left);
  payment.over = payment.over.minus(used);
  state.reimbursement = state.reimbursement.minus(used);
  const toLateFees = first >= 0 ? fulfilWithoutLate(state, first, stream.toLateFees) : stream.toLateFees;
  closeFulfilled(state, remainingOf);
  if (!isWhole(state)) stream.early = stream.early.plus(letFeesGo(state));
  return { early: stream.early, toLateFees };
}

/** Minimum payments that are not met have the money that went into what is not due yet, of whichever draw: the oldest first. */
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

/** What is due or overdue of a draw above what minimum payments lack of it is not due any more. */
export function returnToNonDue(state: NaiveState): void {
  for (const draw of state.draws) {
    for (const lateness of ['overdue', 'due'] as const) {
      const all = aboveAsked(state, draw, 'overdue').plus(aboveAsked(state, draw, 'due'));
      let above = lateness === 'overdue' ? aboveAsked(state, draw, 'overdue') : least(aboveAsked(state, draw, 'due'), all);
      // Money for what is due was counted for what is overdue: so much of that is due now.
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

/** What stands so of a draw, and no minimum payment lacks. */
function aboveAsked({ obligations }: NaiveState, holder: Holder, lateness: 'overdue' | 'due'): Big {
  const { principal, interest } = holder;
  const ofStatus = obligations.filter(({ isEnforced }) => isEnforced === (lateness === 'overdue'));
  const asked = ofStatus.flatMap(({ parts }) => parts.filter((part) => part.holder === holder).map(({ remaining }) => remaining));
  const fees = carriedFees(holder).filter((fee) => fee.dueStatus === lateness);
  return sum([principal[lateness], interest[lateness], ...fees.map(({ open }) => open)]).minus(sum(asked));
}

/**
 * Nothing is lacked any more: fees that other money was counted for wait for the next statement, the newest first. That money is ahead.
 */
function letFeesGo(state: NaiveState): Big {
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

/** Answers what is left of the money that met due balances or late fees, had no late fee taken any. */
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

/** The oldest unfulfilled obligation first; what the tolerance has let pass comes last. */
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
  // A fee that other money was counted for before.
  if (!isWhole(state) && state.status !== 'paidOff') stream.early = stream.early.plus(left);
}

/** The part of the money that the obligation would lack without late fees. Amounts within the tolerance get money last. */
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

/** Counts toward the last statement's full balance, up to its due date. */
export function countFulfilled({ obligations, today }: NaiveState, holder: Holder, amount: Big): void {
  const last = obligations.at(-1);
  if (last === undefined || today > last.due + last.paused) return;
  for (const part of last.parts) if (part.holder === holder) part.fulfilled = part.fulfilled.plus(amount);
}

/** The multi-waterfall of the draws. */
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
  /** A payment that some statement could have asked for: a down payment is none. */
  readonly isPeriodic: boolean;
  readonly principalOnly: Big;
  readonly toLateFees: Big;
}

/**
 * Money ahead of its time counts for statements to come where that was agreed. Where nobody is asked for money by a day that is still
 * to come, the next statement is what the borrower pays early: it is met by such money, and no other one is.
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
