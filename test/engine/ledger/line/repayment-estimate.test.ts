import { test } from 'tap';
import {
  type Cents,
  cents,
  constantRate,
  MAX_CENTS,
  rate,
  RATE_ONE,
  rateTimeline,
  type RepaidBalance,
  repaidByMinimum,
  type RepaidLine,
  threeYearPaymentCents,
  ZERO,
} from '../../../../engine/index.js';
import fc from '../../../fast-check.js';
import { day, money, percent } from '../installment/loans.js';

const DAY = day('2026-03-25');

interface Terms {
  readonly percentage: string;
  readonly min: string;
}

/** A balance of principal at one rate, which is 18% unless it says otherwise. */
const balance = (principal: string, { percentage, min }: Terms, shape: Partial<RepaidBalance> = {}): RepaidBalance => ({
  principalCents: money(principal),
  interestCents: 0,
  feesCents: 0,
  waitingFeesCents: 0,
  rates: constantRate(percent('0.18')),
  repayment: {
    type: 'minimum',
    terms: { percentageOfPrincipal: percent(percentage), minCents: money(min), isOverLimitIncluded: false },
  },
  ...shape,
});

const lineOf = (balances: readonly RepaidBalance[], shape: Partial<RepaidLine> = {}): RepaidLine => ({
  day: DAY,
  periodsPerYear: 12,
  accrualMethod: 'simple',
  balances,
  lineFeesCents: 0,
  lineMinCents: ZERO,
  isInterestInMinimum: true,
  areFeesInMinimum: true,
  ...shape,
});

/** Interest on the whole balance and a minimum without interest, as the published calculations have them. */
const PUBLISHED: Partial<RepaidLine> = { accrualMethod: 'compound', isInterestInMinimum: false };

const at = (annual: string): Pick<RepaidBalance, 'rates'> => ({ rates: constantRate(percent(annual)) });

test('the months are those of the warning in 15 U.S.C. 1637(b)(11) as of 2005', (t) => {
  const large = lineOf([balance('1000.00', { percentage: '0.02', min: '20.00' }, at('0.17'))], PUBLISHED);
  t.equal(repaidByMinimum(large)?.periods, 88, '2% of 1,000.00 at 17%');
  const small = lineOf([balance('300.00', { percentage: '0.05', min: '15.00' }, at('0.17'))], PUBLISHED);
  t.equal(repaidByMinimum(small)?.periods, 24, '5% of 300.00 at 17%');
  t.end();
});

test('the payment for three years is that of the calculation in Appendix M2', (t) => {
  const terms = { percentage: '0.02', min: '20.00' };
  const promo = { from: DAY, until: day('2026-09-20'), rate: percent('0.17') };
  const rates = rateTimeline({ interest: [{ type: 'absolute', from: DAY, until: null, rate: percent('0.17') }], promos: [promo] });
  const line = lineOf([balance('500.00', terms, { rates }), balance('250.00', terms, at('0.17')), balance('250.00', terms, at('0.21'))]);
  // Six of 36 months at zero: the weighted monthly rate, and the annuity, in doubles.
  const monthly = (500 * (30 / 36) * 0.17 + 250 * 0.17 + 250 * 0.21) / 1000 / 12;
  t.equal(Math.round((1000 * monthly * 100) / (1 - (1 + monthly) ** -36)), 3_545);
  t.equal(threeYearPaymentCents(line), 3_545);
  t.equal(threeYearPaymentCents(lineOf([balance('360.00', terms, at('0'))])), 1_000, 'without interest');
  t.end();
});

test('each period pays what its statement asks for; the last one pays its own interest, too', (t) => {
  const terms = { percentage: '0.05', min: '40.00' };
  const repaid = repaidByMinimum(lineOf([balance('100.00', terms)]));
  // Principal 100.00, 60.00, 21.50; interest 1.50, 0.90, 0.32.
  t.same(repaid, { periods: 3, paidCents: money('102.72') });
  const twice = repaidByMinimum(lineOf([balance('100.00', terms), balance('100.00', terms)]));
  t.same(twice, { periods: 3, paidCents: money('205.44') });
  const fees = { feesCents: money('10.00'), waitingFeesCents: money('7.00') };
  // 40.00 pays the fees and 30.00 of principal; the fees that wait come with the last payment.
  t.same(repaidByMinimum(lineOf([balance('60.00', terms, { ...at('0'), ...fees })])), { periods: 2, paidCents: money('77.00') });
  t.same(repaidByMinimum(lineOf([balance('80.00', terms, at('0'))], { lineFeesCents: money('3.00') })), {
    periods: 2,
    paidCents: money('83.00'),
  });
  t.end();
});

