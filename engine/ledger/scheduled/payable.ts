import type { Day } from '../../calendar/index.js';
import { type Cents, cents } from '../../money/index.js';
import { expectedBalance } from './balance.js';
import { claimedInterest, type Installment, type ScheduledLedger, ownInterest } from './book.js';
import { growthOf, interestOfPeriod, interestUpTo, levelOf, setParts, stretchesOf } from './split.js';
import { RowsBefore } from './rows-before.js';

/** What it takes to meet one row on the book's day. */
export interface Payable {
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  /** The principal that its period began with. */
  readonly balanceCents: Cents;
}

/** Before its due date a row asks for interest up to the day, and for principal in place of the rest. */
export function payableFor(book: ScheduledLedger, row: Installment): Payable {
  const interest = row.dueDay <= book.day ? ownInterest(row) : payableInterest(book, row);
  return {
    principalCents: cents(levelOf(book, row) - interest),
    interestCents: cents(interest),
    balanceCents: cents(expectedBalance(book, row.from)),
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

export function stretchesFor(book: ScheduledLedger, row: Installment): readonly StretchOfInterest[] {
  const stretches = stretchesOf(book, row, book.day);
  return stretches.cuts.flatMap((from, position) => {
    const to = stretches.cuts[position + 1];
    if (to === undefined) return [];
    const interest = interestUpTo(book, row, { ...stretches, cuts: [from, to] });
    return [{ from, to, ...growthOf(book, row, from, to), interestCents: cents(interest) }];
  });
}

/** Where payments change the interest: who pays ahead is asked for interest up to the day, and for principal instead. */
export function fixPayable(book: ScheduledLedger, row: Installment): void {
  if (book.terms.recalculation.type !== 'progressive' || row.isFixed || row.kind !== 'regular') return;
  setParts(book, row, payableInterest(book, row));
}

/** Interest that a payment on the book's day must bring for a row to come. */
function payableInterest(book: ScheduledLedger, row: Installment): number {
  if (book.terms.payoffInterest === 'toPeriodEnd') {
    const isRunning = row.from <= book.day;
    return isRunning ? ownInterest(row) : 0;
  }
  return Math.max(0, accruedBy(book, book.day) - claimedBefore(book, row));
}

/** Interest of all nights before a day, in the periods that have begun. */
export function accruedBy(book: ScheduledLedger, day: Day): number {
  let cents = 0;
  const before = new RowsBefore(book);
  for (const row of book.installments) {
    if (row.kind === 'regular' && row.from < day)
      cents += interestOfPeriod(book, row, { asOf: day, until: day < row.dueDay ? day : row.dueDay, before });
    before.pass(row);
  }
  return cents;
}

/** Interest that the other rows up to this one ask for. */
function claimedBefore(book: ScheduledLedger, row: Installment): number {
  let cents = 0;
  for (const other of book.installments) {
    if (other === row) break;
    if (other.kind === 'regular') cents += claimedInterest(other);
  }
  return cents;
}
