import { test } from 'tap';
import { computeLedger, obligationsOf, overdueOf } from '../../../../engine/index.js';
import { keptTerms, PLAIN_KEEPING } from './kept-loans.js';
import { day, LATE_FEE, loan, pay, SMALL_LOAN, text } from './loans.js';

/**
 * Twelve installments of 100.00 without interest, from 2024-02-15 on; overpayments pay the last one. Late fees of 10.00 are charged
 * after 32 days.
 */
const terms = keptTerms(loan({ ...SMALL_LOAN, rate: '0', settings: { lateFees: [{ ...LATE_FEE, triggerDays: 32 }] } }), {
  ...PLAIN_KEEPING,
  excess: 'last',
  creditExcess: 'last',
});

const DUE = ['03', '04', '05', '06', '07', '08', '09', '10', '11'].map((month) => `2024-${month}-15`);

test('a paid installment that a late fee reopens on its enforcement day becomes overdue with the next daily job', async (t) => {
  // The first and the twelfth are paid ahead, the eleventh never: its late fee comes on 2025-01-16, and the last installment carries it.
  const facts = [pay(1, '2024-01-20', '200.00'), ...DUE.map((date, at) => pay(2 + at, date, '100.00'))];
  const on = (date: string): readonly unknown[] => {
    const state = computeLedger(terms, facts, day(date));
    const last = obligationsOf(state).at(-1);
    return [last?.isFulfilled, last?.isOverdue, text(overdueOf(state).overdueCents)];
  };
  t.same(on('2025-01-15'), [true, false, '100.00']);
  t.same(on('2025-01-16'), [false, false, '100.00']);
  t.same(on('2025-01-17'), [false, true, '110.00']);
});
