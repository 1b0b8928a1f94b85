import { test } from 'tap';
import { computeLedger, type LedgerFact, type LedgerSettings, type LedgerTerms, scheduleOf } from '../../../../engine/index.js';
import { figuresIn } from './figures.js';
import { keptTerms, PLAIN_KEEPING } from './kept-loans.js';
import { at, day, loan, money, pay, text } from './loans.js';

/*
 * All figures of loans kept by installment, by hand: 600.00 without interest in six installments of 100.00, due on the 15th from February
 * 2024 on.
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

test('a payment above what is due meets the running installment first, then those that the terms name', async (t) => {
  t.same(after(terms({ excess: 'last' }), '2024-02-01', pay(1, '2024-02-01', '150.00')), [
    'active: nonDuePrincipal 450.00, prepaid 150.00',
    'totals: payments 150.00, paidPrincipal 150.00',
    'payment 1: amount 150.00, principal 150.00',
    '100.00/100.00 100.00/0.00 100.00/0.00 100.00/0.00 100.00/0.00 100.00/50.00',
  ]);
});

test('a credit meets those that the terms name at once, and so did a payment before', async (t) => {
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

test('what had gone back to the borrower and was not paid over is owed in the running installment', async (t) => {
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
