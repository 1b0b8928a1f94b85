import { test } from 'tap';
import { cents, computeInstallments, type ScheduledFact, type ScheduledTerms, sumOf } from '../../../../engine/index.js';
import { PLAIN_KEEPING } from '../installment/kept-loans.js';
import { day, percent, text } from '../installment/loans.js';

/** Three installments of 100.00 without interest. */
const TERMS: ScheduledTerms = {
  ...PLAIN_KEEPING,
  start: day('2024-01-15'),
  dueDates: ['2024-02-15', '2024-03-15', '2024-04-15'].map(day),
  annualRate: percent('0'),
};
const ADVANCED: ScheduledFact = { type: 'advanced', day: day('2024-01-15'), sequence: 1, amountCents: cents(30_000) };
const FEE: ScheduledFact = {
  type: 'charged',
  day: day('2024-02-10'),
  sequence: 2,
  part: 'fees',
  dueDay: day('2024-02-15'),
  amountCents: cents(1_500),
};
const paid = (sequence: number, date: string, amountCents: number): ScheduledFact => ({
  type: 'paid',
  kind: 'payment',
  day: day(date),
  sequence,
  amountCents: cents(amountCents),
});

/** The paid amounts of each installment, and the allocation of each payment. */
function readings(facts: readonly ScheduledFact[], through: string): unknown {
  const ledger = computeInstallments(TERMS, facts, day(through));
  return {
    met: ledger.installments.map((installment) => text(sumOf(installment.paid))),
    payments: ledger.payments.map(({ parts }) => [parts.fees, parts.principal].map(text)),
  };
}

test('facts are applied by day and sequence, in whatever order they come', async (t) => {
  const facts = [ADVANCED, FEE, paid(3, '2024-02-10', 4_000), paid(4, '2024-03-10', 10_000)];
  // The fee of the same day comes first: 15.00 of the 40.00 are for it.
  const expected = {
    met: ['115.00', '25.00', '0.00'],
    payments: [
      ['15.00', '25.00'],
      ['0.00', '100.00'],
    ],
  };
  t.same(readings(facts, '2024-03-10'), expected);
  t.same(readings([...facts].reverse(), '2024-03-10'), expected);
  t.same(
    readings(
      [facts[2], facts[0], facts[3], facts[1]].flatMap((fact) => fact ?? []),
      '2024-03-10',
    ),
    expected,
  );
});

test('facts of the last day count, later facts do not', async (t) => {
  const facts = [ADVANCED, paid(2, '2024-02-15', 10_000), paid(3, '2024-02-16', 5_000)];
  t.same(readings(facts, '2024-02-14'), { met: ['0.00', '0.00', '0.00'], payments: [] });
  t.same(readings(facts, '2024-02-15'), { met: ['100.00', '0.00', '0.00'], payments: [['0.00', '100.00']] });
});
