import fc from '../../fast-check.js';
import { test } from 'tap';
import {
  addDays,
  civil,
  day,
  DAY_COUNT_METHODS,
  type DayCountConvention,
  dayOf,
  daysBetween,
  daysInMonth,
  dayUnits,
  isLeapYear,
  YEAR_UNITS,
  yearFraction,
} from '../../../engine/index.js';
import { dayFrom } from '../numbers.js';

const anyDay = fc.integer({ min: dayOf(1900, 1, 1), max: dayOf(2299, 12, 31) }).map(day);

test('monthly30360 counts nothing on day 31 and the rest of 30 on the last day of February', (t) => {
  const days = (year: number, month: number, dayOfMonth: number): number => {
    const from = dayOf(year, month, dayOfMonth);
    return (dayUnits('monthly30360', from, addDays(from, 1)) * 360) / YEAR_UNITS;
  };
  t.equal(days(2024, 1, 30), 1);
  t.equal(days(2024, 1, 31), 0);
  t.equal(days(2023, 2, 27), 1);
  t.equal(days(2023, 2, 28), 3);
  t.equal(days(2024, 2, 28), 1);
  t.equal(days(2024, 2, 29), 2);
  t.equal(days(2024, 4, 30), 1);
  t.end();
});

test('every calendar month is a twelfth of a year under monthly30360', (t) => {
  for (let month = 0; month < 48; month += 1) {
    const from = dayOf(2023 + Math.floor(month / 12), (month % 12) + 1, 1);
    const { year, month: number } = civil(from);
    t.equal(dayUnits('monthly30360', from, addDays(from, daysInMonth(year, number))) * 12, YEAR_UNITS);
  }
  t.end();
});

test('actualActual makes every calendar year exactly one year', (t) => {
  for (let year = 1996; year <= 2104; year += 1) {
    t.equal(dayUnits('actualActual', dayOf(year, 1, 1), dayOf(year + 1, 1, 1)), YEAR_UNITS, `${year}${isLeapYear(year) ? ' leap' : ''}`);
  }
  t.end();
});

test('the units of a range are the sum of the units of its days, wherever it is cut', (t) => {
  fc.assert(
    fc.property(anyDay, fc.nat(1500), fc.nat(1500), (from, first, second) => {
      const middle = addDays(from, first);
      const to = addDays(middle, second);
      for (const method of DAY_COUNT_METHODS) {
        if (dayUnits(method, from, middle) + dayUnits(method, middle, to) !== dayUnits(method, from, to)) return false;
      }
      return true;
    }),
    { numRuns: 300 },
  );
  t.end();
});

test('30/360 conventions differ where a range begins or ends with a month', (t) => {
  const days = (from: string, to: string): readonly number[] =>
    (['thirty360Us', 'thirty360Bond', 'thirtyE360'] as const).map((convention) => daysBetween(convention, dayFrom(from), dayFrom(to)));
  t.same(days('2023-01-15', '2023-02-15'), [30, 30, 30]);
  t.same(days('2023-01-31', '2023-03-31'), [60, 60, 60], 'both ends are the 30th');
  t.same(days('2023-01-30', '2023-03-31'), [60, 60, 60], 'an end on the 31st behind a start on the 30th is the 30th');
  t.same(days('2023-01-29', '2023-03-31'), [62, 62, 61], 'only 30E/360 makes the end the 30th by itself');
  t.same(days('2023-02-28', '2023-03-31'), [30, 33, 32], 'the last day of February is the 30th for the US convention alone');
  t.same(days('2024-02-28', '2024-03-31'), [33, 33, 32], 'the 28th of a leap year is not its last day');
  t.same(days('2023-02-28', '2024-02-29'), [359, 361, 361], 'the bond basis leaves the ends of February as they are');
  t.same(days('2024-03-15', '2025-02-28'), [343, 343, 343], 'an end on the last day of February alone stays');
  t.end();
});

test('a fraction of a year is the days over the year of its convention', (t) => {
  const fraction = (convention: DayCountConvention, from: string, to: string): string => {
    const { numerator, denominator } = yearFraction(convention, dayFrom(from), dayFrom(to));
    return `${numerator}/${denominator}`;
  };
  t.equal(fraction('actual360', '2024-01-01', '2024-03-01'), '60/360');
  t.equal(fraction('actual364', '2024-01-01', '2024-03-01'), '60/364');
  t.equal(fraction('actual365', '2024-01-01', '2024-03-01'), '60/365');
  t.equal(fraction('thirtyE360', '2024-01-01', '2024-03-01'), '60/360');
  // 31 days of 2023 and 60 of 2024, over the common denominator of 365 and 366.
  t.equal(fraction('actualActualIsda', '2023-12-01', '2024-03-01'), `${31 * 366 + 60 * 365}/${365 * 366}`);
  t.equal(fraction('actualActualIsda', '2023-01-01', '2024-01-01'), `${365 * 366}/${365 * 366}`, 'an ordinary year is one');
  t.equal(fraction('actualActualIsda', '2024-01-01', '2025-01-01'), `${366 * 365}/${365 * 366}`, 'and so is a leap year');
  t.end();
});

test('the basis 1 of spreadsheets takes a year of 366 days when the range has a leap day', (t) => {
  const fraction = (from: string, to: string): string => {
    const { numerator, denominator } = yearFraction('actualActualSpreadsheet', dayFrom(from), dayFrom(to));
    return `${numerator}/${denominator}`;
  };
  t.equal(fraction('2023-01-01', '2023-07-01'), '181/365');
  t.equal(fraction('2024-03-01', '2024-07-01'), '122/366', 'within one leap year, wherever');
  t.equal(fraction('2023-07-01', '2024-02-28'), '242/365', 'the day before the leap day');
  t.equal(fraction('2023-07-01', '2024-02-29'), '243/366', 'the leap day is the last one');
  t.equal(fraction('2024-02-29', '2025-02-28'), '365/366', 'it is the first one, and the range is a year');
  t.equal(fraction('2024-03-01', '2025-03-01'), '365/365', 'it lies before the range');
  t.equal(fraction('2023-02-28', '2024-02-28'), '365/365', 'just a year');
  // Longer than a year: the mean length of the years that it touches, here 2023 with 365 days and 2024 with 366.
  t.equal(fraction('2023-02-28', '2024-03-01'), `${367 * 2}/${365 + 366}`);
  t.equal(fraction('2024-02-29', '2025-03-01'), `${366 * 2}/${366 + 365}`);
  t.end();
});
