import type { Day } from '../calendar/index.js';
import { type Cents, cents } from '../money/index.js';
import { expectedBalance } from './balance.js';
import type { Instalment, InstalmentBook } from './book.js';
import { growthOf, interestUpTo } from './interest.js';
import { levelOf, ownInterest, setParts, stretchesOf } from './split.js';

/** What it takes to meet one instalment on the book's day. */
export interface Payable {
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  /** The principal that its period began with. */
  readonly balanceCents: Cents;
}

/** Before its due date an instalment asks for interest up to the day, and for principal in place of the rest. */
export function payableFor(book: InstalmentBook, instalment: Instalment): Payable {
  const interest = instalment.dueDay <= book.day ? ownInterest(instalment) : payableInterest(book, instalment);
  return {
    principalCents: cents(levelOf(book, instalment) - interest),
    interestCents: cents(interest),
    balanceCents: cents(expectedBalance(book, instalment.from)),
  };
}

/** Days of a period at one balance and one rate: the share of a cent that each bears, `numerator / denominator`, and its interest. */
export interface StretchOfInterest {
  readonly from: Day;
  readonly to: Day;
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly interestCents: Cents;
}

export function stretchesFor(book: InstalmentBook, instalment: Instalment): readonly StretchOfInterest[] {
  const stretches = stretchesOf(book, instalment, book.day);
  return stretches.cuts.flatMap((from, position) => {
    const to = stretches.cuts[position + 1];
    if (to === undefined) return [];
    const interest = interestUpTo(book, instalment, { ...stretches, cuts: [from, to] });
    return [{ from, to, ...growthOf(book, instalment, from, to), interestCents: cents(interest) }];
  });
}

/** Where payments change the interest: who pays ahead is asked for interest up to the day, and for principal instead. */
export function fixPayable(book: InstalmentBook, instalment: Instalment): void {
  if (book.terms.recalculation.type !== 'progressive' || instalment.isFixed || instalment.kind !== 'regular') return;
  setParts(book, instalment, payableInterest(book, instalment));
}

/** Interest that a payment on the book's day must bring for an instalment to come. */
function payableInterest(book: InstalmentBook, instalment: Instalment): number {
  if (book.terms.payoffInterest === 'toPeriodEnd') {
    const isRunning = instalment.from <= book.day;
    return isRunning ? ownInterest(instalment) : 0;
  }
  return Math.max(0, accruedBy(book, book.day) - claimedInterest(book, instalment));
}

/** Interest of all nights before a day, in the periods that have begun. */
export function accruedBy(book: InstalmentBook, day: Day): number {
  let cents = 0;
  for (const instalment of book.instalments) {
    if (instalment.kind !== 'regular' || instalment.from >= day) continue;
    const stretches = stretchesOf(book, instalment, day);
    cents += interestUpTo(book, instalment, { ...stretches, until: day < instalment.dueDay ? day : instalment.dueDay });
  }
  return cents;
}

/** Interest that the other instalments up to this one ask for. */
function claimedInterest(book: InstalmentBook, instalment: Instalment): number {
  let cents = 0;
  for (const other of book.instalments) {
    if (other === instalment) break;
    if (other.kind === 'regular') cents += ownInterest(other);
  }
  return cents;
}
