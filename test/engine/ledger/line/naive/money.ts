import Big from 'big.js';
import type { Bucket } from '../../../../../engine/index.js';
import { type Book, closeFulfilled, isWhole, type NaivePayment, type Split, toleranceOf } from './book.js';
import { annualRate } from './daily-rate.js';
import { type Holder, least, most, type NaiveFee, type NaiveObligation, type Standing, sum, sure, wholeCents, ZERO } from './holder.js';
import { fulfilWithoutLate, remainingOf } from './late-fees.js';
import { bucketsOf } from './orders.js';

/** Money on its way into buckets. */
export interface Pouring {
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

export const streamOf = ({ transaction, kind, amount }: Pick<Pouring, 'transaction' | 'kind' | 'amount'>): Stream => ({
  payment: { transaction, isCredit: kind === 'credit', splits: new Map(), over: ZERO },
  left: amount,
  toLateFees: ZERO,
  early: ZERO,
});

export interface Poured {
  /** It lowered balances before they were due. */
  readonly early: Big;
  /** Late fees have taken it, and no obligation lacks it. */
  readonly toLateFees: Big;
}

export function pour(book: Book, pouring: Pouring): Poured {
  const stream = streamOf(pouring);
  const first = book.obligations.findIndex(({ isFulfilled }) => !isFulfilled);
  const buckets = bucketsOf(book.status, book.settings, pouring.waterfall);
  if (pouring.directed !== null) for (const bucket of buckets) pourInto(book, pouring.directed, bucket, stream);
  fill(book, buckets, stream);
  // A refund is no payment of anyone's: it counts for nobody's older obligation.
  const principalOnly = pouring.kind === 'refund' ? stream.early : (pouring.principalOnly ?? ZERO);
  if (!isWhole(book) && book.status !== 'paidOff') countForOldest(book, stream, principalOnly);
  const toLateFees = endPouring(book, stream, { first });
  if (!isWhole(book)) stream.early = stream.early.plus(letFeesGo(book));
  return { early: stream.early, toLateFees };
}

function fill(book: Book, buckets: readonly string[], stream: Stream): void {
  for (const bucket of buckets) {
    const draws = inOrder(book);
    for (const holder of book.settings.areLineFeesFirst ? [book.line, ...draws] : [...draws, book.line])
      pourInto(book, holder, bucket, stream);
  }
}

/** What a payment was paid over meets what is owed now, also fees that nobody knew of when it was paid. */
export function meetFrom(book: Book, payment: NaivePayment, amount: Big): Poured {
  const stream: Stream = { payment, left: amount, toLateFees: ZERO, early: ZERO, isForAll: true };
  const first = book.obligations.findIndex(({ isFulfilled }) => !isFulfilled);
  fill(book, bucketsOf(book.status, book.settings, book.settings.paymentWaterfall), stream);
  if (!isWhole(book) && book.status !== 'paidOff') countForOldest(book, stream, ZERO);
  const used = amount.minus(stream.left);
  payment.over = payment.over.minus(used);
  book.reimbursement = book.reimbursement.minus(used);
  const toLateFees = first >= 0 ? fulfilWithoutLate(book, first, stream.toLateFees) : stream.toLateFees;
  closeFulfilled(book, remainingOf);
  if (!isWhole(book)) stream.early = stream.early.plus(letFeesGo(book));
  return { early: stream.early, toLateFees };
}

/** Minimum payments that are not met have the money that went into what is not due yet, of whichever draw: the oldest first. */
function countForOldest(book: Book, stream: Stream, principalOnly: Big): void {
  let left = most(ZERO, stream.early.minus(principalOnly));
  for (const obligation of book.obligations.filter(({ isFulfilled }) => !isFulfilled)) {
    for (const part of obligation.parts) {
      const counted = least(left, part.remaining);
      part.remaining = part.remaining.minus(counted);
      meetWithoutLate(book, obligation, counted, stream);
      left = left.minus(counted);
      stream.early = stream.early.minus(counted);
    }
  }
  returnToNonDue(book);
}

/** What is due or overdue of a draw above what minimum payments lack of it is not due any more. */
export function returnToNonDue(book: Book): void {
  for (const draw of book.draws) {
    for (const lateness of ['overdue', 'due'] as const) {
      const all = aboveAsked(book, draw, 'overdue').plus(aboveAsked(book, draw, 'due'));
      let above = lateness === 'overdue' ? aboveAsked(book, draw, 'overdue') : least(aboveAsked(book, draw, 'due'), all);
      // Money for what is due was counted for what is overdue: so much of that is due now.
      let toDue = lateness === 'overdue' ? most(ZERO, ZERO.minus(aboveAsked(book, draw, 'due'))) : ZERO;
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

const carriedFees = ({ fees }: Holder): readonly NaiveFee[] => fees.filter(({ isCarried, standing }) => isCarried && standing !== 'nonDue');

/** What stands so of a draw, and no minimum payment lacks. */
function aboveAsked({ obligations }: Book, holder: Holder, lateness: 'overdue' | 'due'): Big {
  const { principal, interest } = holder;
  const ofStanding = obligations.filter(({ isEnforced }) => isEnforced === (lateness === 'overdue'));
  const asked = ofStanding.flatMap(({ parts }) => parts.filter((part) => part.holder === holder).map(({ remaining }) => remaining));
  const fees = carriedFees(holder).filter((fee) => fee.standing === lateness);
  return sum([principal[lateness], interest[lateness], ...fees.map(({ open }) => open)]).minus(sum(asked));
}

/**
 * Nothing is lacked any more: fees that other money was counted for wait for the next statement, the newest first. That money is ahead.
 */
function letFeesGo(book: Book): Big {
  let counted = ZERO;
  if (book.obligations.some((obligation) => !obligation.isFulfilled && remainingOf(obligation).gt(toleranceOf(book)))) return counted;
  for (const holder of book.holders) {
    let above = aboveAsked(book, holder, 'overdue').plus(aboveAsked(book, holder, 'due'));
    for (const fee of [...carriedFees(holder)].reverse()) {
      if (fee.open.eq(0) || fee.open.gt(above)) continue;
      fee.isCarried = false;
      fee.standing = 'due';
      above = above.minus(fee.open);
      counted = counted.plus(fee.open);
    }
  }
  return counted;
}

/** Answers what is left of the money that met due balances or late fees, had no late fee taken any. */
export function endPouring(book: Book, { payment, left, toLateFees: taken }: Stream, { first }: { readonly first: number }): Big {
  payment.over = left;
  const toLateFees = first >= 0 ? fulfilWithoutLate(book, first, taken) : taken;
  closeFulfilled(book, remainingOf);
  if (!payment.isCredit) book.reimbursement = book.reimbursement.plus(left);
  book.payments.push(payment);
  return toLateFees;
}

export function pourInto(book: Book, holder: Holder, bucket: string, stream: Stream): void {
  const standing = (['nonDue', 'overdue', 'due', 'chargedOff'] as const).find((name) => bucket.startsWith(name)) ?? 'due';
  if (bucket.endsWith('Fees')) {
    for (const fee of holder.fees)
      if (fee.standing === standing && (fee.knownFrom <= book.today || stream.isForAll === true)) pourIntoFee(book, holder, fee, stream);
    return;
  }
  const isPrincipal = bucket.endsWith('Principal');
  const amounts = isPrincipal ? holder.principal : holder.interest;
  const taken = least(stream.left, wholeCents(amounts[standing]));
  if (taken.eq(0)) return;
  amounts[standing] = amounts[standing].minus(taken);
  stream.left = stream.left.minus(taken);
  const split = splitOf(stream.payment, holder);
  if (isPrincipal) split.principal = split.principal.plus(taken);
  else split.interest = split.interest.plus(taken);
  countFulfilled(book, holder, taken);
  if (standing === 'nonDue') stream.early = stream.early.plus(taken);
  else meet(book, holder, taken, stream);
}

export function pourIntoFee(book: Book, holder: Holder, fee: NaiveFee, stream: Stream): void {
  const taken = least(fee.open, stream.left);
  if (taken.eq(0)) return;
  fee.open = fee.open.minus(taken);
  stream.left = stream.left.minus(taken);
  const split = splitOf(stream.payment, holder);
  split.fees = split.fees.plus(taken);
  countFulfilled(book, holder, taken);
  if (fee.isCarried) meet(book, holder, taken, stream);
  else if (fee.late !== null) stream.toLateFees = stream.toLateFees.plus(taken);
}

/** The oldest unfulfilled obligation first; what the tolerance has let pass comes last. */
function meet(book: Book, holder: Holder, amount: Big, stream: Stream): void {
  const { obligations } = book;
  let left = amount;
  for (const obligation of [
    ...obligations.filter(({ isFulfilled }) => !isFulfilled),
    ...obligations.filter(({ isFulfilled }) => isFulfilled),
  ]) {
    for (const part of obligation.parts) {
      const paid = part.holder === holder ? least(left, part.remaining) : ZERO;
      part.remaining = part.remaining.minus(paid);
      meetWithoutLate(book, obligation, paid, stream);
      left = left.minus(paid);
    }
  }
  // A fee that other money was counted for before.
  if (!isWhole(book) && book.status !== 'paidOff') stream.early = stream.early.plus(left);
}

/** What of the money the obligation would lack had late fees taken none; what the tolerance would let pass then is met last. */
function meetWithoutLate(book: Book, obligation: NaiveObligation, paid: Big, stream: Stream): void {
  const part = obligation.withoutLate.gt(toleranceOf(book)) ? least(paid, obligation.withoutLate) : ZERO;
  obligation.withoutLate = obligation.withoutLate.minus(part);
  stream.toLateFees = stream.toLateFees.plus(paid.minus(part));
}

function splitOf({ splits }: NaivePayment, holder: Holder): Split {
  const known = splits.get(holder) ?? { principal: ZERO, interest: ZERO, fees: ZERO };
  splits.set(holder, known);
  return known;
}

/** Counts toward the last statement's full balance, up to its due date. */
export function countFulfilled({ obligations, today }: Book, holder: Holder, amount: Big): void {
  const last = obligations.at(-1);
  if (last === undefined || today > last.due + last.paused) return;
  for (const part of last.parts) if (part.holder === holder) part.fulfilled = part.fulfilled.plus(amount);
}

/** The multi-waterfall of the draws. */
export function inOrder({ draws, settings, today }: Book): readonly Holder[] {
  const standing = (draw: Holder, of: Standing): Big =>
    draw.principal[of].plus(draw.interest[of]).plus(sum(draw.fees.map((fee) => (fee.standing === of ? fee.open : ZERO))));
  const keys = {
    overdueAmount: (draw: Holder) => standing(draw, 'overdue'),
    dueAmount: (draw: Holder) => standing(draw, 'due'),
    highestRate: (draw: Holder) => annualRate(sure(draw.rates), today),
    oldest: (draw: Holder) => new Big(-sure(draw.terms).effective.day),
  };
  return [...draws].sort(
    (a, b) => settings.drawOrder.map((step) => keys[step](b).cmp(keys[step](a))).find((compared) => compared !== 0) ?? 0,
  );
}

export const waterfallFor = ({ settings }: Book, kind: Pouring['kind']): readonly Bucket[] =>
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
export function keepAhead(book: Book, early: Big, { isEnabled, isPeriodic, principalOnly, toLateFees }: Early): void {
  if (book.status !== 'active' || isWhole(book)) return;
  const counting = early.minus(least(early, principalOnly));
  const isAskedFor = book.obligations.some(({ due, paused, amount }) => book.today <= due + paused && amount.gt(0));
  const isForNext = isPeriodic && !isAskedFor;
  if (isForNext) book.forNextButForLateFees = book.forNextButForLateFees.plus(toLateFees);
  if (isEnabled) book.ahead = book.ahead.plus(counting);
  else if (isForNext) book.forNext = book.forNext.plus(counting);
}
