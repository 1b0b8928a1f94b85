import fc from '../fast-check.js';
import { test } from 'tap';
import typia from 'typia';
import {
  type Amount,
  amount,
  centsOf,
  type DateText,
  type DateTimeText,
  dateTimeText,
  millisecondsOf,
  type RateValue,
  rateOf,
  rateValue,
  type SignedAmount,
  toJsonText,
} from '../../actors/index.js';
import { cents, formatCents, isLeapYear, parseCents, parseDay, rate } from '../../engine/index.js';

const isAmount = typia.createIs<Amount>();
const isSigned = typia.createIs<SignedAmount>();
const isRate = typia.createIs<RateValue>();
const isDate = typia.createIs<DateText>();
const isDateTime = typia.createIs<DateTimeText>();

const RUNS = { numRuns: 500 };

test('an amount is returned with the text that was sent', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }), (value) => {
      const text = formatCents(cents(value));
      const parsed: unknown = JSON.parse(text);
      return isSigned(parsed) && toJsonText(amount(centsOf(parsed))) === (value === 0 ? '0.00' : text);
    }),
    RUNS,
  );
  t.end();
});

test('an amount is accepted exactly when its text has at most two decimals', (t) => {
  const text = fc.tuple(fc.nat(9_999_999_999), fc.integer({ min: 0, max: 99_999 }), fc.integer({ min: 1, max: 5 }));
  fc.assert(
    fc.property(text, ([whole, fraction, digits]) => {
      const written = `${whole}.${String(fraction % 10 ** digits).padStart(digits, '0')}`;
      const value: unknown = JSON.parse(written);
      return isAmount(value) === (parseCents(String(value)) !== undefined);
    }),
    RUNS,
  );
  t.end();
});

test('a rate is returned with the decimals that were sent', (t) => {
  fc.assert(
    fc.property(fc.nat(99_999_999_999_999), (value) => {
      const printed = toJsonText(rateValue(rate(value)));
      const parsed: unknown = JSON.parse(printed);
      return isRate(parsed) && rateOf(parsed) === value;
    }),
    RUNS,
  );
  t.end();
});

test('amounts and rates outside their bounds are refused', (t) => {
  for (const value of [-0.01, 12.345, 0.001, 1e13, Infinity, NaN, '12.50', null]) t.notOk(isAmount(value), String(value));
  for (const value of [0, 0.01, 12, 12.5, 9_999_999_999_999.99]) t.ok(isAmount(value), String(value));
  for (const value of [0.000000001, -0.01, 1e7]) t.notOk(isRate(value), String(value));
  t.end();
});

test('only dates that exist are accepted', (t) => {
  for (const value of ['2024-02-29', '1900-01-01', '2299-12-31']) t.ok(isDate(value), value);
  for (const value of ['2023-02-29', '2023-02-30', '2023-13-01', '2023-00-10', '2023-1-1', '1899-12-31', '2023-01-01T00:00:00Z', '']) {
    t.notOk(isDate(value), value);
  }
  t.end();
});

test('a date is accepted exactly when the calendar has it', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1880, max: 2320 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      (year, month, dayOfMonth) => {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`;
        return isDate(text) === (parseDay(text) !== undefined) && isDateTime(`${text}T00:00:00Z`) === isDate(text);
      },
    ),
    { numRuns: 2_000 },
  );
  for (let year = 1900; year < 2300; year++) t.equal(isDate(`${year}-02-29`), isLeapYear(year), `${year}`);
  t.end();
});

test('date-times need a zone and have any precision', (t) => {
  for (const value of ['2024-02-29T23:59:59Z', '2024-01-01T00:00Z', '2024-01-01T00:00:00.123456789-05:00']) t.ok(isDateTime(value), value);
  for (const value of ['2023-02-29T00:00:00Z', '2024-01-01T24:00:00Z', '2024-01-01T00:00:00', '2024-01-01', '2024-01-01 00:00:00Z']) {
    t.notOk(isDateTime(value), value);
  }
  t.equal(millisecondsOf('2024-01-01T00:00:00.123456789-05:00'), Date.UTC(2024, 0, 1, 5, 0, 0, 123));
  t.equal(millisecondsOf('2024-01-01T00:00Z'), Date.UTC(2024, 0, 1));
  t.end();
});

test('an instant prints as ISO 8601 in UTC with milliseconds', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(2299, 11, 31) }),
      (value) => dateTimeText(value) === new Date(value).toISOString(),
    ),
    RUNS,
  );
  t.end();
});
