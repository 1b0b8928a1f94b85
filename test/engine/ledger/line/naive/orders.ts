import type Big from 'big.js';
import type { Bucket, LineSettings } from '../../../../../engine/index.js';
import { type Book, closeFulfilled, type NaiveLineStatus, toleranceOf } from './book.js';
import { type Holder, most, type Part, type Standing, sum, wholeCents, ZERO } from './holder.js';
import { remainingOf } from './late-fees.js';

/* What orders change of a line kept by hand. */

/** Days of freezing do not count against what was unpaid. */
export function thaw(book: Book): void {
  const last = book.obligations.at(-1);
  for (const obligation of book.obligations) {
    const isUndecided = obligation === last && obligation.due + obligation.paused >= book.frozenSince;
    if (!obligation.isFulfilled || isUndecided) obligation.paused += book.today - book.frozenSince;
  }
  book.status = 'active';
}

/** Everything is due as one obligation that keeps the oldest due date. */
export function accelerate(book: Book): void {
  const oldest = book.obligations.find(({ isFulfilled }) => !isFulfilled);
  const standing = oldest?.isEnforced === true ? 'overdue' : 'due';
  for (const { principal, interest, fees } of book.holders) {
    interest.nonDue = wholeCents(interest.nonDue);
    for (const amounts of [principal, interest]) moveAll(amounts, standing);
    for (const fee of fees) if (fee.open.gt(0)) Object.assign(fee, { standing, isCarried: true, fellDue: null });
  }
  const parts = book.holders.map(wholePart);
  const amount = sum(parts.map(({ remaining }) => remaining));
  book.replaced = book.obligations.filter(({ isFulfilled }) => !isFulfilled);
  const kept = book.obligations.filter(({ isFulfilled }) => isFulfilled);
  // What the tolerance has let pass is part of the whole now.
  for (const obligation of kept) {
    obligation.amount = obligation.amount.minus(remainingOf(obligation));
    for (const part of obligation.parts) part.remaining = ZERO;
  }
  book.obligations = [
    ...kept,
    {
      ordinal: null,
      due: oldest?.due ?? book.today,
      amount,
      base: amount,
      statement: book.today,
      parts,
      withoutLate: ZERO,
      paused: oldest?.paused ?? 0,
      isEnforced: oldest?.isEnforced ?? false,
      isFulfilled: amount.lte(toleranceOf(book)),
    },
  ];
  book.ahead = book.forNext = book.forNextButForLateFees = ZERO;
  book.acceleratedSince = book.today;
  book.status = 'accelerated';
}

export function chargeOff(book: Book): void {
  if (book.status !== 'accelerated') accelerate(book);
  for (const { principal, interest, fees } of book.holders) {
    for (const amounts of [principal, interest]) moveAll(amounts, 'chargedOff');
    for (const fee of fees) if (fee.open.gt(0)) fee.standing = 'chargedOff';
  }
  book.chargedOffSince = book.today;
  book.status = 'chargedOff';
}

/** So many days overdue accelerate the line, and charge it off. */
export function checkThresholds(book: Book): void {
  const oldest = book.obligations.find(({ isEnforced, isFulfilled }) => isEnforced && !isFulfilled);
  if (oldest === undefined || book.thresholdHolders.size > 0) return;
  const days = book.today - oldest.due - oldest.paused;
  const { accelerationDueWithin, chargeOffDueWithin } = book.settings;
  const isReached = (within: number | null, notThrough: number): boolean => within !== null && days >= within && book.today > notThrough;
  if (book.status === 'active' && isReached(accelerationDueWithin, book.hindsight.noAccelerationThrough)) accelerate(book);
  if (isReached(chargeOffDueWithin, book.hindsight.noChargeOffThrough)) chargeOff(book);
}

/** A closed line that owes nothing, with no payment that may still fail, is paid off. */
export function settle(book: Book): void {
  for (const draw of book.draws) if (owedWhole(draw).eq(0)) draw.interest.nonDue = ZERO;
  if (book.status === 'paidOff' || book.status === 'chargedOff' || !book.isClosed || book.processing.size > 0) return;
  if (book.holders.some((holder) => owedWhole(holder).gt(0))) return;
  for (const { interest } of book.draws) interest.nonDue = ZERO;
  book.ahead = book.forNext = book.forNextButForLateFees = ZERO;
  book.statusBefore = book.status;
  book.status = 'paidOff';
}

