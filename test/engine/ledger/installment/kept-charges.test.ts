import { test } from 'tap';
import { computeLedger, type ScheduledKeeping, type LedgerFact, type LedgerState, type Part } from '../../../../engine/index.js';
import { keptTerms, PLAIN_KEEPING } from './kept-loans.js';
import { at, day, LATE_FEE, loan, money, pay, SMALL_LOAN, text } from './loans.js';

/** Twelve installments of 100.00 without interest, from 2024-02-15 on; a late fee of 10.00 fifteen days after a due date. */
const kept = (order: readonly Part[], more: Partial<ScheduledKeeping> = {}, smallBalance = '0.00') =>
  keptTerms(loan({ ...SMALL_LOAN, rate: '0', settings: { lateFees: [LATE_FEE], smallBalanceCents: money(smallBalance) } }), {
    ...PLAIN_KEEPING,
    allocation: { pastDue: order, due: order, inAdvance: order },
    ...more,
  });

const fee = (sequence: number, date: string, kind: 'otherFee' | 'modificationFee' = 'otherFee'): LedgerFact => ({
  type: 'feeCharged',
  fee: sequence,
  feeTypeId: 'byHand',
  kind,
  amountCents: money('12.00'),
  chargeLogic: 'nextDueDate',
  effective: at(date),
  sequence,
  recordedDay: day(date),
});

const back = (sequence: number, transaction: number, date: string, amount: string): LedgerFact => ({
  type: 'paymentChargedBack',
  chargeback: sequence,
  transaction,
  amountCents: money(amount),
  effective: at(date, 60_000),
  sequence,
  recordedDay: day(date),
});

/** What is open of each fee, by its kind. */
const openFees = ({ fees }: LedgerState): readonly string[] =>
  fees.filter(({ isCanceled }) => !isCanceled).map(({ kind, openCents }) => `${kind} ${text(openCents)}`);

test('late fees are penalties and other fees are fees: money pays them in the order of the loan', async (t) => {
  // The late fee of the first installment is booked on 1 March, and both charges join the installment of 15 March.
  const facts = (amount: string): readonly LedgerFact[] => [fee(1, '2024-03-02'), pay(2, '2024-03-20', amount)];
  const open = (order: readonly Part[], amount: string): readonly string[] =>
    openFees(computeLedger(kept(order), facts(amount), day('2024-03-20')));
  const penaltiesFirst: readonly Part[] = ['penalties', 'fees', 'interest', 'principal'];
  t.same(open(penaltiesFirst, '100.00'), ['lateFee 10.00', 'otherFee 12.00'], 'the oldest installment first');
  t.same(open(penaltiesFirst, '104.00'), ['lateFee 6.00', 'otherFee 12.00']);
  t.same(open(penaltiesFirst, '113.00'), ['lateFee 0.00', 'otherFee 9.00']);
  const feesFirst: readonly Part[] = ['fees', 'penalties', 'interest', 'principal'];
  t.same(open(feesFirst, '104.00'), ['lateFee 10.00', 'otherFee 8.00']);
  t.same(open(feesFirst, '113.00'), ['lateFee 9.00', 'otherFee 0.00']);
  t.same(open(feesFirst, '122.00'), ['lateFee 0.00', 'otherFee 0.00']);
});

test('what an installment would lack without late fees is separate from what it lacks', async (t) => {
  const terms = kept(['principal', 'interest', 'fees', 'penalties']);
  const second = (amount: string) =>
    computeLedger(terms, [fee(1, '2024-03-02'), pay(2, '2024-03-14', amount)], day('2024-03-15')).obligations[1];
  t.match(second('100.00'), { amountCents: 12_200, remainingCents: 12_200, withoutLateFeesCents: 11_200, feesCents: 2_200 });
  t.match(second('205.00'), { remainingCents: 1_700, withoutLateFeesCents: 700 });
  t.match(second('212.00'), { remainingCents: 1_000, withoutLateFeesCents: 0 }, 'only the late fee is left');
});

