import fc from 'fast-check';
import { test } from 'tap';
import { addDays, civil, day, DAY_COUNT_METHODS, dayOf, daysInMonth, dayUnits, isLeapYear, YEAR_UNITS } from '../../../engine/index.js';

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