/** Nothing is owed on a draw any more, nor asked for. */
export function cancelDraw(book: Book, draw: Holder): void {
  if (draw.isCanceled) return;
  draw.isCanceled = true;
  for (const amounts of [draw.principal, draw.interest])
    Object.assign(amounts, { nonDue: ZERO, due: ZERO, overdue: ZERO, chargedOff: ZERO });
  for (const fee of draw.fees) fee.open = ZERO;
  draw.rows = [];
  for (const obligation of book.obligations) {
    for (const part of obligation.parts) {
      if (part.holder !== draw) continue;
      obligation.amount = obligation.amount.minus(part.remaining);
      obligation.withoutLate = most(ZERO, obligation.withoutLate.minus(part.remaining));
      part.remaining = ZERO;
    }
  }
  closeFulfilled(book, remainingOf);
}

const owedWhole = ({ principal, interest, fees }: Holder): Big =>
  sum([...Object.values(principal), ...Object.values(interest).map(wholeCents), ...fees.map(({ open }) => open)]);

/** What is due or overdue goes back to what is not, with its interest and fees in principal. */
export function deferBalances(book: Book): void {
  for (const draw of book.draws) {
    for (const standing of ['due', 'overdue'] as const) {
      draw.principal.nonDue = draw.principal.nonDue.plus(draw.principal[standing]).plus(draw.interest[standing]);
      draw.principal[standing] = draw.interest[standing] = ZERO;
    }
    deferFees(draw, draw);
  }
  const oldest = book.draws.find(({ terms, isCanceled }) => !isCanceled && terms?.drawType !== 'static');
  deferFees(book.line, oldest ?? null);
  for (const obligation of book.obligations) {
    obligation.withoutLate = most(ZERO, obligation.withoutLate.minus(remainingOf(obligation)));
    for (const part of obligation.parts) part.remaining = ZERO;
  }
  closeFulfilled(book, remainingOf);
}

function deferFees({ fees }: Holder, into: Holder | null): void {
  for (const fee of fees) {
    if (fee.standing !== 'due' && fee.standing !== 'overdue') continue;
    if (into === null) Object.assign(fee, { standing: 'nonDue', isCarried: false, fellDue: null });
    else {
      into.principal.nonDue = into.principal.nonDue.plus(fee.open);
      fee.open = ZERO;
    }
  }
}

/** What is owed in addition joins the one obligation. */
export function joinWhole(book: Book, holder: Holder, amount: Big): Standing {
  const whole = book.obligations.at(-1);
  if (whole === undefined) throw new Error('an acceleration makes an obligation');
  let part = whole.parts.find((known) => known.holder === holder);
  if (part === undefined) {
    part = { ...wholePart(holder), remaining: ZERO };
    whole.parts.push(part);
  }
  part.remaining = part.remaining.plus(amount);
  whole.amount = whole.amount.plus(amount);
  whole.isFulfilled = remainingOf(whole).lte(toleranceOf(book));
  return book.status === 'chargedOff' ? 'chargedOff' : whole.isEnforced ? 'overdue' : 'due';
}

function wholePart(holder: Holder): Part {
  const { principal, interest, fees } = holder;
  const remaining = sum([principal, interest].flatMap((amounts) => Object.values(amounts))).plus(sum(fees.map(({ open }) => open)));
  return {
    holder,
    full: remaining,
    principal: sum(Object.values(principal)),
    interest: sum(Object.values(interest)),
    remaining,
    fulfilled: ZERO,
  };
}

function moveAll(amounts: Record<Standing, Big>, to: Standing): void {
  const whole = sum(Object.values(amounts));
  const due = to === 'due' ? amounts.overdue : ZERO;
  Object.assign(amounts, { nonDue: ZERO, due: ZERO, overdue: due, chargedOff: ZERO });
  amounts[to] = whole.minus(due);
}

/** Of a line that is owed as one only the components have an order. */
export function bucketsOf(
  status: NaiveLineStatus,
  { acceleratedWaterfall, chargedOffWaterfall }: LineSettings,
  waterfall: readonly Bucket[],
): readonly string[] {
  const named = (standing: string, component: string): string => `${standing}${component.charAt(0).toUpperCase()}${component.slice(1)}`;
  if (status === 'chargedOff') return chargedOffWaterfall.map((component) => named('chargedOff', component));
  if (status !== 'accelerated') return waterfall;
  return acceleratedWaterfall.flatMap((component) => ['overdue', 'due', 'nonDue'].map((standing) => named(standing, component)));
}
