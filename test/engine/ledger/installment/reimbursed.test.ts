import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  balancesOf,
  cents,
  computeLedger,
  type Day,
  differences,
  type LedgerFact,
  type LedgerState,
  stateDigest,
} from '../../../../engine/index.js';
import { allHistories, type History, PARAMETERS } from './histories.js';
import { SEED } from '../../../seed.js';
import { at, day, loan, money, pay, SMALL_LOAN, text } from './loans.js';
import { areObligationsWhole, isNothingLost, isNothingNegative } from './sums.js';

const factPosition = (date: string, sequence: number): Pick<LedgerFact, 'effective' | 'recordedDay' | 'sequence'> => ({
  effective: at(date, 60_000),
  recordedDay: day(date),
  sequence,
});

const reimbursed = (transaction: number, date: string, amount: string): LedgerFact => ({
  ...factPosition(date, transaction),
  type: 'reimbursed',
  transaction,
  amountCents: money(amount),
});
const voided = (transaction: number, date: string, sequence: number): LedgerFact => ({
  ...factPosition(date, sequence),
  type: 'paymentVoided',
  transaction,
});

const through = (date: string, ...facts: readonly LedgerFact[]): LedgerState =>
  computeLedger(loan({ ...SMALL_LOAN, rate: '0' }), facts, day(date));
const owedIn = (ledger: LedgerState): string => text(balancesOf(ledger).outstanding.totalCents);
const owedBackIn = ({ totals }: LedgerState): string => text(totals.reimbursementCents - totals.reimbursedCents);

const PAID = pay(1, '2024-02-01', '1000.00');
const PAID_OVER = pay(2, '2024-02-10', '300.00');
const BACK = reimbursed(3, '2024-02-12', '100.00');

test('a refund of overpaid money moves no balance', (t) => {
  const ledger = through('2024-02-13', PAID, PAID_OVER, BACK);
  t.match(ledger, { status: 'paidOff', statusSince: day('2024-02-10'), totals: { owedAgainCents: 0 } });
  t.same([owedIn(ledger), owedBackIn(ledger)], ['0.00', '0.00']);
  t.end();
});

test('a failed payment is owed again, and so is its refunded part', (t) => {
  const ledger = through('2024-02-20', PAID, PAID_OVER, BACK, voided(2, '2024-02-20', 4));
  t.equal(ledger.status, 'active');
  t.same([owedIn(ledger), owedBackIn(ledger)], ['300.00', '0.00'], '200.00 of the loan and the refunded 100.00');
  t.equal(owedIn(through('2024-02-11', PAID, PAID_OVER, BACK, voided(2, '2024-02-20', 4))), '200.00', 'before the refund');
  const paid = through('2024-02-25', PAID, PAID_OVER, BACK, voided(2, '2024-02-20', 4), pay(5, '2024-02-25', '310.00'));
  t.match(paid, { status: 'paidOff' });
  t.equal(owedBackIn(paid), '10.00', 'later money pays it, and the rest is owed back');
  t.end();
});

test('a failed refund is owed to the borrower again, and is not a debt', (t) => {
  const ledger = through('2024-02-20', PAID, PAID_OVER, BACK, voided(3, '2024-02-15', 4));
  t.match(ledger, { status: 'paidOff' });
  t.equal(owedBackIn(ledger), '100.00');
  t.equal(owedIn(through('2024-02-20', PAID, PAID_OVER, BACK, voided(2, '2024-02-20', 4), voided(3, '2024-02-20', 5))), '200.00');
  t.end();
});

test('a refund that is owed again joins the balance of an accelerated or charged-off loan', (t) => {
  const order = (type: 'accelerate', sequence: number): LedgerFact => ({ ...factPosition('2024-02-05', sequence), type });
  const accelerated = through('2024-02-20', PAID, order('accelerate', 6), PAID_OVER, BACK, voided(2, '2024-02-20', 4));
  t.match(accelerated, { status: 'accelerated' });
  t.equal(text(accelerated.obligations.at(-1)?.remainingCents ?? 0), '300.00');
  const chargedOff = through(
    '2024-02-20',
    PAID,
    { ...factPosition('2024-02-05', 6), type: 'chargeOff', reason: 'term' },
    PAID_OVER,
    BACK,
    voided(2, '2024-02-20', 4),
  );
  t.equal(text(balancesOf(chargedOff).chargedOff.principalCents), '300.00');
  t.end();
});

function law(name: string, holds: (history: History) => boolean): void {
  test(name, async (t) => {
    t.comment(`seed ${SEED}`);
    fc.assert(fc.property(allHistories, holds), PARAMETERS);
    t.pass('holds');
  });
}

const back = ({ through: today, terms }: History, amountCents: number): LedgerFact => ({
  type: 'reimbursed',
  transaction: 900,
  amountCents: cents(amountCents),
  effective: { day: Math.floor((today + terms.activation) / 2) as Day, seconds: 40_000 },
  sequence: 900,
  recordedDay: today,
});

law('a reimbursement that did not arrive leaves no trace', (history) => {
  const without = computeLedger(history.terms, history.facts, history.through);
  const failed: LedgerFact = { ...back(history, 12_345), ...factPosition('2024-02-20', 901), type: 'paymentVoided', transaction: 900 };
  const taken = computeLedger(history.terms, [...history.facts, back(history, 12_345), failed], history.through);
  return stateDigest(without) === stateDigest(taken) && differences(without, taken).length === 0;
});

law('the borrower owes what has gone back above what was paid over, and is never owed less than nothing', (history) => {
  const ledger = computeLedger(history.terms, [...history.facts, back(history, 50_000)], history.through);
  const { reimbursementCents, reimbursedCents } = ledger.totals;
  return (
    ledger.status === 'canceled' ||
    (reimbursementCents >= reimbursedCents && isNothingLost(ledger) && isNothingNegative(ledger) && areObligationsWhole(ledger))
  );
});
