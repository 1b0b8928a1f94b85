import type { Day } from '../../calendar/index.js';
import { type Cents, cents } from '../../money/index.js';
import { expectedBalance } from './balance.js';
import { claimedInterest, type Installment, type ScheduledLedger, ownInterest } from './ledger.js';
import { growthOf, interestOfPeriod, interestUpTo, levelOf, setParts, stretchesOf } from './split.js';
import { RowsBefore } from './rows-before.js';

/** The amount that pays one row on the ledger's day. */
export interface Payable {
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  /** The principal at the beginning of its period. */
  readonly balanceCents: Cents;
}

/** Before its due date, a row has interest up to the day, and principal instead of the rest. */
export function payableFor(ledger: ScheduledLedger, row: Installment): Payable {
  const interest = row.dueDay <= ledger.day ? ownInterest(row) : payableInterest(ledger, row);
  return {
    principalCents: cents(levelOf(ledger, row) - interest),
    interestCents: cents(interest),
    balanceCents: cents(expectedBalance(ledger, row.from)),
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

export function stretchesFor(ledger: ScheduledLedger, row: Installment): readonly StretchOfInterest[] {
  const stretches = stretchesOf(ledger, row, ledger.day);
  return stretches.cuts.flatMap((from, position) => {
    const to = stretches.cuts[position + 1];
    if (to === undefined) return [];
    const interest = interestUpTo(ledger, row, { ...stretches, cuts: [from, to] });
    return [{ from, to, ...growthOf(ledger, row, from, to), interestCents: cents(interest) }];
  });
}

/** If payments change the interest: a row paid in advance has interest up to the day, and principal instead of the rest. */
export function fixPayable(ledger: ScheduledLedger, row: Installment): void {
  if (ledger.terms.recalculation.type !== 'progressive' || row.isFixed || row.kind !== 'regular') return;
  setParts(ledger, row, payableInterest(ledger, row));
}

/** Interest of a coming row for a payment on the ledger's day. */
function payableInterest(ledger: ScheduledLedger, row: Installment): number {
  if (ledger.terms.payoffInterest === 'toPeriodEnd') {
    const isRunning = row.from <= ledger.day;
    return isRunning ? ownInterest(row) : 0;
  }
  return Math.max(0, accruedBy(ledger, ledger.day) - claimedBefore(ledger, row));
}

/** Interest of all nights before a day, in the periods that have begun. */
export function accruedBy(ledger: ScheduledLedger, day: Day): number {
  let sumCents = 0;
  const before = new RowsBefore(ledger);
  for (const row of ledger.installments) {
    if (row.kind === 'regular' && row.from < day)
      sumCents += interestOfPeriod(ledger, row, { asOf: day, until: day < row.dueDay ? day : row.dueDay, before });
    before.pass(row);
  }
  return sumCents;
}

/** Interest of the other rows up to this one. */
function claimedBefore(ledger: ScheduledLedger, row: Installment): number {
  let sumCents = 0;
  for (const other of ledger.installments) {
    if (other === row) break;
    if (other.kind === 'regular') sumCents += claimedInterest(other);
  }
  return sumCents;
}