test('a rate that ends is followed by the one behind it', (t) => {
  const terms = { percentage: '0.03', min: '30.00' };
  const interest = [{ type: 'absolute' as const, from: DAY, until: null, rate: percent('0.24') }];
  const until = (last: string): RepaidLine =>
    lineOf([
      balance('1000.00', terms, { rates: rateTimeline({ interest, promos: [{ from: DAY, until: day(last), rate: percent('0.24') }] }) }),
    ]);
  const paid = (line: RepaidLine): number => repaidByMinimum(line)?.paidCents ?? 0;
  t.equal(paid(until('2046-03-25')), money('1000.00'), 'no interest at all');
  t.ok(paid(until('2026-09-25')) > paid(until('2027-03-25')));
  t.ok(paid(lineOf([balance('1000.00', terms, at('0.24'))])) > paid(until('2026-09-25')));
  t.end();
});

test('the floor of the line is divided over the balances in their order', (t) => {
  const terms = { percentage: '0.05', min: '0.00' };
  const balances = [balance('100.00', terms, at('0')), balance('300.00', terms, at('0'))];
  t.same(repaidByMinimum(lineOf(balances, { lineMinCents: money('100.00') })), { periods: 4, paidCents: money('400.00') });
  t.end();
});

test('a balance with a schedule is paid by it; the last row takes what is left', (t) => {
  const repayment = { type: 'rows' as const, amountsCents: [money('50.00'), money('50.00'), money('50.00')] };
  const scheduled = balance('150.00', { percentage: '0', min: '0.00' }, { repayment });
  // 150.00, 100.00, 52.25; interest 2.25, 1.50, 0.78. The last row pays 53.75 and 0.78.
  t.same(repaidByMinimum(lineOf([scheduled])), { periods: 3, paidCents: money('154.53') });
  const beside = balance('500.00', { percentage: '0.05', min: '50.00' });
  t.equal(repaidByMinimum(lineOf([scheduled, beside]))?.periods, repaidByMinimum(lineOf([beside]))?.periods, 'the longest period counts');
  t.end();
});

test('a balance that minimum payments do not lower is never repaid', (t) => {
  const never = (terms: Terms, annual: string, shape: Partial<RepaidLine> = {}): void => {
    t.equal(repaidByMinimum(lineOf([balance('10000.00', terms, at(annual))], { isInterestInMinimum: false, ...shape })), null);
  };
  never({ percentage: '0.01', min: '25.00' }, '0.30');
  never({ percentage: '0.01', min: '25.00' }, '0.30', { accrualMethod: 'compound' });
  never({ percentage: '0.01', min: '25.00' }, '9.99', { accrualMethod: 'compoundWithFees' });
  never({ percentage: '0.015', min: '0.00' }, '0.18', { isInterestInMinimum: false });
  never({ percentage: '0', min: '0.00' }, '0.18', { isInterestInMinimum: true });
  const largest = balance('1.00', { percentage: '0.01', min: '0.00' }, { principalCents: MAX_CENTS, ...at('9999') });
  t.equal(repaidByMinimum(lineOf([largest], { accrualMethod: 'compound' })), null, 'the largest amount at the largest rate');
  t.end();
});

test('a line of two weeks has 26 periods in a year', (t) => {
  const line = lineOf([balance('1000.00', { percentage: '0', min: '50.00' })], { periodsPerYear: 26 });
  t.equal(repaidByMinimum(line)?.periods, 22);
  t.end();
});

const aBalance = fc.record({
  principal: fc.integer({ min: 0, max: 3_000_000 }),
  interest: fc.integer({ min: 0, max: 50_000 }),
  fees: fc.integer({ min: 0, max: 5_000 }),
  annual: fc.integer({ min: 0, max: 36_000_000 }),
  percentage: fc.integer({ min: 1_000_000, max: 10_000_000 }),
  min: fc.integer({ min: 1_500, max: 5_000 }),
});
type Random = typeof aBalance extends fc.Arbitrary<infer Value> ? Value : never;

