import { test } from 'tap';
import {
  accruedOf,
  computeLine,
  formatAccrued,
  lineBalancesOf,
  type LineFact,
  lineObligationsOf,
  lineOverdueOf,
  must,
  rateTimeline,
  recordLine,
} from '../../../../engine/index.js';
import { day, money, percent, text } from '../installment/loans.js';
import { amountsIn, buy, draw, DRAWN, holdingsOf, line, payLine, statementOn } from './lines.js';

/* Due on the 9th: the period from 2024-01-10 has 30 days up to its statement on 2024-02-09. */
const THIRTY_DAYS = line({ schedule: statementOn(9) });

test('2,500.00 at 19.99% for 30 days: 41.07 falls due and 0.0053424658 is forgone', async (t) => {
  const before = computeLine(THIRTY_DAYS, DRAWN, day('2024-02-08'));
  t.equal(formatAccrued(lineBalancesOf(before).interestAndFees.dailyInterest), '1.3691780822');
  const state = computeLine(THIRTY_DAYS, DRAWN, day('2024-02-09'));
  const { nonDue, due, outstanding } = lineBalancesOf(state);
  t.equal(text(due.interestCents), '41.07');
  t.equal(text(due.principalCents), '25.00');
  t.equal(text(nonDue.principalCents), '2475.00');
  t.equal(text(nonDue.interestCents), '0.00');
  t.equal(text(outstanding.totalCents), '2541.07');
  t.equal(formatAccrued(accruedOf(state.totals.forgoneRounding)), '0.0053424658');
  t.equal(formatAccrued(accruedOf(state.totals.interestAccrued)), '41.0753424658');
  const [obligation] = lineObligationsOf(state);
  t.equal(text(obligation?.obligationCents ?? 0), '66.07');
  t.equal(obligation?.isOpen, false);
});

test('compounding daily, 2,500.00 at 19.99% accrues 41.4032048536 in 30 days', async (t) => {
  const state = computeLine({ ...THIRTY_DAYS, accrualMethod: 'compound' }, DRAWN, day('2024-02-09'));
  t.equal(formatAccrued(accruedOf(state.totals.interestAccrued)), '41.4032048536');
});

test('an unpaid minimum payment is overdue on the day after its due date', async (t) => {
  const due = computeLine(THIRTY_DAYS, DRAWN, day('2024-02-29'));
  t.same([lineOverdueOf(due).isOverdue, lineBalancesOf(due).due.totalCents], [false, 6607]);
  const overdue = computeLine(THIRTY_DAYS, DRAWN, day('2024-03-01'));
  const view = lineOverdueOf(overdue);
  t.same([view.isOverdue, view.daysOverdue, view.overdueCents, view.overdueSince], [true, 1, 6607, day('2024-02-29')]);
  t.same([lineBalancesOf(overdue).due.totalCents, lineBalancesOf(overdue).overdue.totalCents], [0, 6607]);
});

test('a payment on the due date is in time; the next minimum payment has less interest', async (t) => {
  const facts = [...DRAWN, payLine(200, '2024-02-29', '66.07')];
  const state = computeLine(THIRTY_DAYS, facts, day('2024-03-09'));
  const [first, second] = lineObligationsOf(state);
  t.same([first?.isFulfilled, first?.isOverdue, first?.paymentsCents], [true, false, 6607]);
  // 20 days on 2,500.00 and 9 on 2,475.00: 27.3835616 + 12.1993890 = 39.58; 1% of 2,475.00 = 24.75.
  t.equal(text(second?.obligationCents ?? 0), '64.33');
  t.equal(lineOverdueOf(state).isOverdue, false);
});

test('overdue amounts stay in addition to the next minimum payment', async (t) => {
  const state = computeLine(THIRTY_DAYS, DRAWN, day('2024-03-09'));
  const [, second] = lineObligationsOf(state);
  t.equal(second?.carriedOverdueCents, 6607);
  // 29 days of 2,500.00: 39.7061644; 1% of 2,500.00.
  t.equal(text(second?.obligationCents ?? 0), '64.70');
  t.equal(text(lineBalancesOf(state).overdue.totalCents), '66.07');
});

