import { test } from 'tap';
import { computeInstallments as computed, formatDay } from '../../../../engine/index.js';
import { centsFrom, dayFrom, rateFrom } from '../../numbers.js';
import { PLAIN_KEEPING } from '../installment/kept-loans.js';
import { text } from '../installment/loans.js';
import { monthlyFrom } from './published-loans.js';

/*
 * 1,000.00 without interest, a tenth of it due at once, the rest in three rows of 300.00 from 15 February on; 2 % of the disbursed amount
 * is withheld.
 */
const START = dayFrom('2024-01-15');
type Terms = Parameters<typeof computed>[0];
type Fact = Parameters<typeof computed>[1][number];
const TERMS: Terms = {
  ...PLAIN_KEEPING,
  downPayment: { share: rateFrom('0.1'), isAutomatic: true },
  chargebackOrder: ['fees', 'penalties', 'interest', 'principal'],
  start: START,
  dueDates: monthlyFrom(START, 3),
  annualRate: rateFrom('0'),
};

const on = (date: string, sequence: number): Pick<Fact, 'day' | 'sequence'> => ({ day: dayFrom(date), sequence });

/** Of each entry: its type, its amount, its parts, and the principal after it. */
const entriesOf = (terms: Terms, date: string, ...facts: readonly Fact[]): readonly string[] =>
  computed(terms, facts, dayFrom(date)).entries.map(({ type, sequence, day, amountCents, parts, principalBalanceCents }) =>
    [
      `${sequence} ${formatDay(day)} ${type} ${text(amountCents)}:`,
      ...Object.entries(parts).flatMap(([part, cents]) => (cents === 0 ? [] : [`${part} ${text(cents)}`])),
      `owed ${text(principalBalanceCents)}`,
    ].join(' '),
  );

const LENT: readonly Fact[] = [
  { ...on('2024-01-15', 1), type: 'advanceFeeCharged', share: rateFrom('0.02') },
  { ...on('2024-01-15', 2), type: 'advanced', amountCents: centsFrom('1000') },
];

test('every entry has its parts and the principal that is owed after it', async (t) => {
  const facts: readonly Fact[] = [
    ...LENT,
    { ...on('2024-02-01', 3), type: 'charged', part: 'fees', dueDay: dayFrom('2024-02-15'), amountCents: centsFrom('12') },
    {
      ...on('2024-02-10', 4),
      type: 'paidInstallment',
      dueDay: dayFrom('2024-02-15'),
      principalCents: centsFrom('100'),
      interestCents: centsFrom('0'),
    },
    { ...on('2024-02-15', 5), type: 'paid', kind: 'payment', amountCents: centsFrom('112') },
    { ...on('2024-02-16', 6), type: 'paid', kind: 'credit', amountCents: centsFrom('20') },
    { ...on('2024-02-17', 7), type: 'incomeBooked', parts: { penalties: 0, fees: 1_200, interest: 0, principal: 0 } },
    { ...on('2024-02-18', 8), type: 'reamortized' },
    { ...on('2024-02-20', 9), type: 'chargedBack', payment: 5, amountCents: centsFrom('30') },
    { ...on('2024-03-15', 10), type: 'paid', kind: 'payment', amountCents: centsFrom('1000') },
    { ...on('2024-03-16', 11), type: 'paidBack', amountCents: centsFrom('400') },
  ];
  t.same(entriesOf(TERMS, '2024-03-20', ...facts), [
    '2 2024-01-15 advanceFee 20.00: fees 20.00 owed 1000.00',
    '2 2024-01-15 advance 1000.00: owed 1000.00',
    '2 2024-01-15 downPayment 100.00: principal 100.00 owed 900.00',
    '4 2024-02-10 payment 100.00: principal 100.00 owed 800.00',
    '5 2024-02-15 payment 112.00: fees 12.00 principal 100.00 owed 700.00',
    '6 2024-02-16 credit 20.00: principal 20.00 owed 680.00',
    '7 2024-02-17 income 12.00: fees 12.00 owed 680.00',
    '8 2024-02-18 reamortization 80.00: principal 80.00 owed 680.00',
    '9 2024-02-20 chargeback 30.00: fees 12.00 principal 18.00 owed 698.00',
    '10 2024-03-15 payment 1000.00: fees 12.00 principal 698.00 owed 0.00',
    '11 2024-03-16 paidBack 400.00: principal 110.00 owed 110.00',
  ]);
});

test('a full refund also gives back the interest of the nights so far', async (t) => {
  const bearing: Terms = {
    ...TERMS,
    downPayment: null,
    annualRate: rateFrom('0.12'),
    recalculation: { type: 'progressive', isOverdueBearing: true },
  };
  const refund: Fact = { ...on('2024-02-15', 3), type: 'refundedInFull', amountCents: centsFrom('1000') };
  t.same(entriesOf(bearing, '2024-02-15', ...LENT.slice(1), refund), [
    '2 2024-01-15 advance 1000.00: owed 1000.00',
    '3 2024-02-15 interestRefund 10.00: interest 10.00 owed 0.00',
    '3 2024-02-15 credit 1000.00: principal 1000.00 owed 0.00',
  ]);
});

test('with cumulative recalculation, a higher rate that was recorded late keeps the level of past rows', async (t) => {
  const terms: Terms = {
    ...TERMS,
    downPayment: null,
    annualRate: rateFrom('0.12'),
    recalculation: { type: 'cumulative', rest: 'dueDates', isCompounding: false },
  };
  const rates = (annualRate: string): Fact => ({
    ...on('2024-01-15', 3),
    type: 'ratesReplaced',
    rates: [{ from: dayFrom('2024-01-15'), annualRate: rateFrom(annualRate) }],
    solved: 'fromChange',
    knownDay: dayFrom('2024-02-20'),
  });
  const rowsOf = (...facts: readonly Fact[]): readonly string[] =>
    computed(terms, [...LENT.slice(1), ...facts], dayFrom('2024-02-20')).installments.map(
      ({ due }) => `${text(due.interest)} ${text(due.principal)}`,
    );
  // On 20 February 330.02 are overdue and bear interest in the running period.
  t.same(rowsOf(), ['10.00 330.02', '10.00 330.02', '3.40 339.96']);
  // 1,000.00 less 320.02 are left to two rows at 2 % a month: 350.22.
  t.same(rowsOf(rates('0.24')), ['20.00 320.02', '20.00 330.22', '7.00 349.76']);
  // 336.67 in three rows at half a percent a month.
  t.same(rowsOf(rates('0.06')), ['5.00 331.67', '5.00 331.67', '1.68 336.66']);
});
