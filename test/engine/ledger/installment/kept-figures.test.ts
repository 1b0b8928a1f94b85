import { test } from 'tap';
import {
  allocationOf,
  constantRate,
  computeLedger,
  type LedgerFact,
  type LedgerSettings,
  type LedgerTerms,
  recordLedger,
  scheduleOf,
} from '../../../../engine/index.js';
import { figuresIn } from './figures.js';
import { keptTerms, PLAIN_KEEPING } from './kept-loans.js';
import { at, day, loan, money, pay, percent, text } from './loans.js';

/*
 * All figures of loans with scheduled interest, by hand: 600.00 without interest in six installments of 100.00, due on the 15th from
 * February 2024 on.
 */
const terms = (keeping: Partial<typeof PLAIN_KEEPING> = {}, settings: Partial<LedgerSettings> = {}): LedgerTerms =>
  keptTerms(loan({ principal: '600.00', rate: '0', activation: '2024-01-15', firstDue: '2024-02-15', rows: 6, settings }), {
    ...PLAIN_KEEPING,
    ...keeping,
  });

const on = (date: string, sequence: number): Pick<LedgerFact, 'effective' | 'sequence' | 'recordedDay'> => ({
  effective: at(date, 60_000),
  sequence,
  recordedDay: day(date),
});

/** The figures, and of each row what it asks for and what of it is paid already. */
const after = (own: LedgerTerms, date: string, ...facts: readonly LedgerFact[]): readonly string[] => {
  const state = computeLedger(own, facts, day(date));
  const rows = scheduleOf(state).map(({ amountCents, prepaidCents }) => `${text(amountCents)}/${text(prepaidCents)}`);
  return [...figuresIn(state), rows.join(' ')];
};

test('a payment above the due amounts pays the running installment first, then those of the terms', async (t) => {
  t.same(after(terms({ excess: 'last' }), '2024-02-01', pay(1, '2024-02-01', '150.00')), [
    'active: nonDuePrincipal 450.00, prepaid 150.00',
    'totals: payments 150.00, paidPrincipal 150.00',
    'payment 1: amount 150.00, principal 150.00',
    '100.00/100.00 100.00/0.00 100.00/0.00 100.00/0.00 100.00/0.00 100.00/50.00',
  ]);
});

test('a credit pays the installments of the terms at once, and so did a payment under earlier rules', async (t) => {
  t.same(after(terms({ creditExcess: 'last' }), '2024-02-01', pay(1, '2024-02-01', '150.00', { kind: 'credit' })), [
    'active: nonDuePrincipal 450.00, prepaid 150.00',
    'totals: credits 150.00, paidPrincipal 150.00',
    'credit 1: amount 150.00, principal 150.00',
    '100.00/0.00 100.00/0.00 100.00/0.00 100.00/0.00 100.00/50.00 100.00/100.00',
  ]);
  t.same(after(terms({ excess: 'last' }, { rules: 2 }), '2024-02-01', pay(1, '2024-02-01', '150.00')), [
    'active: nonDuePrincipal 450.00, prepaid 150.00',
    'totals: payments 150.00, paidPrincipal 150.00',
    'payment 1: amount 150.00, principal 150.00',
    '100.00/0.00 100.00/0.00 100.00/0.00 100.00/0.00 100.00/50.00 100.00/100.00',
  ]);
});

test('a refund that was not overpaid is owed in the running installment', async (t) => {
  const facts: readonly LedgerFact[] = [
    pay(1, '2024-02-01', '400.00'),
    pay(2, '2024-02-10', '300.00'),
    { ...on('2024-02-12', 3), type: 'reimbursed', transaction: 3, amountCents: money('100.00') },
    { ...on('2024-02-20', 4), type: 'paymentVoided', transaction: 2 },
  ];
  t.same(after(terms(), '2024-02-12', ...facts.slice(0, 3)), [
    'paidOff: ',
    'totals: payments 700.00, paidPrincipal 600.00, paidOver 100.00, reimbursement 100.00, reimbursed 100.00',
    'payment 1: amount 400.00, principal 400.00',
    'payment 2: amount 300.00, principal 200.00, over 100.00',
    '',
  ]);
  // 200.00 of the last two rows, and 100.00 more in the first one.
  t.same(after(terms(), '2024-02-20', ...facts), [
    'active: nonDuePrincipal 200.00, overduePrincipal 100.00, prepaid 300.00',
    'totals: payments 400.00, paidPrincipal 400.00, reimbursement 100.00, reimbursed 100.00, owedAgain 100.00',
    'obligation 0 2024-02-15 enforced: amount 200.00, base 200.00, principal 200.00, ' +
      'remaining 100.00, prepaid 100.00, withoutLateFees 100.00',
    'payment 1: amount 400.00, principal 400.00',
    '200.00/100.00 100.00/100.00 100.00/100.00 100.00/100.00 100.00/0.00 100.00/0.00',
  ]);
  // 400.00 raise the first row and leave 200.00 to five; the 100.00 are a charge, which takes its money first.
  t.same(after(terms({ recalculation: { type: 'cumulative', rest: 'daily', isCompounding: false } }), '2024-02-20', ...facts), [
    'active: nonDuePrincipal 200.00, overduePrincipal 100.00',
    'totals: feesCharged 100.00, payments 400.00, paidPrincipal 300.00, paidFees 100.00, reimbursement 100.00, reimbursed 100.00',
    'fee late null overdue of obligation 0: amount 100.00',
    'obligation 0 2024-02-15 enforced: amount 500.00, base 400.00, principal 400.00, fees 100.00, ' +
      'remaining 100.00, prepaid 400.00, withoutLateFees 100.00',
    'payment 1: amount 400.00, principal 400.00',
    '500.00/400.00 40.00/0.00 40.00/0.00 40.00/0.00 40.00/0.00 40.00/0.00',
  ]);
});

