import { test } from 'tap';
import { accruedOf, computeLedger, type LedgerTerms, MAX_CENTS, RATE_ZERO, type Rate } from '../../../../engine/index.js';
import { day, loan, money, percent } from './loans.js';

/*
 * The largest possible amount, lent without interest instead of 100 % a year: a night saves the borrower a 365th of it, and a year
 * of 365 nights all of it.
 */
const CENT = 160_308_000_000_000n;
const LARGEST = BigInt(MAX_CENTS) * CENT;

const lent = (gross: Rate, net: Rate): LedgerTerms => ({
  ...loan({ principal: '1000.00', rate: '0', activation: '2024-01-20', firstDue: '2030-01-20', rows: 1 }),
  principalCents: money('9999999999999.99'),
  rates: { segments: [{ from: day('2020-01-01'), until: day('2050-01-01'), gross, net }] },
});

/** Accrued and saved interest, as shares of the principal. */
const afterNights = (terms: LedgerTerms, date: string): readonly bigint[] => {
  const { interestAccrued, interestDiscount } = computeLedger(terms, [], day(date)).totals;
  return [accruedOf(interestAccrued), accruedOf(interestDiscount)];
};

test('the discount of promos stops at the largest amount', async (t) => {
  const free = lent(percent('1'), RATE_ZERO);
  t.same(afterNights(free, '2024-01-20'), [0n, 0n]);
  t.same(afterNights(free, '2025-01-18'), [0n, (LARGEST * 364n) / 365n]);
  t.same(afterNights(free, '2025-01-19'), [0n, LARGEST]);
  t.same(afterNights(free, '2025-01-20'), [0n, LARGEST]);
});

test('so does interest without promos', async (t) => {
  const whole = lent(percent('1'), percent('1'));
  t.same(afterNights(whole, '2025-01-18'), [(LARGEST * 364n) / 365n, 0n]);
  t.same(afterNights(whole, '2025-01-19'), [LARGEST, 0n]);
  t.same(afterNights(whole, '2025-01-20'), [LARGEST, 0n]);
});
