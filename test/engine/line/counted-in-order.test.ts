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