test('a payment pays overdue, due and non-due balances of all draws in turn; the draw with the highest rate first', async (t) => {
  const terms = THIRTY_DAYS;
  const facts = [
    draw(1, { rate: '0.10' }),
    draw(2, { rate: '0.20' }),
    buy(100, '2024-01-10', '1000.00', 1),
    buy(101, '2024-01-10', '1000.00', 2),
  ];
  const state = computeLine(terms, [...facts, payLine(200, '2024-02-09', '200.00')], day('2024-02-09'));
  const [payment] = state.payments;
  t.equal(payment?.overCents, 0);
  t.same(state.obligations[0]?.remainingCents, 0);
  const splits = Object.fromEntries((payment?.splits ?? []).map((split) => [split.draw ?? 0, split.principalCents + split.interestCents]));
  // Draw 1 asks for max(25, 10.00 + 8.21), draw 2 for 10.00 + 16.43: at least 25.00 and 26.43; the rest goes to draw 2.
  t.same(splits, { 1: 2500, 2: 17_500 });
});

test('a payment for one draw pays that draw first, and the rest the others', async (t) => {
  const facts = [
    draw(1, { rate: '0.10' }),
    draw(2, { rate: '0.20' }),
    buy(100, '2024-01-10', '100.00', 1),
    buy(101, '2024-01-10', '1000.00', 2),
  ];
  const state = computeLine(THIRTY_DAYS, [...facts, payLine(200, '2024-01-10', '150.00', { draw: 1 })], day('2024-01-10'));
  t.same(
    state.payments[0]?.splits.map((split) => [split.draw, split.principalCents]),
    [
      [1, 10_000],
      [2, 5000],
    ],
  );
});

test('the part of a payment above the whole balance is owed to the borrower', async (t) => {
  const state = computeLine(THIRTY_DAYS, [...DRAWN, payLine(200, '2024-01-10', '2600.00')], day('2024-02-09'));
  t.equal(lineBalancesOf(state).paid.reimbursementCents, 10_000);
  t.equal(lineBalancesOf(state).outstanding.totalCents, 0);
  t.equal(state.status, 'active');
});

test('amounts that fall due after a freezing stay due while the previous obligation becomes overdue', (t) => {
  const terms = line({ schedule: statementOn(10) });
  const order = (type: 'freeze' | 'unfreeze', date: string, sequence: number): LineFact => {
    const factPosition = { effective: { day: day(date), seconds: 43_200 }, recordedDay: day(date), sequence };
    return type === 'freeze'
      ? { type, ...factPosition }
      : { type, retroactivelyAccrueInterest: false, shiftDueDates: false, ...factPosition };
  };
  const facts = [...DRAWN, order('freeze', '2024-02-20', 300), order('unfreeze', '2024-03-05', 301)];
  // Stated on 02-10, due on 03-01, and 14 days of freezing: enforced on 03-16. The next one is stated on 03-10, due on 03-30.
  const state = computeLine(terms, facts, day('2024-03-16'));
  const [late, next] = state.obligations;
  const { balances } = must(state.draws[0], 'a draw');
  t.equal(late?.isEnforced, true);
  t.equal(next?.isEnforced, false);
  t.equal(balances.overduePrincipalCents + balances.overdueInterestCents, late?.remainingCents);
  t.equal(balances.duePrincipalCents + balances.dueInterestCents, next?.remainingCents);
  t.end();
});

test('the next due date is the first that can still be paid on time, not one that was missed or paid', async (t) => {
  const next = (facts: readonly LineFact[], date: string): readonly unknown[] => {
    const { nextDueDate, nextDueCents, overdueSince, overdueCents } = lineOverdueOf(
      computeLine(THIRTY_DAYS, [...DRAWN, ...facts], day(date)),
    );
    return [nextDueDate, nextDueCents === null ? null : text(nextDueCents), overdueSince, text(overdueCents)];
  };
  const february = day('2024-02-29');
  const march = day('2024-03-29');
  // 29 days on 2,500.00 until the statement of 9 March: 39.7061643836, and 1% of all principal, the overdue part included.
  t.same(next([], '2024-02-10'), [february, '66.07', null, '0.00']);
  t.same(next([], '2024-03-10'), [march, '64.70', february, '66.07']);
  // The payment of 15 February leaves 2,475.00: six days on 2,500.00 and 23 on that, 39.3912082191.
  t.same(next([payLine(200, '2024-02-15', '66.07')], '2024-02-16'), [march, '64.14', null, '0.00']);
});

