import fc from '../../fast-check.js';
import { DateTime } from 'luxon';
import { test } from 'tap';
import { civil, day, dayOf, daysInMonth, formatDay, isLeapYear, parseDay, weekday } from '../../../engine/index.js';

test('days are counted from 1 January 1970, a Thursday', (t) => {
  t.equal(dayOf(1970, 1, 1), 0);
  t.equal(weekday(day(0)), 4);
  t.equal(dayOf(2000, 3, 1), 11_017);
  t.equal(weekday(dayOf(2024, 2, 29)), 4);
  t.end();
});

test('dates are read in one format only, and only if they exist', (t) => {
  t.equal(parseDay('2024-02-29'), dayOf(2024, 2, 29));
  for (const text of [
    '2023-02-29',
    '2024-2-29',
    '2024-13-01',
    '2024-00-10',
    '2024-04-31',
    '1899-12-31',
    '2300-01-01',
    '24-01-01',
    '2024-01-01T00:00:00Z',
    '',
  ]) {
    t.equal(parseDay(text), undefined, text);
  }
  t.end();
});

test('centuries are leap years only every four hundred years', (t) => {
  t.same([1900, 2000, 2024, 2100].map(isLeapYear), [false, true, true, false]);
  t.equal(daysInMonth(2100, 2), 28);
  t.end();
});

test('the calendar agrees with luxon on every date', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: dayOf(1900, 1, 1), max: dayOf(2299, 12, 31) }).map(day), (value) => {
      const date = DateTime.fromMillis(value * 86_400_000, { zone: 'utc' });
      const { year, month, day: dayOfMonth } = civil(value);
      return (
        formatDay(value) === date.toISODate() &&
        parseDay(formatDay(value)) === value &&
        dayOf(year, month, dayOfMonth) === value &&
        weekday(value) === date.weekday &&
        daysInMonth(year, month) === date.daysInMonth
      );
    }),
    { numRuns: 500 },
  );
  t.end();
});
