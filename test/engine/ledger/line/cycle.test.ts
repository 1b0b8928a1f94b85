import { test } from 'tap';
import { type LineCycle, lineCycleOf, type LineFact, lineObligationsOf } from '../../../../engine/index.js';
import { day, money, text } from '../installment/loans.js';
import { buy, draw, DRAWN, line, payLine, statementOn } from './lines.js';

/* The figures of a period that a statement shows. Statements on 2024-02-09 and 2024-03-09. */
const TERMS = line({ schedule: statementOn(9) });
const factPosition = (sequence: number, date: string) => ({
  sequence,
  effective: { day: day(date), seconds: 50_000 },
  recordedDay: day(date),
});
const fee: LineFact = {
  ...factPosition(300, '2024-02-25'),
  type: 'feeCharged',
  fee: 300,
  feeTypeId: 'byHand',
  kind: 'otherFee',
  amountCents: money('12.00'),
  chargeLogic: 'immediate',
  draw: null,
};
const FACTS: readonly LineFact[] = [
  ...DRAWN,
  draw(2, {}, '2024-02-10'),
  buy(101, '2024-02-12', '100.00'),
  buy(102, '2024-03-01', '40.00', 2, 'cashAdvance'),
  buy(103, '2024-03-01', '15.00', 2, 'refund'),
  payLine(200, '2024-02-20', '66.07'),
  payLine(201, '2024-02-26', '12.00', { kind: 'credit' }),
  fee,
];

const sums = ({ openingCents, closingCents, interestCents }: Pick<LineCycle, 'openingCents' | 'closingCents' | 'interestCents'>) =>
  [openingCents, interestCents, closingCents].map(text);
const changesOf = ({ changes }: LineCycle) =>
  changes.map(({ flow, draw: of, amountCents, entryType }) => [flow, entryType, of, text(amountCents)]);

test('a cycle of a line has purchases, advances, fees, payments, credits and returns, and the rest is interest', async (t) => {
  const cycle = lineCycleOf(TERMS, FACTS, { after: day('2024-02-09'), day: day('2024-03-09') });
  t.same(changesOf(cycle), [
    ['purchases', 'purchase', 1, '100.00'],
    ['payments', 'payment', 1, '-66.07'],
    ['fees', 'fee', null, '12.00'],
    ['credits', 'credit', null, '-12.00'],
    ['cashAdvances', 'purchase', 2, '40.00'],
    ['refunds', 'purchaseRefund', 2, '-15.00'],
  ]);
  // Draw 1: 11 days on 2,500.00, then 18 on 2,475.00, and 26 on the 100.00: 74,650 x 0.1999 / 365 = 40.8836. Draw 2: 8 days on 25.00.
  t.same(sums(cycle), ['2541.07', '40.98', '2640.98']);
  t.same(
    [...cycle.draws].map(([of, balance]) => [of, ...sums(balance)]),
    [
      [1, '2541.07', '40.88', '2615.88'],
      [2, '0.00', '0.10', '25.10'],
    ],
  );
});

test('the first cycle opens with zero, and facts on the day of the next statement are in the next cycle', async (t) => {
  const facts = [...DRAWN, buy(101, '2024-02-09', '70.00')];
  const first = lineCycleOf(TERMS, facts, { after: null, day: day('2024-02-09') });
  t.same(changesOf(first), [['purchases', 'purchase', 1, '2500.00']]);
  t.same(sums(first), ['0.00', '41.07', '2541.07']);
  t.equal(text(lineObligationsOf(first.state)[0]?.obligationCents ?? 0), '66.07', 'the statement has been made');
  t.same(
    first.interestDays.map((found) => found.day),
    Array.from({ length: 30 }, (_, at) => day('2024-01-10') + at),
  );
  const second = lineCycleOf(TERMS, facts, { after: day('2024-02-09'), day: day('2024-03-09') });
  t.same(changesOf(second), [['purchases', 'purchase', 1, '70.00']]);
  t.equal(sums(second)[0], '2541.07');
});
