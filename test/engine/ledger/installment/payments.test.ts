import { test } from 'tap';
import {
  accruedOf,
  allocationOf,
  balancesOf,
  computeLedger,
  DEFAULT_PAYMENT_WATERFALL,
  formatAccrued,
  type LedgerFact,
  obligationsOf,
  overdueOf,
  payoffOf,
  recordLedger,
  scheduleOf,
} from '../../../../engine/index.js';
import { at, day, loan, pay, SMALL_LOAN, text } from './loans.js';

const terms = loan(SMALL_LOAN);

test('money above the due amounts pays the open obligation; the rest lowers principal now, and the term becomes shorter', async (t) => {
  const ledger = computeLedger(terms, [pay(1, '2024-02-15', '609.76')], day('2024-03-15'));
  t.equal(text(obligationsOf(ledger)[1]?.obligationCents ?? 0), '109.76');
  t.equal(text(obligationsOf(ledger)[1]?.overpaymentsCents ?? 1), '109.76');
  t.equal(text(obligationsOf(ledger)[1]?.unassignedCents ?? 0), '390.24');
  const rows = scheduleOf(ledger);
  t.ok(rows.length < 12, `${rows.length} rows`);
  t.equal(text(rows.slice(0, -1).reduce((most, row) => Math.max(most, row.amountCents), 0)), '109.76');
  t.ok((rows.at(-1)?.amountCents ?? 0) < 10_976);
});

test('money paid in advance fulfils the coming obligations', async (t) => {
  const prepaid = [pay(1, '2024-02-15', '329.28', { prepay: true })];
  const ledger = computeLedger(terms, prepaid, day('2024-04-14'));
  const [first, second, third] = obligationsOf(ledger);
  t.equal(text(first?.paymentsCents ?? 0), '109.76');
  t.match(second, { isFulfilled: true, isOpen: false, overpaymentsCents: 10_976, paymentsCents: 0 });
  t.match(third, { isFulfilled: true, isOpen: true, overpaymentsCents: 10_976 });
  t.match(overdueOf(ledger), { nextDueDate: day('2024-05-15'), nextDueCents: 10_976 });
  const more = computeLedger(terms, [pay(1, '2024-02-15', '339.28', { prepay: true })], day('2024-04-14'));
  t.match(overdueOf(more), { nextDueDate: day('2024-05-15'), nextDueCents: 9_976 });
  t.equal(overdueOf(computeLedger(terms, prepaid, day('2024-04-16'))).isOverdue, false);
  t.equal(overdueOf(computeLedger(terms, prepaid, day('2024-05-16'))).daysOverdue, 1);
});

test('money that covers half of the next obligation in advance leaves the other half', async (t) => {
  const ledger = computeLedger(terms, [pay(1, '2024-02-15', '159.76', { prepay: true })], day('2024-03-15'));
  const second = obligationsOf(ledger)[1];
  t.match(second, { obligationCents: 10_976, overpaymentsCents: 5_000, remainingCents: 5_976 });
  t.equal(text(balancesOf(ledger).due.totalCents), '59.76');
});

test('a partial payment does not reset the count; the oldest obligation decides', async (t) => {
  const one = computeLedger(terms, [pay(1, '2024-03-20', '50.00')], day('2024-03-25'));
  t.match(overdueOf(one), { isOverdue: true, daysOverdue: 39, overdueCents: 16_952 });
  const two = computeLedger(terms, [pay(1, '2024-03-20', '109.76')], day('2024-03-25'));
  t.match(overdueOf(two), { isOverdue: true, daysOverdue: 10, overdueCents: 10_976 });
});

test('a payment in the middle of a period pays accrued interest in whole cents only', async (t) => {
  const ledger = recordLedger(terms, [pay(1, '2024-01-30', '100.00')], day('2024-01-30'));
  t.equal(formatAccrued(balancesOf(computeLedger(terms, [], day('2024-01-30'))).nonDue.unroundedInterest), '5.9178082192');
  t.same(
    allocationOf(ledger, 1).map((row) => [row.bucket, row.obligation, text(row.amountCents)]),
    [
      ['nonDueInterest', null, '5.91'],
      ['nonDuePrincipal', null, '94.09'],
    ],
  );
  t.equal(formatAccrued(balancesOf(ledger.state).nonDue.unroundedInterest), '0.0078082192');
});

test('an allocation names the bucket and the obligation', async (t) => {
  const ledger = recordLedger(terms, [pay(1, '2024-03-20', '150.00')], day('2024-03-20'));
  t.same(
    allocationOf(ledger, 1).map((row) => [row.bucket, row.obligation, text(row.amountCents)]),
    [
      ['overdueInterest', 0, '32.55'],
      ['overduePrincipal', 0, '77.21'],
      ['overduePrincipal', 1, '40.24'],
    ],
  );
});

