import { test } from 'tap';
import {
  type Bucket,
  computeLine,
  DEFAULT_PAYMENT_WATERFALL,
  lineAllocationOf,
  type LineFact,
  lineBalancesOf,
  lineOverdueOf,
  type LineState,
  recordLine,
} from '../../../../engine/index.js';
import { day, text } from '../installment/loans.js';
import { charge, DRAWN, holdingsOf, line, payLine, statementOn } from './lines.js';
import { areObligationsWhole } from './sums.js';

/*
 * Money counts toward the obligations of a line in their order, regardless of how the waterfall orders draws and components.
 */

const first: readonly Bucket[] = ['overdueInterest', 'dueInterest', 'nonDueInterest'];
const INTEREST_FIRST: readonly Bucket[] = [...first, ...DEFAULT_PAYMENT_WATERFALL.filter((bucket) => !first.includes(bucket))];

const through = (facts: readonly LineFact[], date: string, settings: object = {}): LineState =>
  computeLine(
    line({ schedule: statementOn(9), settings: { paymentWaterfall: INTEREST_FIRST, ...settings } }),
    [...DRAWN, ...facts],
    day(date),
  );

test('a borrower who pays the overdue minimum payment is current, even if interest that is not due takes a part first', async (t) => {
  const { overdueCents } = lineOverdueOf(through([], '2024-03-05'));
  const paid = through([{ ...payLine(200, '2024-03-05', '0.00'), amountCents: overdueCents }], '2024-03-05');
  t.match(paid.obligations[0], { isFulfilled: true, remainingCents: 0, withoutLateFeesCents: 0, paymentsCents: overdueCents });
  t.match(lineOverdueOf(paid), { isOverdue: false, overdueCents: 0 });
  t.equal(lineBalancesOf(paid).overdue.totalCents, 0);
  t.ok((paid.payments[0]?.interestCents ?? 0) > (paid.obligations[0]?.interestCents ?? 0), 'the waterfall splits the money as ever');
  t.ok(areObligationsWhole(paid));
  const before = through([{ ...payLine(200, '2024-03-05', '0.00'), amountCents: overdueCents }], '2024-03-05', { rules: 2 });
  t.match(lineOverdueOf(before), { isOverdue: true }, 'days under rules 2 stay as they were');
});

test('a minimum payment counts money for coming interest, and exactly that much is not due any more', async (t) => {
  const asked = through([], '2024-02-20').obligations[0]?.remainingCents ?? 0;
  // The statement of 9 February asks for 1 % of 2,500.00 and 30 days of interest at 19.99 %, 41.07.
  t.equal(asked, 6_607);
  const paid = through([{ ...payLine(200, '2024-02-20', '0.00'), amountCents: asked as never }], '2024-02-20');
  t.match(paid.obligations[0], { isFulfilled: true, remainingCents: 0, paymentsCents: asked });
  const { due, outstanding } = lineBalancesOf(paid);
  t.same([due.totalCents, due.principalCents, due.interestCents], [0, 0, 0]);
  const before = lineBalancesOf(through([], '2024-02-20')).outstanding;
  t.equal(outstanding.totalCents, before.totalCents - asked);
});

test('an allocation names the obligation that has counted the money, also for interest that is not due', async (t) => {
  const terms = line({ schedule: statementOn(9), settings: { paymentWaterfall: INTEREST_FIRST } });
  const rows = (amount: string): readonly unknown[] =>
    lineAllocationOf(recordLine(terms, [...DRAWN, payLine(200, '2024-03-05', amount)], day('2024-03-05')), 200).map(
      ({ bucket, obligation, amountCents }) => [bucket, obligation, text(amountCents)],
    );
  // 25 days of interest since the statement are 34.22: 25.00 of them stand for the principal that the obligation lacks.
  t.same(rows('66.07'), [
    ['overdueInterest', 0, '41.07'],
    ['nonDueInterest', 0, '25.00'],
  ]);
  // With 10.00 more all of that interest is paid, and 0.78 of the principal itself.
  t.same(rows('76.07'), [
    ['overdueInterest', 0, '41.07'],
    ['nonDueInterest', 0, '24.22'],
    ['nonDueInterest', null, '10.00'],
    ['overduePrincipal', 0, '0.78'],
  ]);
});

test('a fee for which other money was counted is due by itself once all is fulfilled, and that money is in advance again', async (t) => {
  const last: readonly Bucket[] = ['overdueFees', 'dueFees', 'nonDueFees'];
  const paymentWaterfall = [...INTEREST_FIRST.filter((bucket) => !last.includes(bucket)), ...last];
  const terms = line({ schedule: statementOn(9), settings: { paymentWaterfall } });
  const on = (date: string): LineState =>
    computeLine(terms, [...DRAWN, charge(300, '2024-01-20', '12.00'), payLine(200, '2024-02-20', '78.07')], day(date));
  // 41.07 and 15.06 of interest, 21.94 of due principal: 3.06 of it and the fee are left, and 15.06 are counted for them.
  const state = on('2024-02-20');
  t.match(state.payments[0], { principalCents: 2_194, interestCents: 5_613, feesCents: 0, overCents: 0 });
  t.match(state.obligations[0], { isFulfilled: true, remainingCents: 0, paymentsCents: 7_807 });
  t.match(state.fees[0], { carriedBy: null, dueStatus: 'due', openCents: 1_200 });
  t.match(state.draws[0]?.balances, { nonDuePrincipalCents: 247_806, duePrincipalCents: 0, dueInterestCents: 0 });
  t.equal(state.unassignedCents, 1_200);
  t.match(on('2024-03-09').obligations[1], { feesCents: 1_200 });
});

test('if money pays non-due balances first, due balances become non-due again: principal, then interest', async (t) => {
  const early: readonly Bucket[] = ['nonDueInterest', 'nonDuePrincipal'];
  const paymentWaterfall = [...early, ...DEFAULT_PAYMENT_WATERFALL.filter((bucket) => !early.includes(bucket))];
  const terms = line({ schedule: statementOn(9), settings: { paymentWaterfall } });
  // Eleven days of interest are 15.0609589041; 44.94 of principal. Of 66.07 that were asked for 6.07 are lacking then.
  const state = computeLine(terms, [...DRAWN, payLine(200, '2024-02-20', '60.00')], day('2024-02-20'));
  t.same(holdingsOf(state), ['1: nonDuePrincipal 2455.06, nonDueInterest 35.0009589041, dueInterest 6.07']);
  t.match(state.obligations[0], { remainingCents: 607, paymentsCents: 6_000, isFulfilled: false });
  // Overdue on 1 March and then paid in the same way, it is no longer due.
  const late = computeLine(terms, [...DRAWN, payLine(200, '2024-03-05', '60.00')], day('2024-03-05'));
  t.match(holdingsOf(late), ['overdueInterest 6.07']);
  t.equal(lineOverdueOf(late).overdueCents, 607);
});
