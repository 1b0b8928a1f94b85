import { test } from 'tap';
import { chargeViews, computeInstallments as computed, type ScheduledFact as Fact } from '../../../../engine/index.js';
import { centsFrom, dayFrom, rateFrom } from '../../numbers.js';
import { PLAIN_KEEPING } from '../installment/kept-loans.js';
import { text } from '../installment/loans.js';

/*
 * Rows that are computed again at a new rate, by hand: 1,000,000.00 at 0.1 % a night in two rows, each of ten nights, of 507,512.44. Money
 * ahead pays principal first.
 */
const START = dayFrom('2024-01-01');
type Terms = Parameters<typeof computed>[0];
const terms = (keeping: Partial<Terms>): Terms => ({
  ...PLAIN_KEEPING,
  interest: { type: 'daily', dayCount: 'daily365' },
  recalculation: { type: 'progressive', isOverdueBearing: true },
  allocation: { ...PLAIN_KEEPING.allocation, inAdvance: ['principal', 'interest', 'fees', 'penalties'] },
  start: START,
  dueDates: [dayFrom('2024-01-11'), dayFrom('2024-01-21')],
  annualRate: rateFrom('0.365'),
  ...keeping,
});

const LENT: Fact = { type: 'advanced', day: START, sequence: 1, amountCents: centsFrom('1000000') };
const paid = (amount: string): Fact => ({ type: 'paid', kind: 'payment', day: START, sequence: 2, amountCents: centsFrom(amount) });

/** From the sixth night on. */
const newRate = (rate: string): Fact => ({
  type: 'ratesReplaced',
  day: dayFrom('2024-01-06'),
  sequence: 3,
  rates: [{ from: dayFrom('2024-01-06'), annualRate: rateFrom(rate) }],
  solved: 'fromChange',
});

const rowsAfter = (own: Terms, date: string, ...facts: readonly Fact[]): ReturnType<typeof computed>['installments'] =>
  computed(own, facts, dayFrom(date)).installments;

/** Of each row: its interest and principal, and the paid part of its principal. */
const rowsOf = (keeping: Partial<Terms>, ...facts: readonly Fact[]): readonly string[] =>
  rowsAfter(terms(keeping), '2024-01-06', LENT, ...facts).map(({ due, paid: of }) =>
    [due.interest, due.principal, of.principal].map(text).join(' '),
  );

test('an open row is solved with the others', async (t) => {
  // Five nights bear 5,000.00, and five more at a fifth of the rate 1,000.00: (1,006,000.00 - A) * 1.002 = A, and A is 503,502.50.
  t.same(rowsOf({}, newRate('0.073')), ['6000.00 497502.50 0.00', '1005.00 502497.50 0.00']);
});

test('principal that was paid in advance of a row stays in it, and interest fills its amount', async (t) => {
  // 500.00 and then 100.00 a night: 3,000.00 wait in the first row, and 1,000.00 come in the second. Half of 1,004,000.00 is asked for.
  t.same(rowsOf({}, paid('500000'), newRate('0.073')), ['2000.00 500000.00 500000.00', '2000.00 500000.00 0.00']);
});

test('a row paid in advance above its amount keeps what was paid, and the other rows take the rest', async (t) => {
  // 493.00 and then 98.60 a night: 2,958.00 wait, and 986.00 come.
  t.same(rowsOf({}, paid('507000'), newRate('0.073')), ['0.00 507000.00 507000.00', '3944.00 493000.00 0.00']);
});

test('an unchanged rate does not solve rows again', async (t) => {
  for (const newRateCountsFrom of ['day', 'nightBefore'] as const)
    for (const recalculation of [PLAIN_KEEPING.recalculation, { type: 'progressive', isOverdueBearing: true }] as const) {
      const before = rowsOf({ newRateCountsFrom, recalculation }, paid('500000'));
      t.same(rowsOf({ newRateCountsFrom, recalculation }, paid('500000'), newRate('0.365')), before);
    }
});

test('amounts that have joined rows bear interest from that night on, even if overdue principal bears none', async (t) => {
  const three = terms({
    recalculation: { type: 'progressive', isOverdueBearing: false },
    principal: { type: 'equal' },
    dueDates: ['2024-01-11', '2024-01-21', '2024-01-31'].map(dayFrom),
  });
  const lent: Fact = { ...LENT, amountCents: centsFrom('300000') };
  const joined: Fact = { type: 'reamortized', day: dayFrom('2024-01-16'), sequence: 4 };
  // 3,000.00 and 100,000.00 of the first row join the others in halves. Five nights of the second period bear on 200,000.00, five on
  // 300,000.00; the ten of the third on 150,000.00.
  for (const date of ['2024-01-16', '2024-01-18', '2024-01-21'])
    t.same(
      rowsAfter(three, date, lent, joined).map(({ due }) => `${text(due.interest)} ${text(due.principal)}`),
      ['0.00 0.00', '4000.00 150000.00', '3000.00 150000.00'],
      date,
    );
});

test('a fee that is owed again after a chargeback is not a separate charge', async (t) => {
  const own = terms({ chargebackOrder: ['fees', 'penalties', 'interest', 'principal'] });
  const due = dayFrom('2024-01-11');
  const fee: Fact = { type: 'charged', day: START, sequence: 2, part: 'fees', dueDay: due, amountCents: centsFrom('10') };
  const money: Fact = { type: 'paid', kind: 'payment', day: due, sequence: 3, amountCents: centsFrom('507522.44') };
  const back: Fact = { type: 'chargedBack', day: dayFrom('2024-01-15'), sequence: 4, payment: 3, amountCents: centsFrom('4') };
  const after = computed(own, [LENT, fee, money, back], dayFrom('2024-01-15'));
  t.same(
    chargeViews(after).map(({ part, dueCents, paidCents }) => [part, text(dueCents), text(paidCents)]),
    [['fees', '10.00', '10.00']],
  );
  t.same(
    rowsAfter(own, '2024-01-15', LENT, fee, money, back).map(({ due: of }) => text(of.fees)),
    ['10.00', '4.00'],
  );
});
