import { test } from 'tap';
import { computeLine, type LineFact, lineOverdueOf, type LineState, openLineObligation } from '../../../../engine/index.js';
import { day, LATE_FEE } from '../installment/loans.js';
import { DRAWN, line, payLine, statementOn } from './lines.js';

/*
 * Paying the next minimum payment before its statement fulfills it. While the due date of a made statement is ahead, the
 * setting decides how money above its minimum payment is used.
 */

const under = (rules: number) => line({ schedule: statementOn(9), settings: { lateFees: [LATE_FEE], rules } });

const through = (facts: readonly LineFact[], date: string, rules = 3): LineState =>
  computeLine(under(rules), [...DRAWN, ...facts], day(date));

test('money before the statement counts for it: nothing is overdue, and no late fee is charged', async (t) => {
  const early = [payLine(200, '2024-02-05', '100.00')];
  const before = through(early, '2024-02-08');
  t.match(openLineObligation(before), { remainingCents: 0, isFulfilled: true }, 'the open obligation is met before it is fixed');
  const state = through(early, '2024-03-31');
  const [first, second] = state.obligations;
  t.match(first, { isFulfilled: true, remainingCents: 0, paymentsCents: 0 });
  t.equal(first?.prepaidCents, first?.amountCents);
  t.equal(first?.unassignedCents, 10_000 - (first?.amountCents ?? 0), 'the rest has lowered the balance alone');
  t.match(second, { prepaidCents: 0 }, 'and no later statement is met by it');
  t.equal(state.fees.length, 0);
  t.equal(through(early, '2024-03-20').isOverdue, false);
});

test('money above a statement is used by the setting before its due date', async (t) => {
  const asked = through([], '2024-02-09').obligations[0]?.remainingCents ?? 0;
  const more = { ...payLine(200, '2024-02-20', '0.00'), amountCents: (asked + 2_000) as never };
  t.match(through([more], '2024-03-09').obligations[1], { prepaidCents: 0, unassignedCents: 2_000 });
  t.match(through([{ ...more, isPrepaymentEnabled: true }], '2024-03-09').obligations[1], { prepaidCents: 2_000 });
  const afterDueDate = payLine(201, '2024-03-02', '20.00');
  t.match(through([{ ...more, amountCents: asked as never }, afterDueDate], '2024-03-09').obligations[1], { prepaidCents: 2_000 });
});

test('periods that were computed under rules 2 do not change', async (t) => {
  const state = through([payLine(200, '2024-02-05', '100.00')], '2024-03-20', 2);
  t.equal(lineOverdueOf(state).isOverdue, true);
});
