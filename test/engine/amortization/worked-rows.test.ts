import { test } from 'tap';
import { amortize, type AmortizationInput, type Cents, constantRate, formatCents, type Schedule } from '../../../engine/index.js';
import { centsFrom, dayFrom, rateFrom } from '../numbers.js';

/* 1,000.00 at 0.1 % a night, so that ten nights on all of it bear 10.00. Rows ten nights apart. */
const LOAN: AmortizationInput = {
  start: dayFrom('2024-01-01'),
  principalCents: centsFrom('1000'),
  dueDates: ['2024-01-11', '2024-01-21', '2024-01-31', '2024-02-10'].map(dayFrom),
  payment: { type: 'level' },
  rates: constantRate(rateFrom('0.365')),
  dayCount: 'daily365',
};

/** Of each row: the amount, interest, principal and fees. */
const rowsOf = ({ rows }: Schedule): readonly string[] =>
  rows.map(({ amountCents, interestCents, principalCents, feeCents }) =>
    [amountCents, interestCents, principalCents, feeCents].map(formatCents).join(' '),
  );

test('an interest-only row includes the rest of an earlier row, also if a cap on interest changes the level', async (t) => {
  const capped = amortize({ ...LOAN, rowTerms: [{ type: 'skipped' }, { type: 'interestOnly' }], totalInterestCapCents: centsFrom('25') });
  // 25.00 are reached five nights after the second row: 1,005.00 in two rows.
  t.same(rowsOf(capped), ['0.00 0.00 0.00 0.00', '20.00 20.00 0.00 0.00', '502.50 5.00 497.50 0.00', '502.50 0.00 502.50 0.00']);
});

test('a fee of one cent is charged, in addition to the rows or in each of them', async (t) => {
  const free = { ...LOAN, rates: constantRate(rateFrom('0')) };
  const withFees = (originationCents: string, perRowCents: string, originationLogic: 'spread' | 'firstPayment' | 'separate'): Schedule =>
    amortize({ ...free, fees: { originationCents: centsFrom(originationCents), perRowCents: centsFrom(perRowCents), originationLogic } });
  const plain = '250.00 0.00 250.00 0.00';
  const more = '250.01 0.00 250.00 0.01';
  t.same(rowsOf(withFees('0.01', '0', 'spread')), [plain, plain, plain, more]);
  t.same(rowsOf(withFees('0.01', '0', 'firstPayment')), [more, plain, plain, plain]);
  t.same(rowsOf(withFees('0', '0.01', 'spread')), [more, more, more, more]);
  const separate = withFees('0.01', '0', 'separate');
  t.same([...rowsOf(separate), formatCents(separate.separateFeeCents)], [plain, plain, plain, plain, '0.01']);
});

/** Of each row: the amount, what was paid of it in advance, what it brings to interest and principal, and what is left then. */
const aheadIn = (input: Partial<AmortizationInput>, ahead: readonly [string, string, string, string]): readonly string[] => {
  const [leftCents, feeShareCents, feeAskedCents, feeOpenCents] = ahead.map(centsFrom) as [Cents, Cents, Cents, Cents];
  const prepaid = { leftCents, feeShareCents, feeAskedCents, feeOpenCents };
  const { rows } = amortize({ ...LOAN, rates: constantRate(rateFrom('0')), prepaid, ...input });
  return rows.map(({ amountCents, prepaidCents, interestCents, principalCents, remainingPrincipalCents }) =>
    [amountCents, prepaidCents, interestCents, principalCents, remainingPrincipalCents].map(formatCents).join(' '),
  );
};

test('money in advance is for the oldest rows, and the level includes it', async (t) => {
  // 1,000.00 are left and 300.00 have been paid for rows to come: four rows of 325.00.
  t.same(aheadIn({}, ['300', '0', '0', '0']), [
    '325.00 300.00 0.00 25.00 975.00',
    '325.00 0.00 0.00 325.00 650.00',
    '325.00 0.00 0.00 325.00 325.00',
    '325.00 0.00 0.00 325.00 0.00',
  ]);
  // A share of 10.00 of the fee comes with each row.
  t.same(aheadIn({}, ['300', '10', '40', '40']), [
    '325.00 300.00 0.00 25.00 975.00',
    '325.00 0.00 0.00 325.00 650.00',
    '325.00 0.00 0.00 325.00 325.00',
    '325.00 0.00 0.00 325.00 0.00',
  ]);
  // The fee has been paid already: what its shares bring is for principal, and the rows ask for 40.00 less; the last one brings all that
  // is left.
  t.same(aheadIn({}, ['300', '10', '40', '0']), [
    '315.00 300.00 0.00 25.00 975.00',
    '315.00 0.00 0.00 325.00 650.00',
    '315.00 0.00 0.00 325.00 325.00',
    '325.00 0.00 0.00 325.00 0.00',
  ]);
});

test('the last row pays the rest, and its amount above that was paid in advance', async (t) => {
  const one = [dayFrom('2024-01-11')];
  const fixed = (amount: string): Partial<AmortizationInput> => ({
    dueDates: one,
    payment: { type: 'fixed', amountCents: centsFrom(amount) },
  });
  t.same(aheadIn({ dueDates: one }, ['300', '0', '0', '0']), ['1300.00 300.00 0.00 1000.00 0.00']);
  t.same(aheadIn(fixed('1100'), ['300', '0', '0', '0']), ['1100.00 100.00 0.00 1000.00 0.00']);
  t.same(aheadIn(fixed('900'), ['300', '0', '0', '0']), ['1000.00 0.00 0.00 1000.00 0.00']);
});