test('the payoff amount leaves nothing on either side; the fraction of a cent is forgone', async (t) => {
  const facts = [pay(1, '2024-02-15', '109.76')];
  const ledger = computeLedger(terms, facts, day('2024-03-01'));
  const payoff = payoffOf(ledger, day('2024-03-06'));
  t.equal(text(payoff.principalCents), '1105.63');
  // 20 nights of 0.5452421918.
  t.equal(text(payoff.interestCents), '10.90');
  const paid = computeLedger(terms, [...facts, pay(2, '2024-03-06', text(payoff.payoffCents))], day('2024-03-06'));
  t.equal(paid.status, 'paidOff');
  t.equal(balancesOf(paid).outstanding.totalCents, 0);
  t.equal(balancesOf(paid).outstanding.unroundedInterest, 0n);
  t.equal(balancesOf(paid).paid.overCents, 0);
  t.equal(scheduleOf(paid).at(-1)?.date, day('2024-02-15'));
});

test('a loan activated and paid on the same day bears no interest', async (t) => {
  const paid = computeLedger(terms, [pay(1, '2024-01-20', '1200.00')], day('2024-01-21'));
  t.equal(paid.status, 'paidOff');
  t.equal(accruedOf(paid.totals.interestAccrued), 0n);
});

test('money above the balance is owed to the borrower, and the loan is paid off once nothing is in processing', async (t) => {
  const payment = pay(1, '2024-01-30', '1300.00', { isProcessing: true });
  const waiting = computeLedger(terms, [payment], day('2024-03-20'));
  t.equal(waiting.status, 'active');
  t.equal(overdueOf(waiting).isOverdue, false);
  t.equal(text(balancesOf(waiting).paid.reimbursementCents), '94.09');
  const settled: LedgerFact = {
    type: 'paymentSettled',
    transaction: 1,
    effective: at('2024-02-02'),
    sequence: 2,
    recordedDay: day('2024-02-02'),
  };
  const done = computeLedger(terms, [payment, settled], day('2024-03-20'));
  t.match({ status: done.status, statusSince: done.statusSince }, { status: 'paidOff', statusSince: day('2024-02-02') });
});

test('a payment that pays off and then fails reopens the loan without a trace', async (t) => {
  const facts: LedgerFact[] = [pay(1, '2024-01-30', '1300.00')];
  const failed: LedgerFact = {
    type: 'paymentVoided',
    transaction: 1,
    effective: at('2024-02-05'),
    sequence: 2,
    recordedDay: day('2024-02-05'),
  };
  const ledger = computeLedger(terms, [...facts, failed], day('2024-02-16'));
  t.equal(ledger.status, 'active');
  t.equal(overdueOf(ledger).daysOverdue, 1);
  t.equal(text(balancesOf(ledger).outstanding.principalCents), '1200.00');
});

test('a credit follows its own waterfall, and its rest lowers nothing', async (t) => {
  const settings = { creditWaterfall: DEFAULT_PAYMENT_WATERFALL.filter((bucket) => !bucket.endsWith('Principal')) };
  const ledger = computeLedger(loan({ ...SMALL_LOAN, settings }), [pay(1, '2024-02-20', '20.00', { kind: 'credit' })], day('2024-02-20'));
  t.match(ledger.payments.at(0), { interestCents: 1_539 + 295, principalCents: 0, overCents: 166 });
  t.match(obligationsOf(ledger)[0], { serviceCreditsCents: 1_539 + 295, paymentsCents: 0 }, 'the oldest obligation counts all of it');
  t.equal(balancesOf(ledger).paid.reimbursementCents, 0);
});

test('late payments: the last row takes everything, and later interest falls due on the next date', async (t) => {
  const ledger = computeLedger(terms, [], day('2025-01-15'));
  t.equal(balancesOf(ledger).nonDue.totalCents, 0);
  const paidLate = computeLedger(terms, [pay(1, '2025-02-01', text(balancesOf(ledger).outstanding.totalCents))], day('2025-02-01'));
  t.equal(overdueOf(paidLate).isOverdue, false);
  const left = balancesOf(paidLate).nonDue.interestCents;
  t.ok(left > 0, 'interest of the days after the last due date is left');
  t.equal(overdueOf(paidLate).nextDueDate, day('2025-02-15'));
  t.equal(
    obligationsOf(computeLedger(terms, [pay(1, '2025-02-01', text(balancesOf(ledger).outstanding.totalCents))], day('2025-02-15'))).at(-1)
      ?.remainingCents,
    left,
  );
});

test('an origination fee by its three options', async (t) => {
  const fee = (logic: 'firstPayment' | 'spread' | 'separate'): ReturnType<typeof computeLedger> =>
    computeLedger(loan({ ...SMALL_LOAN, originationFee: { amountCents: 10_000 as never, logic } }), [], day('2025-01-15'));
  const feesOf = (logic: 'firstPayment' | 'spread' | 'separate'): string[] => scheduleOf(fee(logic)).map((row) => text(row.feesCents));
  t.same(feesOf('firstPayment'), ['100.00', ...Array(11).fill('0.00')]);
  t.same(feesOf('spread'), [...Array(11).fill('8.33'), '8.37']);
  t.same(feesOf('separate'), ['100.00', ...Array(11).fill('0.00')]);
  const atOnce = computeLedger(
    loan({ ...SMALL_LOAN, originationFee: { amountCents: 10_000 as never, logic: 'separate' } }),
    [],
    day('2024-01-20'),
  );
  t.equal(text(balancesOf(atOnce).due.originationFeesCents), '100.00');
});