test('interest bears interest if it compounds, and unpaid fees only if the method says so', async (t) => {
  const fee: LineFact = {
    type: 'feeCharged',
    effective: { day: day('2024-01-10'), seconds: 50_000 },
    recordedDay: day('2024-01-10'),
    sequence: 300,
    fee: 300,
    feeTypeId: 'byHand',
    kind: 'otherFee',
    amountCents: money('100.00'),
    chargeLogic: 'immediate',
    draw: 1,
  };
  const facts = [draw(1, { rate: '0.365' }), buy(100, '2024-01-10', '1000.00'), fee];
  const accrued = (accrualMethod: 'simple' | 'compound' | 'compoundWithFees'): string =>
    formatAccrued(accruedOf(computeLine({ ...THIRTY_DAYS, accrualMethod }, facts, day('2024-01-12')).totals.interestAccrued));
  // A thousandth a day, for two days.
  t.equal(accrued('simple'), '2.0000000000');
  t.equal(accrued('compound'), '2.0010000000');
  t.equal(accrued('compoundWithFees'), '2.2011000000');
});

test('a promo lowers the interest of its days, and the discount is counted for the draw and for the line', async (t) => {
  const day0 = day('2024-01-10');
  const rates = rateTimeline({
    interest: [{ type: 'absolute', from: day0, until: null, rate: percent('0.73') }],
    promos: [{ from: day('2024-01-20'), until: day('2024-02-01'), rate: percent('0.365') }],
  });
  const facts: readonly LineFact[] = [{ ...draw(1), rates }, draw(2, { rate: '0.365' }), buy(100, '2024-01-10', '1000.00')];
  const { state, accruals } = recordLine(THIRTY_DAYS, facts, day('2024-02-05'));
  // 2.00 a day, 1.00 on the twelve days of the promo.
  t.same(holdingsOf(state), ['1: nonDuePrincipal 1000.00, nonDueInterest 40.0000000000', '2: ']);
  t.same([state.totals, ...state.draws.map(({ totals }) => totals)].map(amountsIn), [
    'purchases 1000.00, interestAccrued 40.0000000000, interestDiscount 12.0000000000',
    'purchases 1000.00, interestAccrued 40.0000000000, interestDiscount 12.0000000000',
    '',
  ]);
  t.same(
    accruals.flatMap(({ draw: of, from, until, interest, interestBeforeDiscount }) =>
      of === 1 ? [[until - from, amountsIn({ interest, interestBeforeDiscount })]] : [],
    ),
    [
      [10, 'interest 20.0000000000, interestBeforeDiscount 20.0000000000'],
      [12, 'interest 12.0000000000, interestBeforeDiscount 24.0000000000'],
      [4, 'interest 8.0000000000, interestBeforeDiscount 8.0000000000'],
    ],
  );
});

test('unpaid due and overdue interest bears interest if it compounds', async (t) => {
  const facts: readonly LineFact[] = [draw(1, { rate: '0.365' }), buy(100, '2024-01-10', '1000.00')];
  const on = (date: string): readonly string[] => holdingsOf(computeLine({ ...THIRTY_DAYS, accrualMethod: 'compound' }, facts, day(date)));
  // 1,000.00 x (1.001^30 - 1) are 30.4391…; then 1,030.43 x (1.001^22 - 1), of which the last day is overdue.
  t.same(on('2024-02-09'), ['1: nonDuePrincipal 990.00, duePrincipal 10.00, dueInterest 30.43']);
  t.match(on('2024-03-02'), ['1: nonDuePrincipal 990.00, overduePrincipal 10.00, nonDueInterest 22.9090']);
  // Or principal bears none once it is overdue.
  const without = computeLine(
    { ...line({ schedule: statementOn(9), settings: { isAccruingOnOverdue: false } }), accrualMethod: 'simple' },
    facts,
    day('2024-03-03'),
  );
  // 21 days of 1.00 and two of 0.99.
  t.match(holdingsOf(without), ['nonDueInterest 22.9800000000, overdueInterest 30.00']);
});
