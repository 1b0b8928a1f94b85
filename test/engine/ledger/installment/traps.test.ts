import { test } from 'tap';
import {
  accruedOf,
  addDays,
  applyFact,
  balancesOf,
  computeLedger,
  formatAccrued,
  formatDay,
  interestByDay,
  type LedgerEntry,
  type LedgerFact,
  obligationsOf,
  overdueOf,
  recordLedger,
  stateDigest,
  type LedgerTerms,
} from '../../../../engine/index.js';
import { at, day, loan, money, pay, SMALL_LOAN, text } from './loans.js';

const terms = loan(SMALL_LOAN);

/** Rows all of one amount, whatever the interest. */
const withAmounts = (base: LedgerTerms, amount: string): LedgerTerms => ({
  ...base,
  rows: base.rows.map((row) => ({ ...row, amountCents: money(amount) })),
});

const dailyInterest = (from: string, to: string, dayCount: 'actualActual' | 'monthly30360'): string[] => {
  const shape = { principal: '36500.00', rate: '0.10', activation: from, firstDue: '2025-06-01', rows: 1, dayCount };
  const ledger = recordLedger(loan(shape), [], addDays(day(to), 1));
  return interestByDay(ledger, day(from), day(to)).map((found) => formatAccrued(found.interest));
};

test('trap 1, month-end drift: a due day of 31 returns to the 31st after February, also with shifted due dates', async (t) => {
  const monthEnd = loan({ ...SMALL_LOAN, activation: '2024-01-05', firstDue: '2024-01-31', rows: 5, rule: { type: 'monthly', day: 31 } });
  const due = (facts: readonly LedgerFact[], through: string): string[] =>
    obligationsOf(computeLedger(monthEnd, facts, day(through)))
      .filter((obligation) => !obligation.isOpen)
      .map((obligation) => formatDay(obligation.dueDay));
  t.same(due([], '2024-06-30'), ['2024-01-31', '2024-02-29', '2024-03-31', '2024-04-30', '2024-05-31']);
  const frozen: LedgerFact[] = [
    { type: 'freeze', effective: at('2024-02-10'), sequence: 1, recordedDay: day('2024-02-10') },
    {
      type: 'unfreeze',
      retroactivelyAccrueInterest: false,
      shiftDueDates: true,
      effective: at('2024-03-05'),
      sequence: 2,
      recordedDay: day('2024-03-05'),
    },
  ];
  t.same(due(frozen, '2024-08-30'), ['2024-01-31', '2024-03-31', '2024-04-30', '2024-05-31', '2024-06-30']);
});

test('trap 2, the year changes inside a schedule: each day is divided by the length of its own year', async (t) => {
  t.same(dailyInterest('2023-12-30', '2024-01-02', 'actualActual'), ['10.0000000000', '10.0000000000', '9.9726775956', '9.9726775956']);
});

test('trap 3, 30/360 at month ends: the 31st bears nothing and the end of February compensates for it', async (t) => {
  const one = '10.1388888889';
  t.same(dailyInterest('2024-01-30', '2024-02-01', 'monthly30360'), [one, '0.0000000000', one]);
  t.same(dailyInterest('2024-02-28', '2024-03-01', 'monthly30360'), [one, '20.2777777778', one]);
  t.same(dailyInterest('2023-02-27', '2023-03-01', 'monthly30360'), [one, '30.4166666667', one]);
});

test('trap 4, one backdated payment: interest is computed again, and a second time gives the same', async (t) => {
  const late = { ...pay(1, '2024-02-15', '109.76'), recordedDay: day('2024-04-10') };
  const once = recordLedger(terms, [late], day('2024-04-20'));
  const days = interestByDay(once, terms.activation, day('2024-04-19'));
  t.equal(days.length, day('2024-04-20') - terms.activation);
  t.equal(
    days.reduce((sum, found) => sum + found.interest, 0n),
    accruedOf(once.state.totals.interestAccrued),
  );
  t.equal(stateDigest(recordLedger(terms, [late], day('2024-04-20')).state), stateDigest(once.state));
  const again: LedgerFact = {
    type: 'paymentMoved',
    transaction: 1,
    newEffective: late.effective,
    effective: at('2024-04-11'),
    sequence: 2,
    recordedDay: day('2024-04-11'),
  };
  t.equal(stateDigest(computeLedger(terms, [late, again], day('2024-04-20'))), stateDigest(once.state));
});

