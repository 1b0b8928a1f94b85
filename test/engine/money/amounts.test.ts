import fc from '../../fast-check.js';
import { test } from 'tap';
import {
  ACCRUED_ZERO,
  accrue,
  accruedOfCents,
  accruedUnits,
  add,
  addAccrued,
  cents,
  formatAccrued,
  formatCents,
  formatRate,
  greatest,
  least,
  MAX_CENTS,
  parseCents,
  parseRate,
  RATE_ONE,
  rate,
  roundAccrued,
  subtract,
  subtractAccrued,
  sum,
  YEAR_UNITS,
} from '../../../engine/index.js';

test('amounts have at most two decimals and print exactly two', (t) => {
  const read = (text: string): string | undefined => {
    const value = parseCents(text);
    return value === undefined ? undefined : formatCents(value);
  };
  t.equal(read('12'), '12.00');
  t.equal(read('12.5'), '12.50');
  t.equal(read('-0.05'), '-0.05');
  t.equal(read('-0'), '0.00');
  t.equal(read('9999999999999.99'), '9999999999999.99');
  t.equal(parseCents('9999999999999.99'), MAX_CENTS);
  t.equal(parseCents('12.5'), 1_250);
  t.equal(Object.is(parseCents('-0.00'), 0), true, 'nothing has no sign');
  t.equal(read('-12.05'), '-12.05');
  t.equal(read('0.99'), '0.99');
  for (const text of ['', '.5', '1.', '1.234', '1e3', '+1', ' 1', '1,000', 'NaN', '10000000000000']) t.equal(read(text), undefined, text);
  t.end();
});

test('rates have at most eight decimals and print the shortest', (t) => {
  const read = (text: string): string | undefined => {
    const value = parseRate(text);
    return value === undefined ? undefined : formatRate(value);
  };
  t.equal(read('0.0525'), '0.0525');
  t.equal(read('0.00000001'), '0.00000001');
  t.equal(read('-1.50'), '-1.5');
  t.equal(read('0'), '0');
  t.equal(Object.is(parseRate('-0'), 0), true, 'nothing has no sign');
  t.equal(read('-0.00000001'), '-0.00000001');
  t.equal(read('12'), '12');
  t.equal(read('999999.99999999'), '999999.99999999');
  t.equal(parseRate('1'), RATE_ONE);
  t.equal(parseRate('0.0525'), 5_250_000);
  for (const text of ['1000000', '0.123456789', '1e-3', '', '5%']) t.equal(read(text), undefined, text);
  t.end();
});

test('amounts and rates survive formatting and parsing', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }),
      (value) => parseCents(formatCents(cents(value))) === value && parseRate(formatRate(rate(value))) === value,
    ),
    { numRuns: 300 },
  );
  t.end();
});

test('interest is exact: a day of 19.99 % on 2,500.00 over 365', (t) => {
  const day = accrue(cents(250_000), 19_990_000, YEAR_UNITS / 365);
  t.equal(formatAccrued(day), '1.3691780822');
  t.equal(formatAccrued(accrue(cents(250_000), 19_990_000, (30 * YEAR_UNITS) / 365)), '41.0753424658', 'servicing-behaviour 4.6');
  t.equal(roundAccrued(accrue(cents(250_000), 19_990_000, (30 * YEAR_UNITS) / 365), 'down'), 4_107);
  t.equal(formatAccrued(accruedOfCents(cents(-5))), '-0.0500000000');
  t.end();
});

test('ten decimals are exact at any size, halves up', (t) => {
  const one = BigInt(YEAR_UNITS);
  t.equal(formatAccrued(accruedUnits(one / 2n)), '0.0000000001');
  t.equal(formatAccrued(accruedUnits(one / 2n - 1n)), '0.0000000000');
  t.equal(formatAccrued(accruedUnits(-one * 12n)), '-0.0000000012');
  // The largest number that is exact as a double, and the next one, which is printed from its digits.
  t.equal(formatAccrued(accruedUnits(BigInt(Number.MAX_SAFE_INTEGER) * one)), '900719.9254740991');
  t.equal(formatAccrued(accruedUnits(-(BigInt(Number.MAX_SAFE_INTEGER) + 1n) * one)), '-900719.9254740992');
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), (tenthDecimals) => {
      const size = tenthDecimals < 0n ? -tenthDecimals : tenthDecimals;
      const digits = size.toString().padStart(11, '0');
      const text = `${tenthDecimals < 0n ? '-' : ''}${digits.slice(0, -10)}.${digits.slice(-10)}`;
      return formatAccrued(accruedUnits(tenthDecimals * one)) === text;
    }),
  );
  t.end();
});

test('interest is added and subtracted exactly', (t) => {
  const interest = accrue(cents(250_000), 19_990_000, YEAR_UNITS / 365);
  t.equal(formatAccrued(addAccrued(interest, accruedOfCents(cents(100)))), '2.3691780822');
  t.equal(formatAccrued(subtractAccrued(interest, accruedOfCents(cents(100)))), '0.3691780822');
  t.equal(subtractAccrued(addAccrued(ACCRUED_ZERO, interest), interest), 0n);
  t.end();
});

test('a year of any length at a rate is that rate', (t) => {
  t.equal(roundAccrued(accrue(cents(100_000), 5_250_000, YEAR_UNITS), 'down'), 5_250);
  t.end();
});

test('sums stay exact, and an invalid amount is a bug', (t) => {
  t.equal(sum([cents(10), cents(20), cents(-5)]), 25);
  t.equal(sum([]), 0);
  t.equal(add(cents(5), cents(-7)), -2);
  t.equal(subtract(cents(5), cents(-7)), 12);
  t.equal(least(cents(5), cents(-7)), -7);
  t.equal(greatest(cents(5), cents(-7)), 5);
  t.throws(() => add(cents(Number.MAX_SAFE_INTEGER), cents(1)));
  t.throws(() => rate(0.5));
  t.throws(() => cents(0.5));
  t.throws(() => cents(Number.MAX_SAFE_INTEGER + 1));
  t.end();
});
