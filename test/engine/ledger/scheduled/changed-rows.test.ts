import { test } from 'tap';
import {
  accruedBy,
  computeInstallments as computed,
  formatDay,
  type ScheduledFact as Fact,
  payoffCents,
} from '../../../../engine/index.js';
import { centsFrom, dayFrom, rateFrom } from '../../numbers.js';
import { PLAIN_KEEPING } from '../installment/kept-loans.js';
import { text } from '../installment/loans.js';
import { monthlyFrom } from './published-loans.js';

/*
 * Rows that are changed later, by hand. 1,200.00 at 1% a month:
 *
 *   15 February   12.00 interest   396.03 principal   803.97 left
 *   15 March       8.04            399.99             403.98
 *   15 April       4.04            403.98               0.00
 */
const START = dayFrom('2024-01-15');
type Terms = Parameters<typeof computed>[0];
const termsOf = (keeping: Partial<Terms>): Terms => ({
  ...PLAIN_KEEPING,
  start: START,
  dueDates: monthlyFrom(START, 3),
  annualRate: rateFrom('0.12'),
  ...keeping,
});
const ADVANCE: Fact = { type: 'advanced', day: START, sequence: 1, amountCents: centsFrom('1200') };
const paid = (sequence: number, date: string, amount: string): Fact => ({
  type: 'paid',
  kind: 'payment',
  day: dayFrom(date),
  sequence,
  amountCents: centsFrom(amount),
});
const rescheduled = (date: string, from: string, dueDates: readonly string[], principalFreeCount = 0): Fact => ({
  type: 'rescheduled',
  day: dayFrom(date),
  sequence: 50,
  from: dayFrom(from),
  dueDates: dueDates.map(dayFrom),
  principalFreeCount,
});

/** Of each row: its due date, its interest and principal, and the paid part of them. */
const rowsOf = (keeping: Partial<Terms>, date: string, ...facts: readonly Fact[]): readonly string[] => {
  const out = computed(termsOf(keeping), [ADVANCE, ...facts], dayFrom(date)).installments.map(({ kind, from, dueDay, due, paid: of }) =>
    [
      `${formatDay(from)} ${formatDay(dueDay)}${kind === 'regular' ? '' : ` ${kind}`}`,
      ...[due.interest, due.principal, of.interest, of.principal].map(text),
    ].join(' '),
  );
  return out;
};

const FIRST = paid(2, '2024-02-15', '408.03');

test('rows from a date on get other dates: earlier rows stay, and money in advance stays with its row', async (t) => {
  const facts = [FIRST, paid(3, '2024-02-16', '20.00'), rescheduled('2024-02-20', '2024-03-15', ['2024-03-31', '2024-04-30'])];
  t.same(rowsOf({}, '2024-02-20', ...facts), [
    '2024-01-15 2024-02-15 12.00 396.03 12.00 396.03',
    '2024-02-15 2024-03-31 8.04 399.98 8.04 11.96',
    '2024-03-31 2024-04-30 4.04 403.99 0.00 0.00',
  ]);
});

test('more dates than rows lengthen the loan, and the first rows may be interest-only', async (t) => {
  const facts = [
    FIRST,
    paid(3, '2024-02-16', '20.00'),
    rescheduled('2024-02-20', '2024-03-15', ['2024-03-31', '2024-04-30', '2024-05-31'], 1),
  ];
  t.same(rowsOf({}, '2024-02-20', ...facts), [
    '2024-01-15 2024-02-15 12.00 396.03 12.00 396.03',
    '2024-02-15 2024-03-31 8.04 0.00 0.00 0.00',
    '2024-03-31 2024-04-30 8.04 399.98 8.04 11.96',
    '2024-04-30 2024-05-31 4.04 403.99 0.00 0.00',
  ]);
  t.same(rowsOf({}, '2024-02-20', FIRST, rescheduled('2024-02-20', '2024-04-15', ['2024-04-30', '2024-05-31', '2024-06-30'])), [
    '2024-01-15 2024-02-15 12.00 396.03 12.00 396.03',
    '2024-02-15 2024-03-15 8.04 399.99 0.00 0.00',
    '2024-03-15 2024-04-30 4.04 133.32 0.00 0.00',
    '2024-04-30 2024-05-31 2.71 134.65 0.00 0.00',
    '2024-05-31 2024-06-30 1.36 136.01 0.00 0.00',
  ]);
});

test('all rows get other dates before the first one', async (t) => {
  t.same(rowsOf({}, '2024-01-20', rescheduled('2024-01-20', '2024-02-15', ['2024-02-20', '2024-03-20', '2024-04-20'])), [
    '2024-01-15 2024-02-20 12.00 396.03 0.00 0.00',
    '2024-02-20 2024-03-20 8.04 399.99 0.00 0.00',
    '2024-03-20 2024-04-20 4.04 403.98 0.00 0.00',
  ]);
});

