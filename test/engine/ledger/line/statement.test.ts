import { test } from 'tap';
import {
  computeLine,
  formatAccrued,
  formatDay,
  largestLineLateFeeCents,
  lineAllocationOf,
  lineBalancesOf,
  type LineFact,
  lineObligationsOf,
  type LineObligationView,
  lineScheduleOf,
  rate,
  recordLine,
} from '../../../../engine/index.js';
import { day, LATE_FEE, money, text } from '../installment/loans.js';
import { buy, draw, line, payLine, statementOn } from './lines.js';

/*
 * By hand: 2,000.00 at 19.99% and 1,000.00 at 24%, a fee of the line and one of the second draw, 12.00
 * each. Each draw asks for 1% of its principal, its interest and its fees. Statements on 2024-02-09 and 03-09, due on 02-29 and 03-29.
 */
const TERMS = line({ schedule: statementOn(9) });
const factPosition = (sequence: number, date: string) => ({
  sequence,
  effective: { day: day(date), seconds: 50_000 },
  recordedDay: day(date),
});
const fee = (sequence: number, of: number | null): LineFact => ({
  ...factPosition(sequence, '2024-01-15'),
  type: 'feeCharged',
  fee: sequence,
  feeTypeId: 'byHand',
  kind: of === null ? 'otherFee' : 'modificationFee',
  amountCents: money('12.00'),
  chargeLogic: 'immediate',
  draw: of,
});
const FACTS: readonly LineFact[] = [
  draw(1),
  draw(2, { rate: '0.24' }),
  buy(100, '2024-01-10', '2000.00'),
  buy(101, '2024-01-10', '1000.00', 2),
  fee(300, null),
  fee(301, 2),
  // 24.00 of fees, and 26.00 to the draw that has more due; then the other one has more.
  payLine(200, '2024-02-20', '50.00'),
  payLine(201, '2024-02-21', '5.00', { kind: 'credit' }),
];
const STATED = computeLine(TERMS, FACTS, day('2024-03-09'));

const moneyOf = (view: LineObligationView): readonly string[] =>
  [
    view.obligationCents,
    view.paymentsCents,
    view.serviceCreditsCents,
    view.fulfilledCents,
    view.remainingCents,
    view.carriedOverdueCents,
    view.minimumDueCents,
  ].map(text);

test('each obligation shows its amount, its payments, and the overdue amount in addition', async (t) => {
  // 52.86 and 41.72 of the draws and 12.00 of the line; then 51.76 and 29.06; the open one as if nothing more were paid: 53.95 and 30.38.
  t.same(lineObligationsOf(STATED).map(moneyOf), [
    ['106.58', '50.00', '5.00', '55.00', '51.58', '0.00', '106.58'],
    ['80.82', '0.00', '0.00', '0.00', '80.82', '51.58', '132.40'],
    ['84.33', '0.00', '0.00', '0.00', '84.33', '132.40', '216.73'],
  ]);
  t.same(lineObligationsOf(STATED, 1).map(moneyOf), [
    ['52.86', '26.00', '0.00', '26.00', '26.86', '0.00', '52.86'],
    ['51.76', '0.00', '0.00', '0.00', '51.76', '0.00', '51.76'],
    ['53.95', '0.00', '0.00', '0.00', '53.95', '0.00', '53.95'],
  ]);
  t.same(lineObligationsOf(STATED, 2).map(moneyOf), [
    ['41.72', '12.00', '5.00', '17.00', '24.72', '0.00', '41.72'],
    ['29.06', '0.00', '0.00', '0.00', '29.06', '0.00', '29.06'],
    ['30.38', '0.00', '0.00', '0.00', '30.38', '0.00', '30.38'],
  ]);
  for (const of of [null, 1, 2])
    t.same(
      lineObligationsOf(STATED, of).map(({ ordinal, period, dueDay, isOpen, isOverdue, isFulfilled }) => [
        ordinal,
        period,
        formatDay(dueDay),
        isOpen,
        isOverdue,
        isFulfilled,
      ]),
      [
        [0, 0, '2024-02-29', false, true, false],
        [1, 1, '2024-03-29', false, false, false],
        [2, 2, '2024-04-29', true, false, false],
      ],
    );
});

test('the full balance is everything owed at the statement; overdue amounts are separate', async (t) => {
  const seen = (views: readonly LineObligationView[]): readonly unknown[] =>
    views
      .slice(0, 2)
      .map(({ loanGracePeriod, gracePeriods }) =>
        [loanGracePeriod, ...gracePeriods].map((grace) =>
          [grace.fullBalanceCents, grace.fullBalanceMinusOverdueCents, grace.totalFulfilledOnDueDateCents].map(text).join(' '),
        ),
      );
  t.same(seen(lineObligationsOf(STATED)), [
    ['3076.58 3076.58 55.00', '2032.86 2032.86 26.00', '1031.72 1031.72 17.00'],
    ['3072.40 3020.82 0.00', '2038.62 2011.76 0.00', '1033.78 1009.06 0.00'],
  ]);
});

