import { test } from 'tap';
import {
  cents,
  computeLine,
  type LineFact,
  lineOverdueOf,
  type LineSeeded,
  type LineState,
  type SeededDraw,
} from '../../../../engine/index.js';
import { day } from '../installment/loans.js';
import { buy, draw, holdingsOf, line, obligationsIn, payLine, seededFee } from './lines.js';

/*
 * Two draws without interest, each at 25.00 a month. The first draw with a purchase owes the first minimum payment, together with the
 * origination fee of 10.00. The other draw owes the second one alone. Both owe the third.
 */

const CUTOFF = day('2024-04-10');
const TERMS = line({ terms: { originationFee: { amountCents: cents(1_000), logic: 'separate' } } });
const DRAWS = [draw(1, { rate: '0' }), draw(2, { rate: '0' })];

const lifeFrom = (first: number, second: number): readonly LineFact[] => [
  ...DRAWS,
  buy(100, '2024-01-20', '25.00', first),
  buy(101, '2024-02-20', '25.00', second),
  buy(102, '2024-03-20', '100.00', first),
  buy(103, '2024-03-20', '100.00', second),
];

const begunBy = (first: number, later: readonly LineFact[], date: string): LineState =>
  computeLine(TERMS, [...lifeFrom(first, 3 - first), ...later], day(date));

/** What the other system states of either draw. */
const stated = (number: number): SeededDraw => ({
  draw: number,
  nonDue: { principalCents: cents(7_500), interestCents: cents(0) },
  due: { principalCents: cents(2_500), interestCents: cents(0) },
  overdue: { principalCents: cents(2_500), interestCents: cents(0) },
  fees: [],
  isGraceEligible: false,
  fullBalanceCents: cents(12_500),
});

const SEEDED: LineSeeded = {
  type: 'lineSeeded',
  effective: { day: CUTOFF, seconds: 7_200 },
  recordedDay: CUTOFF,
  sequence: 50,
  period: { startDate: day('2024-03-10'), endDate: day('2024-04-09'), statementDate: CUTOFF, dueDate: day('2024-04-30') },
  fees: [seededFee('originationFee', 'overdue', 1_000)],
  draws: [stated(1), stated(2)],
  obligation: {
    amountCents: cents(5_000),
    remainingCents: cents(5_000),
    overdueCents: cents(6_000),
    overdueRemainingCents: cents(6_000),
    daysOverdue: 40,
    isGraceEligible: false,
    overdue: [
      {
        period: { startDate: day('2024-01-10'), endDate: day('2024-02-09'), statementDate: day('2024-02-10'), dueDate: day('2024-03-01') },
        amountCents: cents(3_500),
        remainingCents: cents(3_500),
      },
      {
        period: { startDate: day('2024-02-10'), endDate: day('2024-03-09'), statementDate: day('2024-03-10'), dueDate: day('2024-03-30') },
        amountCents: cents(2_500),
        remainingCents: cents(2_500),
      },
    ],
  },
  reimbursementCents: cents(0),
};

const seeded = (later: readonly LineFact[], date: string): LineState =>
  computeLine(
    line({ activation: '2024-04-10' }),
    [...DRAWS.map((made) => ({ ...made, effective: { day: CUTOFF, seconds: 3_600 } })), SEEDED, ...later],
    day(date),
  );

const remainingIn = ({ obligations }: LineState): readonly unknown[] =>
  obligations.map(({ remainingCents, draws }) => [
    remainingCents,
    draws.flatMap((part) => (part.remainingCents === 0 ? [] : [`${part.draw ?? 'line'} ${part.remainingCents}`])),
  ]);

/** 60.00 for draw 1: 25.00 overdue, 25.00 due, and 10.00 in advance, which count for the oldest obligation. */
const PAID = [payLine(200, '2024-04-20', '60.00', { draw: 1 })];

test('two lines with the same balances at the cutoff may owe their minimum payments for different draws', (t) => {
  const balances = [
    '  overdue fee of the line 10.00',
    '1: nonDuePrincipal 75.00, duePrincipal 25.00, overduePrincipal 25.00',
    '2: nonDuePrincipal 75.00, duePrincipal 25.00, overduePrincipal 25.00',
  ];
  for (const state of [begunBy(1, [], '2024-04-10'), begunBy(2, [], '2024-04-10'), seeded([], '2024-04-10')]) {
    t.same(holdingsOf(state), balances);
    t.match(
      obligationsIn(state).filter((row) => !row.startsWith(' ')),
      [/^0 2024-03-01: amount 35.00,.* remaining 35.00/, /^1 2024-03-30: amount 25.00,.* remaining 25.00/, /^2 2024-04-30: amount 50.00/],
    );
    t.match(lineOverdueOf(state), { daysOverdue: 40, overdueCents: 6_000 });
  }
  t.same(remainingIn(begunBy(1, [], '2024-04-10'))[0], [3_500, ['1 2500', 'line 1000']]);
  t.same(remainingIn(begunBy(2, [], '2024-04-10'))[0], [3_500, ['2 2500', 'line 1000']]);
  t.end();
});

test('if the first draw owes the oldest minimum payment, money for it pays that and counts for the fee', (t) => {
  const paid = begunBy(1, PAID, '2024-04-20');
  t.same(remainingIn(paid), [
    [0, []],
    [2_500, ['2 2500']],
    [2_500, ['2 2500']],
  ]);
  t.same(holdingsOf(paid), [
    '  overdue fee of the line 10.00',
    '1: nonDuePrincipal 65.00',
    '2: nonDuePrincipal 75.00, duePrincipal 25.00, overduePrincipal 25.00',
  ]);
  t.match(lineOverdueOf(paid), { daysOverdue: 21, overdueCents: 2_500 });
  t.end();
});

test('if the second draw owes the oldest minimum payment, money for the first leaves it overdue and lowers what it lacks', (t) => {
  const paid = begunBy(2, PAID, '2024-04-20');
  t.same(remainingIn(paid), [
    [2_500, ['2 1500', 'line 1000']],
    [0, []],
    [2_500, ['2 2500']],
  ]);
  t.same(holdingsOf(paid), [
    '  overdue fee of the line 10.00',
    '1: nonDuePrincipal 65.00',
    '2: nonDuePrincipal 85.00, duePrincipal 25.00, overduePrincipal 15.00',
  ]);
  t.match(lineOverdueOf(paid), { daysOverdue: 50, overdueCents: 2_500 });
  t.end();
});

test('a migrated line divides its oldest overdue obligation among the fees, then the draws in their order', (t) => {
  t.same(remainingIn(seeded([], '2024-04-10')), [
    [3_500, ['1 2500', 'line 1000']],
    [2_500, ['2 2500']],
    [5_000, ['1 2500', '2 2500']],
  ]);
  const [paid, lived] = [seeded(PAID, '2024-04-20'), begunBy(1, PAID, '2024-04-20')];
  t.same(remainingIn(paid), remainingIn(lived));
  t.same(holdingsOf(paid), holdingsOf(lived));
  t.end();
});
