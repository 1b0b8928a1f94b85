import { test } from 'tap';
import {
  computeInstallments,
  formatDay,
  type ScheduledFact,
  type ScheduledKeeping,
  installmentViews,
  payoffCents,
  principalBalanceOf,
} from '../../../../engine/index.js';
import { centsFrom, dayFrom, rateFrom } from '../../numbers.js';
import { PLAIN_KEEPING } from '../installment/kept-loans.js';
import { text } from '../installment/loans.js';
import { monthlyFrom } from './published-loans.js';

/*
 * 1,200.00 at 1% a month in three installments of 408.03, by hand:
 *
 *   15 February   12.00 interest   396.03 principal   803.97 left
 *   15 March       8.04            399.99             403.98
 *   15 April       4.04            403.98               0.00   (408.02)
 */
const START = dayFrom('2024-01-15');
const termsOf = (keeping: Partial<ScheduledKeeping>) => ({
  ...PLAIN_KEEPING,
  ...keeping,
  start: START,
  dueDates: monthlyFrom(START, 3),
  annualRate: rateFrom('0.12'),
});
const ADVANCE: ScheduledFact = { type: 'advanced', day: START, sequence: 1, amountCents: centsFrom('1200') };
const paid = (sequence: number, date: string, amount: string): ScheduledFact => ({
  type: 'paid',
  kind: 'payment',
  day: dayFrom(date),
  sequence,
  amountCents: centsFrom(amount),
});

/** Of each installment: interest and principal, and the paid part; the sums paid in advance and late, and the day of fulfillment. */
const rowsOf = (keeping: Partial<ScheduledKeeping>, facts: readonly ScheduledFact[], date: string): readonly string[] => {
  const ledger = computeInstallments(termsOf(keeping), [ADVANCE, ...facts], dayFrom(date));
  const views = installmentViews(ledger);
  return ledger.installments.map(({ due, paid: of, metDay }, at) =>
    [
      ...[due.interest, due.principal, of.interest, of.principal, views[at]?.paidInAdvanceCents ?? -1, views[at]?.paidLateCents ?? -1].map(
        text,
      ),
      metDay === null ? 'open' : formatDay(metDay),
    ].join(' '),
  );
};

test('a schedule by installment, and what payments in time, late and in advance pay', async (t) => {
  t.same(rowsOf({}, [], '2024-01-15'), [
    '12.00 396.03 0.00 0.00 0.00 0.00 open',
    '8.04 399.99 0.00 0.00 0.00 0.00 open',
    '4.04 403.98 0.00 0.00 0.00 0.00 open',
  ]);
  t.same(rowsOf({}, [paid(2, '2024-02-20', '8.00'), paid(3, '2024-02-21', '420.03')], '2024-02-21'), [
    '12.00 396.03 12.00 396.03 0.00 408.03 2024-02-21',
    '8.04 399.99 8.04 11.96 20.00 0.00 open',
    '4.04 403.98 0.00 0.00 0.00 0.00 open',
  ]);
});

test('money above the due amounts pays the next installment, the last one, or an equal part of each', async (t) => {
  const facts = [paid(2, '2024-02-15', '500.00')];
  const met = '12.00 396.03 12.00 396.03 0.00 0.00 2024-02-15';
  t.same(rowsOf({ excess: 'next' }, facts, '2024-02-15'), [
    met,
    '8.04 399.99 8.04 83.93 91.97 0.00 open',
    '4.04 403.98 0.00 0.00 0.00 0.00 open',
  ]);
  t.same(rowsOf({ excess: 'last' }, facts, '2024-02-15'), [
    met,
    '8.04 399.99 0.00 0.00 0.00 0.00 open',
    '4.04 403.98 4.04 87.93 91.97 0.00 open',
  ]);
  // 91.97 in two parts: 45.99, and what is left.
  t.same(rowsOf({ excess: 'spread' }, facts, '2024-02-15'), [
    met,
    '8.04 399.99 8.04 37.95 45.99 0.00 open',
    '4.04 403.98 4.04 41.94 45.98 0.00 open',
  ]);
});

test('if payments change the interest, principal paid in advance bears none, and late principal bears more', async (t) => {
  const progressive: Partial<ScheduledKeeping> = { recalculation: { type: 'progressive', isOverdueBearing: true } };
  // 712.00 are left on 15 February: 7.12, and 400.91 within the level; then 403.06 and 4.03.
  t.same(rowsOf(progressive, [paid(2, '2024-02-15', '500.00')], '2024-02-15'), [
    '12.00 396.03 12.00 396.03 0.00 0.00 2024-02-15',
    '7.12 400.91 0.00 91.97 91.97 0.00 open',
    '4.03 403.06 0.00 0.00 0.00 0.00 open',
  ]);
  // Nothing is paid until 15 March: 1,200.00 bear 12.00 in the second month, too.
  t.same(rowsOf(progressive, [], '2024-03-15'), [
    '12.00 396.03 0.00 0.00 0.00 0.00 open',
    '12.00 396.03 0.00 0.00 0.00 0.00 open',
    '4.08 407.94 0.00 0.00 0.00 0.00 open',
  ]);
});

test('a payoff is the schedule with all its interest, or the balance with the interest so far', async (t) => {
  const at = (keeping: Partial<ScheduledKeeping>, date: string): string => text(payoffCents(termsOf(keeping), [ADVANCE], dayFrom(date)));
  t.equal(at({}, '2024-02-15'), '1224.08');
  const progressive: Partial<ScheduledKeeping> = { recalculation: { type: 'progressive', isOverdueBearing: true } };
  t.equal(at(progressive, '2024-01-15'), '1200.00');
  t.equal(at(progressive, '2024-02-15'), '1212.00');
  t.equal(at({ ...progressive, payoffInterest: 'toPeriodEnd' }, '2024-01-16'), '1212.00');
  const ahead = computeInstallments(termsOf({}), [ADVANCE, paid(2, '2024-02-15', '500.00')], dayFrom('2024-02-15'));
  t.equal(text(principalBalanceOf(ahead)), '720.04', 'less 396.03 and 83.93');
});