test('balances of the line are the sums of its draws and its own fees, block by block', async (t) => {
  const seen = (of: number | null): readonly string[] => {
    const { outstanding, nonDue, due, overdue, paid, interestAndFees } = lineBalancesOf(STATED, of);
    return [
      ...[outstanding, nonDue, due, overdue].map((block) =>
        [block.totalCents, block.principalCents, block.interestCents].map(text).join(' '),
      ),
      [paid.totalCents, paid.paymentsCents, paid.creditsCents, paid.principalCents, paid.interestCents, paid.feesCents].map(text).join(' '),
      [interestAndFees.feesChargedCents, interestAndFees.interestPaidYearToDateCents].map(text).join(' '),
      formatAccrued(interestAndFees.dailyInterest),
    ];
  };
  t.same(seen(1), [
    '2038.62 2000.00 38.62',
    '1960.00 1960.00 0.00',
    '51.76 20.00 31.76',
    '26.86 20.00 6.86',
    '26.00 26.00 0.00 0.00 26.00 0.00',
    '0.00 26.00',
    '1.0953424658',
  ]);
  t.same(seen(2), [
    '1033.78 1000.00 33.78',
    '980.00 980.00 0.00',
    '29.06 10.00 19.06',
    '24.72 10.00 14.72',
    '17.00 12.00 5.00 0.00 5.00 12.00',
    '12.00 5.00',
    '0.6575342466',
  ]);
  t.same(seen(null), [
    '3072.40 3000.00 72.40',
    '2940.00 2940.00 0.00',
    '80.82 30.00 50.82',
    '51.58 30.00 21.58',
    '55.00 50.00 5.00 0.00 31.00 24.00',
    '24.00 31.00',
    '1.7528767123',
  ]);
  const { due } = lineBalancesOf(computeLine(TERMS, FACTS, day('2024-01-15')), 2);
  t.same([due.feesCents, due.modificationFeesCents, due.dynamicFeesCents].map(text), ['12.00', '12.00', '0.00']);
});

test('the schedule shows the amount of each statement, and the next one if everything is paid', async (t) => {
  const rows = (of: number | null): readonly string[] =>
    lineScheduleOf(STATED, of).map(({ date, amountCents, principalCents, interestCents, feesCents }) =>
      [formatDay(date), ...[amountCents, principalCents, interestCents, feesCents].map(text)].join(' '),
    );
  t.same(rows(null), [
    '2024-02-29 106.58 30.00 52.58 24.00',
    '2024-03-29 80.82 30.00 50.82 0.00',
    // 31 days on 1,960.00 and 980.00: 33.27 and 19.97.
    '2024-04-29 82.64 29.40 53.24 0.00',
  ]);
  t.same(rows(2), ['2024-02-29 41.72 10.00 19.72 12.00', '2024-03-29 29.06 10.00 19.06 0.00', '2024-04-29 29.77 9.80 19.97 0.00']);
});

test('a charged-off line pays principal of all draws first, the draw with the highest rate before the others', async (t) => {
  const facts: readonly LineFact[] = [
    ...FACTS,
    { ...factPosition(302, '2024-03-10'), type: 'chargeOff', reason: 'bankruptcy' },
    payLine(202, '2024-03-11', '3050.00'),
  ];
  const recorded = recordLine(TERMS, facts, day('2024-03-11'));
  // One more day of interest, in whole cents: 1.09 and 0.65.
  t.same(
    lineAllocationOf(recorded, 202).map(({ draw: of, bucket, amountCents }) => [of, bucket, text(amountCents)]),
    [
      [2, 'chargedOffPrincipal', '1000.00'],
      [1, 'chargedOffPrincipal', '2000.00'],
      [2, 'chargedOffInterest', '34.43'],
      [1, 'chargedOffInterest', '15.57'],
    ],
  );
  const { chargedOff, outstanding } = lineBalancesOf(recorded.state);
  t.same([chargedOff.totalCents, chargedOff.interestCents, outstanding.totalCents].map(text), ['24.14', '24.14', '0.00']);
});

test('a purchase on an accelerated line joins the single obligation of the line and of its draw', async (t) => {
  const accelerated: readonly LineFact[] = [...FACTS, { ...factPosition(302, '2024-03-10'), type: 'accelerate' }];
  const asked = (facts: readonly LineFact[]): readonly unknown[] => {
    const state = computeLine(TERMS, facts, day('2024-03-11'));
    const remaining = [null, 1, 2].map((of) => text(lineObligationsOf(state, of).reduce((sum, one) => sum + one.remainingCents, 0)));
    return [...remaining, text(lineBalancesOf(state).overdue.principalCents), formatDay(lineObligationsOf(state)[0]?.dueDay ?? state.day)];
  };
  t.same(asked(accelerated), ['3074.14', '2039.71', '1034.43', '3000.00', '2024-02-29']);
  t.same(asked([...accelerated, buy(102, '2024-03-11', '40.00', 2)]), ['3114.14', '2039.71', '1074.43', '3040.00', '2024-02-29']);
});

test('a late fee that is a share of principal uses the principal of all draws', async (t) => {
  const share = { ...LATE_FEE, amount: { type: 'percentage' as const, percentage: rate(5_000_000), base: 'principal' as const } };
  const terms = line({ schedule: statementOn(9), settings: { lateFees: [share] } });
  const state = computeLine(terms, FACTS, day('2024-03-16'));
  t.equal(text(largestLineLateFeeCents(state, 1)), '150.00');
  t.equal(text(state.fees.find(({ origin }) => origin === 'late')?.amountCents ?? 0), '150.00');
});
