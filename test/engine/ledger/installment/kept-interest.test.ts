import { test } from 'tap';
import {
  balancesOf,
  computeLedger,
  formatAccrued,
  accruedOf,
  type LedgerFact,
  type LedgerState,
  type Recalculation,
  recordLedger,
  scheduleOf,
} from '../../../../engine/index.js';
import { keptTerms, PLAIN_KEEPING } from './kept-loans.js';
import { at, day, loan, money, pay, SMALL_LOAN, text } from './loans.js';

/** 1,200.00 at 18 % in twelve installments from 2024-02-15 on, lent on 2024-01-20. */
const kept = (recalculation: Recalculation) =>
  keptTerms(loan(SMALL_LOAN), {
    ...PLAIN_KEEPING,
    interest: recalculation.type === 'none' ? PLAIN_KEEPING.interest : { type: 'daily', dayCount: 'daily365' },
    chargebackOrder: ['fees', 'penalties', 'interest', 'principal'],
    recalculation,
  });
const SCHEDULED = kept({ type: 'none' });
const BY_NIGHT = kept({ type: 'progressive', isOverdueBearing: true });

const back = (sequence: number, transaction: number, date: string, amount: string): LedgerFact => ({
  type: 'paymentChargedBack',
  chargeback: sequence,
  transaction,
  amountCents: money(amount),
  effective: at(date, 60_000),
  sequence,
  recordedDay: day(date),
});

/** Interest that is not due, due and overdue, what was paid of it, and all of it since the beginning. */
function interestOf(state: LedgerState): readonly string[] {
  const { nonDue, due, overdue } = balancesOf(state);
  const { paidInterestCents, interestAccrued } = state.totals;
  const all = Number(formatAccrued(accruedOf(interestAccrued))).toFixed(2);
  return [text(nonDue.interestCents), text(due.interestCents), text(overdue.interestCents), text(paidInterestCents), all];
}

test('if payments do not change the interest, the interest of the schedule is owed from the beginning', async (t) => {
  const on = (date: string, facts: readonly LedgerFact[] = []) => interestOf(computeLedger(SCHEDULED, facts, day(date)));
  const scheduled = scheduleOf(computeLedger(SCHEDULED, [], day('2024-01-20'))).reduce((sum, { interestCents }) => sum + interestCents, 0);
  t.equal(on('2024-01-20')[0], text(scheduled));
  t.same(on('2024-02-14'), on('2024-01-20'), 'a day changes nothing of it');
  // A twelfth of 18 % of 1,200.00 falls due with the first installment.
  t.same(on('2024-02-15'), [text(scheduled - 1_800), '18.00', '0.00', '0.00', text(scheduled)]);
  t.same(on('2024-02-16'), [text(scheduled - 1_800), '0.00', '18.00', '0.00', text(scheduled)]);
  t.same(on('2024-02-16', [pay(1, '2024-02-15', '110.02')]), [text(scheduled - 1_800), '0.00', '0.00', '18.00', text(scheduled)]);
});

test('if each night bears interest, it is owed night by night, and never more than the open installments have', async (t) => {
  const on = (date: string, facts: readonly LedgerFact[] = []) => interestOf(computeLedger(BY_NIGHT, facts, day(date)));
  t.same(on('2024-01-20'), ['0.00', '0.00', '0.00', '0.00', '0.00']);
  // 1,200.00 at 18 % over 365 days bears 0.59178 a night.
  t.same(on('2024-02-01'), ['7.10', '0.00', '0.00', '0.00', '7.10'], 'twelve nights');
  t.same(on('2024-02-15'), ['0.00', '15.39', '0.00', '0.00', '15.39'], '26 nights fall due');
  t.same(on('2024-02-16', [pay(1, '2024-02-15', '115.39')])[3], '15.39');
});

test('interest that is owed again after a chargeback is owed in addition to that of the nights', async (t) => {
  const paid = pay(1, '2024-02-15', '115.39');
  const before = interestOf(computeLedger(BY_NIGHT, [paid], day('2024-02-20')));
  const after = interestOf(computeLedger(BY_NIGHT, [paid, back(2, 1, '2024-02-20', '10.00')], day('2024-02-20')));
  t.equal(text(Math.round(100 * Number(after[0])) - Math.round(100 * Number(before[0]))), '10.00');
  t.equal(after[3], '5.39', 'nobody has paid it');
});

test('rows of the ledger are the installments, and an installment added after the last closes the loan', async (t) => {
  const { rows } = computeLedger(SCHEDULED, [], day('2024-01-20'));
  t.equal(rows.length, 12);
  t.same([rows[0]?.date, text(rows[0]?.amountCents ?? 0), rows.some(({ isClosing }) => isClosing)], [day('2024-02-15'), '110.02', false]);
  const facts = rows.map(({ date, amountCents }, row) => ({
    ...pay(row + 1, '2024-02-15', text(amountCents)),
    effective: { day: date, seconds: 50_000 },
    recordedDay: date,
  }));
  const state = computeLedger(SCHEDULED, [...facts, back(90, 12, '2025-03-10', '30.00')], day('2025-03-10'));
  t.equal(state.rows.length, 13);
  t.match(state.rows.at(-1), { date: day('2025-03-10'), amountCents: 3_000, isClosing: true });
});

test('each night shows the principal that bears interest, whatever its due status', async (t) => {
  const { accruals } = recordLedger(BY_NIGHT, [pay(1, '2024-02-20', '15.39')], day('2024-03-20'));
  t.ok(accruals.length > 3);
  t.ok(
    accruals.every(({ principalCents }) => principalCents === 120_000),
    'none of it is paid, due on 15 February, overdue from the 16th on, and due again on 15 March',
  );
});

test('with cumulative recalculation, money above an obligation on its due date raises it and counts as paid for it', async (t) => {
  const cumulative = kept({ type: 'cumulative', rest: 'daily', isCompounding: false });
  const facts = [pay(1, '2024-02-10', '50.00'), pay(2, '2024-02-15', '400.00')];
  const [obligation] = computeLedger(cumulative, facts, day('2024-02-15')).obligations;
  t.match(obligation, { amountCents: 45_000, remainingCents: 0, prepaidCents: 5_000, paymentsCents: 40_000 });
});
