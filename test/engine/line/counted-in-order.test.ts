import { test } from 'tap';
import {
  type Bucket,
  computeLine,
  DEFAULT_PAYMENT_WATERFALL,
  type LineFact,
  lineBalancesOf,
  lineOverdueOf,
  type LineState,
} from '../../../engine/index.js';
import { day } from '../replay/loans.js';
import { DRAWN, line, payLine, statementOn } from './lines.js';
import { areObligationsWhole } from './sums.js';

/*
 * An obligation of a line counts money in the order of obligations, whatever the waterfall does with draws and components (loan-terms 3.2).
 */

const first: readonly Bucket[] = ['overdueInterest', 'dueInterest', 'nonDueInterest'];
const INTEREST_FIRST: readonly Bucket[] = [...first, ...DEFAULT_PAYMENT_WATERFALL.filter((bucket) => !first.includes(bucket))];

const through = (facts: readonly LineFact[], date: string, settings: object = {}): LineState =>
  computeLine(
    line({ schedule: statementOn(9), settings: { paymentWaterfall: INTEREST_FIRST, ...settings } }),
    [...DRAWN, ...facts],
    day(date),
  );

test('a borrower who pays the overdue minimum payment is current, also where interest that is not due takes a part of the money first', async (t) => {
  const { overdueCents } = lineOverdueOf(through([], '2024-03-05'));
  const paid = through([{ ...payLine(200, '2024-03-05', '0.00'), amountCents: overdueCents }], '2024-03-05');
  t.match(paid.obligations[0], { isFulfilled: true, remainingCents: 0, paymentsCents: overdueCents });
  t.match(lineOverdueOf(paid), { isOverdue: false, overdueCents: 0 });
  t.equal(lineBalancesOf(paid).overdue.totalCents, 0);
  t.ok((paid.payments[0]?.interestCents ?? 0) > (paid.obligations[0]?.interestCents ?? 0), 'the waterfall splits the money as ever');
  t.ok(areObligationsWhole(paid));
  const before = through([{ ...payLine(200, '2024-03-05', '0.00'), amountCents: overdueCents }], '2024-03-05', { rules: 2 });
  t.match(lineOverdueOf(before), { isOverdue: true }, 'days under rules 2 stay as they were');
});

test('what a minimum payment that is not overdue yet counts of money for interest to come is not due any more, to the cent', async (t) => {
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