test('trap 5, interest above the installment: the obligation stays at its amount, all of it interest', async (t) => {
  const low = withAmounts(terms, '10.00');
  const ledger = computeLedger(low, [], day('2024-02-15'));
  const [first] = obligationsOf(ledger);
  t.equal(text(first?.obligationCents ?? 0), '10.00');
  t.equal(text(balancesOf(ledger).due.interestCents), '10.00');
  t.equal(text(balancesOf(ledger).due.principalCents), '0.00');
  t.equal(text(balancesOf(ledger).nonDue.interestCents), '5.39');
  t.equal(text(balancesOf(ledger).outstanding.totalCents), '1215.39');
});

test('trap 6, an early or late payment changes only its own period and later ones', async (t) => {
  const paid = [pay(1, '2024-02-15', '109.76'), pay(2, '2024-03-15', '109.76')];
  const early = [...paid, pay(3, '2024-03-25', '109.76')];
  const upTo = (facts: readonly LedgerFact[], date: string): readonly LedgerEntry[] =>
    recordLedger(terms, facts, day('2024-05-20')).entries.filter((entry) => entry.day <= day(date));
  t.same(upTo(early, '2024-03-24'), upTo(paid, '2024-03-24'));
  const april = (facts: readonly LedgerFact[]): string =>
    text(recordLedger(terms, facts, day('2024-04-15')).state.obligations[2]?.interestCents ?? 0);
  // 25 March takes 4.98 of the 4.98910685 accrued and 104.78 of principal; then 21 nights of 906.90 are 9.3920055. The payment has met
  // April, so that they fall due with May, with 30 nights of 906.90 that are 13.4171507.
  t.equal(april(paid), '15.47');
  t.equal(april(early), '0.00');
  const may = recordLedger(terms, early, day('2024-05-15')).state.obligations[3];
  t.equal(text(may?.interestCents ?? 0), '22.82');
});

test('trap 7, changes past maturity: a payment that fails after the last due date leaves its amount overdue', async (t) => {
  const facts: LedgerFact[] = terms.rows.map((row, position) => ({
    ...pay(position + 1, '2024-02-15', text(row.amountCents)),
    effective: { day: row.date, seconds: 54_000 },
  }));
  const failed: LedgerFact = {
    type: 'paymentVoided',
    transaction: 12,
    effective: at('2025-02-03'),
    sequence: 20,
    recordedDay: day('2025-02-03'),
  };
  t.equal(computeLedger(terms, facts, day('2025-02-03')).status, 'paidOff');
  const ledger = computeLedger(terms, [...facts, failed], day('2025-02-03'));
  t.equal(ledger.status, 'active');
  t.match(overdueOf(ledger), { daysOverdue: 19, overdueCents: 10_968 });
  t.ok(balancesOf(ledger).nonDue.interestCents > 0, 'its principal goes on bearing interest');
});

test('trap 8, overdue balances recalculated: they stay the same however often the past is computed', async (t) => {
  const facts = [pay(1, '2024-03-20', '50.00'), pay(2, '2024-05-02', '180.00')];
  const moving = computeLedger(terms, [], terms.activation);
  for (const fact of facts) applyFact(moving, fact);
  const whole = computeLedger(terms, facts, day('2024-05-02'));
  t.same(balancesOf(moving).overdue, balancesOf(whole).overdue);
  t.same(overdueOf(moving), overdueOf(whole));
  t.equal(text(balancesOf(whole).overdue.totalCents), text(109_76 * 3 - 230_00));
});

test('trap 9, a short first period is counted once, and interest is capitalized once and at the right time', async (t) => {
  const first = computeLedger(terms, [], day('2024-02-15'));
  // 26 nights of 1,200.00 at 18 %.
  t.equal(formatAccrued(accruedOf(first.totals.interestAccrued)), '15.3863013699');
  const capitalizing = loan({ ...SMALL_LOAN, settings: { capitalization: 'afterDueDate' } });
  t.equal(text(balancesOf(computeLedger(capitalizing, [], day('2024-02-15'))).outstanding.principalCents), '1200.00');
  t.equal(text(balancesOf(computeLedger(capitalizing, [], day('2024-02-16'))).outstanding.principalCents), '1215.39');
  t.equal(text(balancesOf(computeLedger(capitalizing, [], day('2024-03-14'))).outstanding.principalCents), '1215.39');
});