const fee = (sequence: number, date: string, amount: string): LedgerFact => ({
  ...on(date, sequence),
  type: 'feeCharged',
  fee: sequence,
  feeTypeId: 'byHand',
  kind: 'otherFee',
  amountCents: money(amount),
  chargeLogic: 'immediate',
});

test('a payment of fees, interest and principal is counted for each of them', async (t) => {
  // A twelfth of 12 % of 600.00 is 6.00. The row of 15 February asks for 12.00, 6.00 and 97.53 of the level of 103.53.
  const facts = [fee(1, '2024-02-01', '12.00'), pay(2, '2024-02-15', '50.00'), pay(3, '2024-02-16', '70.00')];
  const own = { ...terms(), rates: constantRate(percent('0.12')) };
  t.same(after(own, '2024-02-15', ...facts), [
    'active: nonDuePrincipal 502.47, duePrincipal 65.53, nonDueInterest 15.1600000000',
    'totals: interestAccrued 21.1600000000, feesCharged 12.00, payments 50.00, paidPrincipal 32.00, paidInterest 6.00, ' +
      'paidFees 12.00, interestAccruedBeforePeriod 21.1600000000',
    'fee 1 due of obligation 0: amount 12.00',
    'obligation 0 2024-02-15: amount 115.53, base 103.53, principal 97.53, interest 6.00, fees 12.00, ' +
      'unroundedInterest 6.0000000000, remaining 65.53, payments 50.00, withoutLateFees 65.53',
    'payment 2: amount 50.00, principal 32.00, interest 6.00, fees 12.00',
    '115.53/0.00 103.53/0.00 103.53/0.00 103.53/0.00 103.53/0.00 103.51/0.00',
  ]);
  t.same(after(own, '2024-02-16', ...facts), [
    'active: nonDuePrincipal 502.47, nonDueInterest 10.6900000000, prepaid 4.47',
    'totals: interestAccrued 21.1600000000, feesCharged 12.00, payments 120.00, paidPrincipal 97.53, paidInterest 10.47, ' +
      'paidFees 12.00, interestAccruedBeforePeriod 21.1600000000',
    'fee 1 overdue of obligation 0: amount 12.00',
    'obligation 0 2024-02-15 fulfilled enforced: amount 115.53, base 103.53, principal 97.53, interest 6.00, fees 12.00, ' +
      'unroundedInterest 6.0000000000, payments 115.53',
    'payment 2: amount 50.00, principal 32.00, interest 6.00, fees 12.00',
    'payment 3: amount 70.00, principal 65.53, interest 4.47',
    '115.53/0.00 103.53/4.47 103.53/0.00 103.53/0.00 103.53/0.00 103.51/0.00',
  ]);
});

test('an overpaid cent pays a cent that is charged later, also with daily interest', async (t) => {
  const facts = [pay(1, '2024-02-01', '600.01'), fee(2, '2024-02-05', '0.01')];
  const byDay = loan({ principal: '600.00', rate: '0', activation: '2024-01-15', firstDue: '2024-02-15', rows: 6 });
  t.same(after(terms(), '2024-02-01', ...facts), [
    'paidOff: ',
    'totals: payments 600.01, paidPrincipal 600.00, paidOver 0.01, reimbursement 0.01',
    'payment 1: amount 600.01, principal 600.00, over 0.01',
    '',
  ]);
  t.same(after(terms(), '2024-02-05', ...facts), [
    'paidOff: prepaid 600.01',
    'totals: feesCharged 0.01, payments 600.01, paidPrincipal 600.00, paidFees 0.01',
    'fee 2 nonDue by itself: amount 0.01',
    'payment 1: amount 600.01, principal 600.00, fees 0.01',
    '',
  ]);
  t.same(after(byDay, '2024-02-05', ...facts), [
    'paidOff: unassigned 500.00',
    'totals: feesCharged 0.01, payments 600.01, paidPrincipal 600.00, paidFees 0.01',
    'fee 2 due by itself: amount 0.01',
    'payment 1: amount 600.01, principal 600.00, fees 0.01',
    '',
  ]);
  const chargesMet = (own: LedgerTerms): readonly string[] =>
    allocationOf(recordLedger(own, facts, day('2024-02-05')), 1)
      .filter(({ bucket }) => !bucket.endsWith('Principal'))
      .map(({ bucket, amountCents }) => `${bucket} ${text(amountCents)}`);
  t.same([chargesMet(terms()), chargesMet(byDay)], [['nonDueFees 0.01'], ['dueFees 0.01']], 'and nothing is paid over any more');
});