test('two fees of one installment are paid one after the other, and a waived fee is not a charge', async (t) => {
  const terms = kept(['fees', 'penalties', 'interest', 'principal']);
  const facts = [fee(1, '2024-02-01'), fee(2, '2024-02-02'), fee(3, '2024-02-03', 'modificationFee'), pay(4, '2024-02-15', '20.00')];
  t.same(openFees(computeLedger(terms, facts, day('2024-02-15'))), ['otherFee 0.00', 'otherFee 4.00', 'modificationFee 12.00']);
  const waived: LedgerFact = {
    type: 'feeCanceled',
    fee: { type: 'charged', fee: 1 },
    effective: at('2024-02-16'),
    sequence: 5,
    recordedDay: day('2024-02-16'),
  };
  const state = computeLedger(terms, [...facts, waived], day('2024-02-16'));
  t.same(openFees(state), ['otherFee 0.00', 'modificationFee 4.00']);
  t.match(
    state.fees.find(({ fee: name }) => name === 1),
    { isCanceled: true, openCents: 0 },
  );
  t.equal(text(state.openFeesCents), '4.00');
});

test('a fee has the due status of its installment: not due, due on its date, overdue from the day after', async (t) => {
  const on = (date: string) => {
    const { dueStatus, dueDay, carriedBy } =
      computeLedger(kept(PLAIN_KEEPING.allocation.due), [fee(1, '2024-02-01')], day(date)).fees[0] ?? {};
    return [dueStatus, dueDay, carriedBy];
  };
  t.same(on('2024-02-14'), ['nonDue', null, null]);
  t.same(on('2024-02-15'), ['due', day('2024-02-15'), 0]);
  t.same(on('2024-02-16'), ['overdue', day('2024-02-15'), 0]);
});

test('a forgiven amount is not a payment: a chargeback takes back the payment that it names', async (t) => {
  const terms = kept(PLAIN_KEEPING.allocation.due, { chargebackOrder: ['fees', 'penalties', 'interest', 'principal'] }, '5.00');
  // 3.00 are forgiven; a fee opens the loan again, and the second payment meets that alone.
  const facts = [pay(1, '2024-02-01', '1197.00'), fee(2, '2024-02-10'), pay(3, '2024-02-11', '12.00')];
  const paid = computeLedger(terms, facts, day('2024-02-11'));
  t.same([paid.status, text(paid.totals.creditsCents), text(paid.totals.paymentsCents)], ['paidOff', '3.00', '1209.00']);
  const state = computeLedger(terms, [...facts, back(4, 3, '2024-02-12', '12.00')], day('2024-02-12'));
  t.match(state.payments.at(1), { transaction: 3, chargedBack: { feesCents: 1_200, principalCents: 0, overCents: 0 } });
  t.same([state.status, text(state.totals.paidFeesCents), text(state.totals.paymentsCents)], ['active', '0.00', '1197.00']);
  t.same(openFees(state).at(-1), 'otherFee 12.00');
  t.equal(text(state.totals.paidPrincipalCents), '1200.00', 'with the 3.00 that were forgiven');
});

test('a chargeback of a credit lowers the credits and owes nothing back', async (t) => {
  const terms = kept(PLAIN_KEEPING.allocation.due, { chargebackOrder: ['fees', 'penalties', 'interest', 'principal'] });
  const credit = pay(1, '2024-02-15', '100.00', { kind: 'credit' });
  const state = computeLedger(terms, [credit, back(2, 1, '2024-02-20', '30.00')], day('2024-02-20'));
  t.same(
    [text(state.totals.creditsCents), text(state.totals.paymentsCents), text(state.totals.reimbursementCents)],
    ['70.00', '0.00', '0.00'],
  );
});

test('a late fee that was charged back is a penalty again, and a fee a fee', async (t) => {
  const terms = kept(['penalties', 'fees', 'interest', 'principal'], { chargebackOrder: ['penalties', 'fees', 'interest', 'principal'] });
  const facts = [fee(1, '2024-03-02'), pay(2, '2024-03-16', '222.00')];
  const revived = (amount: string): readonly string[] =>
    computeLedger(terms, [...facts, back(3, 2, '2024-03-18', amount)], day('2024-03-18'))
      .fees.filter(({ feeTypeId }) => feeTypeId === 'chargedBack')
      .map(({ kind, openCents }) => `${kind} ${text(openCents)}`);
  t.same(revived('7.00'), ['lateFee 7.00']);
  t.same(revived('15.00'), ['lateFee 10.00', 'otherFee 5.00']);
  const state = computeLedger(terms, [...facts, back(3, 2, '2024-03-18', '15.00')], day('2024-03-18'));
  t.equal(text(state.totals.paidFeesCents), '7.00');
  t.match(state.payments.at(0), { feesCents: 2_200, principalCents: 20_000 }, 'the published allocation of the payment does not change');
});
