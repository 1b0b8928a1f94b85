import { test } from 'tap';
import { computeLedger, type LedgerFact, obligationsOf, overdueOf } from '../../../engine/index.js';
import { keptTerms } from './kept-loans.js';
import { at, day, loan, money, pay, SMALL_LOAN, text } from './loans.js';

/** Twelve instalments of 100.00 without interest, from 2024-02-15 on; what is paid above them pays the last one. */
const terms = keptTerms(loan({ ...SMALL_LOAN, rate: '0' }), {
  interest: { type: 'periodic', periodsPerYear: 12, firstPeriodYear: null },
  principal: { type: 'level', solvedOver: 'schedule' },
  interestOnlyCount: 0,
  rounding: { interest: 'halfUp', amount: 'halfUp', multipleCents: 1 },
  recalculation: { type: 'none' },
  downPayment: null,
  allocation: { pastDue: ['penalties', 'fees', 'interest', 'principal'], due: ['penalties', 'fees', 'interest', 'principal'], inAdvance: ['penalties', 'fees', 'interest', 'principal'] },
  excess: 'last',
  creditExcess: 'last',
  chargebackOrder: null,
  newRateCountsFrom: 'day',
  payoffInterest: 'toDate',
});

const fee = (sequence: number, date: string, amount: string): LedgerFact => ({
  type: 'feeCharged', fee: sequence, feeTypeId: 'byHand', kind: 'otherFee', amountCents: money(amount), chargeLogic: 'nextDueDate', effective: at(date), sequence, recordedDay: day(date),
});

test('a paid instalment that a fee opens again becomes overdue with the next daily job', async (t) => {
  const facts = [pay(1, '2024-01-20', '100.00'), fee(2, '2025-01-20', '12.00')];
  const overdueOn = (date: string): string => text(overdueOf(computeLedger(terms, facts, day(date))).overdueCents);
  const lastOn = (date: string): object | undefined => obligationsOf(computeLedger(terms, facts, day(date))).at(-1);
  t.match(lastOn('2025-01-19'), { isFulfilled: true });
  t.equal(overdueOn('2025-01-19'), '1100.00');
  t.match(lastOn('2025-01-20'), { isFulfilled: false, isOverdue: false });
  t.equal(overdueOn('2025-01-20'), '1100.00');
  t.match(lastOn('2025-01-21'), { isFulfilled: false, isOverdue: true });
  t.equal(overdueOn('2025-01-21'), '1112.00');
});