const asBalance = ({ principal, interest, fees, annual, percentage, min }: Random): RepaidBalance => ({
  principalCents: principal,
  interestCents: interest,
  feesCents: fees,
  waitingFeesCents: 0,
  rates: constantRate(rate(annual)),
  repayment: { type: 'minimum', terms: { percentageOfPrincipal: rate(percentage), minCents: cents(min), isOverLimitIncluded: false } },
});

/** Decimals of a dollar, as in the calculation by hand. */
const DECIMALS = 10n ** 20n;
const CENT = DECIMALS / 100n;
const toCent = (value: bigint): bigint => ((value + CENT / 2n) / CENT) * CENT;
const ofRate = (value: number): bigint => (BigInt(value) * DECIMALS) / BigInt(RATE_ONE);

/** The periods and the sum of one balance that pays a percentage of principal with interest and fees, in decimals of a dollar. */
function byHand({ principal, interest, fees, annual, percentage, min }: Random): { readonly periods: number; readonly paid: bigint } {
  let [owed, earned, charged] = [BigInt(principal) * CENT, BigInt(interest) * CENT, BigInt(fees) * CENT];
  let [paid, periods] = [0n, 0];
  while (owed + earned + charged > 0n) {
    periods += 1;
    const month = toCent((owed * ofRate(annual)) / DECIMALS / 12n);
    const asked = toCent((owed * ofRate(percentage)) / DECIMALS) + earned + charged;
    const payment = asked > BigInt(min) * CENT ? asked : BigInt(min) * CENT;
    if (payment >= owed + earned + charged) return { periods, paid: paid + owed + earned + charged + month };
    paid += payment;
    owed -= payment - earned - charged;
    charged = 0n;
    earned = month;
  }
  return { periods, paid };
}

test('the estimate is that of a calculation by hand, balance by balance', (t) => {
  fc.assert(
    fc.property(fc.array(aBalance, { minLength: 1, maxLength: 3 }), (randoms) => {
      const repaid = repaidByMinimum(lineOf(randoms.map(asBalance)));
      const expected = randoms.map(byHand);
      t.ok(repaid !== null);
      return (
        repaid?.periods === Math.max(...expected.map(({ periods }) => periods)) &&
        BigInt(repaid.paidCents) * CENT === expected.reduce((sum, { paid }) => sum + paid, 0n)
      );
    }),
  );
  t.end();
});

test('a higher rate never takes less time and never costs less; without interest only the balance is paid', (t) => {
  fc.assert(
    fc.property(aBalance, fc.integer({ min: 0, max: 10_000_000 }), (random, more) => {
      const lower = repaidByMinimum(lineOf([asBalance(random)]));
      const higher = repaidByMinimum(lineOf([asBalance({ ...random, annual: random.annual + more })]));
      const free = repaidByMinimum(lineOf([asBalance({ ...random, annual: 0 })]));
      return (
        lower !== null &&
        higher !== null &&
        higher.periods >= lower.periods &&
        higher.paidCents >= lower.paidCents &&
        free?.paidCents === random.principal + random.interest + random.fees
      );
    }),
  );
  t.end();
});

/** What is left after 36 payments, in decimals of a dollar. */
function leftAfter(owedCents: number, annual: number, payment: Cents): bigint {
  let left = BigInt(owedCents) * CENT;
  for (let month = 0; month < 36; month += 1) left += (left * ofRate(annual)) / DECIMALS / 12n - BigInt(payment) * CENT;
  return left;
}

test('36 payments repay the balance to within the rounding of a payment', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number(MAX_CENTS) }), fc.integer({ min: 0, max: 100_000_000 }), (principal, annual) => {
      const one = { principal, interest: 0, fees: 0, annual, percentage: 1_000_000, min: 1_500 };
      const payment = threeYearPaymentCents(lineOf([asBalance(one)]));
      const [less, more] = [leftAfter(principal, annual, cents(payment - 1)), leftAfter(principal, annual, cents(payment + 1))];
      return less > 0n && more < 0n;
    }),
  );
  t.end();
});