test('past due amounts join the coming rows in equal parts', async (t) => {
  const again = (date: string, from?: string): Fact => ({
    type: 'reamortized',
    day: dayFrom(date),
    sequence: 60,
    ...(from === undefined ? {} : { from: dayFrom(from) }),
  });
  t.same(rowsOf({}, '2024-02-20', paid(2, '2024-02-18', '100.00'), again('2024-02-20')), [
    '2024-01-15 2024-02-15 12.00 88.00 12.00 88.00',
    '2024-02-15 2024-03-15 8.04 554.01 0.00 0.00',
    '2024-03-15 2024-04-15 4.04 557.99 0.00 0.00',
  ]);
  t.same(rowsOf({}, '2024-02-20', paid(2, '2024-02-18', '7.01'), again('2024-02-20')), [
    '2024-01-15 2024-02-15 7.01 0.00 7.01 0.00',
    '2024-02-15 2024-03-15 10.54 598.00 0.00 0.00',
    '2024-03-15 2024-04-15 6.53 602.00 0.00 0.00',
  ]);
  t.same(rowsOf({}, '2024-02-20', again('2024-02-20', '2024-04-01')), [
    '2024-01-15 2024-02-15 0.00 0.00 0.00 0.00',
    '2024-02-15 2024-03-15 8.04 399.99 0.00 0.00',
    '2024-03-15 2024-04-15 16.04 800.01 0.00 0.00',
  ]);
  t.same(rowsOf({}, '2024-03-15', again('2024-03-15')), [
    '2024-01-15 2024-02-15 0.00 0.00 0.00 0.00',
    '2024-02-15 2024-03-15 8.04 399.99 0.00 0.00',
    '2024-03-15 2024-04-15 16.04 800.01 0.00 0.00',
  ]);
});

test('no night after the last due date bears interest, even if a row was added there', async (t) => {
  const fee: Fact = {
    type: 'charged',
    day: dayFrom('2024-05-20'),
    sequence: 70,
    part: 'fees',
    dueDay: dayFrom('2024-05-20'),
    amountCents: centsFrom('10'),
    joins: 'runningPeriod',
  };
  const after = computed(termsOf({}), [ADVANCE, fee], dayFrom('2024-05-25'));
  t.same(rowsOf({}, '2024-05-25', fee), [
    '2024-01-15 2024-02-15 12.00 396.03 0.00 0.00',
    '2024-02-15 2024-03-15 8.04 399.99 0.00 0.00',
    '2024-03-15 2024-04-15 4.04 403.98 0.00 0.00',
    '2024-04-15 2024-05-20 added 0.00 0.00 0.00 0.00',
  ]);
  t.same([accruedBy(after, dayFrom('2024-04-15')), accruedBy(after, dayFrom('2024-05-25'))].map(text), ['24.08', '24.08']);
  t.equal(text(payoffCents(termsOf({}), [ADVANCE, fee], dayFrom('2024-05-25'))), '1234.08');
});

test('a share of each row that is a fee is rounded half to even, however small it is', async (t) => {
  const whole = (amount: string): string => {
    const terms = termsOf({ annualRate: rateFrom('0'), dueDates: [dayFrom('2024-02-15')] });
    const share: Fact = { type: 'installmentFeeCharged', day: START, sequence: 1, share: rateFrom('0.00000001') };
    const after = computed(terms, [share, { ...ADVANCE, sequence: 2, amountCents: centsFrom(amount) }], START);
    return after.installments.map(({ due }) => text(due.fees)).join(' ');
  };
  // A hundred-millionth of its cents: half a cent of 500,000.00.
  t.same(['500000', '500000.01', '1000000', '1500000'].map(whole), ['0.00', '0.01', '0.01', '0.02']);
});

test('rows with joined amounts are solved again for their own amounts', async (t) => {
  const moved: Fact = { type: 'reamortized', day: dayFrom('2024-02-16'), sequence: 60 };
  const free: Fact = {
    type: 'ratesReplaced',
    day: dayFrom('2024-02-20'),
    sequence: 61,
    rates: [{ from: dayFrom('2024-02-20'), annualRate: rateFrom('0') }],
    solved: 'fromChange',
  };
  // The first row of 12.00 and 396.03 joins the others: 6.00 and 198.02, then 6.00 and 198.01. Five of 29 nights on 803.97 bear 1.39, and
  // half of 805.36 is 402.68.
  t.same(rowsOf({}, '2024-02-20', moved, free), [
    '2024-01-15 2024-02-15 0.00 0.00 0.00 0.00',
    '2024-02-15 2024-03-15 7.39 599.31 0.00 0.00',
    '2024-03-15 2024-04-15 6.00 600.69 0.00 0.00',
  ]);
});

test('only rows with other dates are solved again, which may be all rows', async (t) => {
  const four = rescheduled('2024-01-20', '2024-02-15', ['2024-02-20', '2024-03-20', '2024-04-20', '2024-05-20']);
  // The level of four rows at 1 % a month is 307.54.
  t.same(rowsOf({}, '2024-01-20', four), [
    '2024-01-15 2024-02-20 12.00 295.54 0.00 0.00',
    '2024-02-20 2024-03-20 9.04 298.50 0.00 0.00',
    '2024-03-20 2024-04-20 6.06 301.48 0.00 0.00',
    '2024-04-20 2024-05-20 3.04 304.48 0.00 0.00',
  ]);
  // Five rows of 240.00: three stay, and 480.00 are left to three others.
  const free = { annualRate: rateFrom('0'), dueDates: monthlyFrom(START, 5) };
  t.same(rowsOf(free, '2024-01-20', rescheduled('2024-01-20', '2024-05-15', ['2024-05-31', '2024-06-30', '2024-07-31'])), [
    '2024-01-15 2024-02-15 0.00 240.00 0.00 0.00',
    '2024-02-15 2024-03-15 0.00 240.00 0.00 0.00',
    '2024-03-15 2024-04-15 0.00 240.00 0.00 0.00',
    '2024-04-15 2024-05-31 0.00 160.00 0.00 0.00',
    '2024-05-31 2024-06-30 0.00 160.00 0.00 0.00',
    '2024-06-30 2024-07-31 0.00 160.00 0.00 0.00',
  ]);
});
