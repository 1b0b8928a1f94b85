import fc from '../../fast-check.js';
import { DateTime } from 'luxon';
import { test } from 'tap';
import { addDays, dayAt, dayOf, formatDay, instantAt, isZone, startOfDay, stretchesOfDay, timeOfDayAt } from '../../../engine/index.js';
import { dayFrom } from '../numbers.js';

const HOUR_MS = 3_600_000;

/** A day's first instant in UTC. */
const starts = (zone: string, date: string): string => new Date(startOfDay(zone, dayFrom(date))).toISOString();

test('only names of the time zone database are zones', (t) => {
  t.ok(isZone('America/New_York'));
  t.ok(isZone('UTC'));
  t.notOk(isZone('America/Atlantis'));
  t.notOk(isZone(''));
  t.throws(() => startOfDay('America/Atlantis', dayFrom('2024-01-01')));
  t.end();
});

test('a day begins at local midnight, also when daylight saving begins or ends on it', (t) => {
  t.equal(starts('America/New_York', '2024-01-15'), '2024-01-15T05:00:00.000Z');
  t.equal(starts('America/New_York', '2024-03-10'), '2024-03-10T05:00:00.000Z');
  t.equal(starts('America/New_York', '2024-03-11'), '2024-03-11T04:00:00.000Z');
  t.equal(starts('America/New_York', '2024-11-03'), '2024-11-03T04:00:00.000Z');
  t.equal(starts('America/New_York', '2024-11-04'), '2024-11-04T05:00:00.000Z');
  t.equal(starts('Asia/Kolkata', '2024-01-15'), '2024-01-14T18:30:00.000Z');
  t.end();
});

test('if the clock skips midnight, the day begins with the first time that exists', (t) => {
  t.equal(starts('America/Santiago', '2024-09-08'), '2024-09-08T04:00:00.000Z', 'no 00:00, the day begins at 01:00');
  t.equal(starts('America/Sao_Paulo', '2018-11-04'), '2018-11-04T03:00:00.000Z');
  t.end();
});

test('if the clock is set back at midnight, the day begins when the date changes', (t) => {
  t.equal(starts('America/Sao_Paulo', '2018-02-18'), '2018-02-18T03:00:00.000Z', '23:00 came twice the evening before');
  t.equal(starts('America/Havana', '2024-11-03'), '2024-11-03T04:00:00.000Z', '00:00 comes twice, the first one counts');
  t.end();
});

test('a day that a zone skips begins with the next day', (t) => {
  t.equal(startOfDay('Pacific/Apia', dayFrom('2011-12-30')), startOfDay('Pacific/Apia', dayFrom('2011-12-31')));
  t.end();
});

test('local time is read and set in the zone', (t) => {
  const zone = 'America/Chicago';
  const instant = instantAt(zone, dayFrom('2024-07-04'), { hour: 2, minute: 30, second: 15 });
  t.equal(new Date(instant).toISOString(), '2024-07-04T07:30:15.000Z');
  t.same(timeOfDayAt(zone, instant), { hour: 2, minute: 30, second: 15 });
  t.equal(formatDay(dayAt(zone, instant)), '2024-07-04');
  t.end();
});

test('a local time that the clock skips moves on by the gap, and of a repeated one the first counts', (t) => {
  const at = (date: string, hour: number): string =>
    new Date(instantAt('America/New_York', dayFrom(date), { hour, minute: 30, second: 0 })).toISOString();
  t.equal(at('2024-03-10', 2), '2024-03-10T07:30:00.000Z', '03:30 in summer time');
  t.equal(at('2024-11-03', 1), '2024-11-03T05:30:00.000Z', 'in summer time');
  t.end();
});

test('a day has one stretch of constant offset, or two if the clock is changed', (t) => {
  const stretches = (zone: string, date: string): readonly string[] =>
    stretchesOfDay(zone, dayFrom(date)).map(({ from, to, offsetMs }) =>
      [new Date(from).toISOString().slice(0, 16), new Date(to).toISOString().slice(0, 16), offsetMs / HOUR_MS].join(' '),
    );
  t.same(stretches('America/New_York', '2024-01-15'), ['2024-01-15T05:00 2024-01-16T05:00 -5']);
  t.same(
    stretches('America/New_York', '2024-03-10'),
    ['2024-03-10T05:00 2024-03-10T07:00 -5', '2024-03-10T07:00 2024-03-11T04:00 -4'],
    'at 02:00 it is 03:00',
  );
  t.same(
    stretches('America/New_York', '2024-11-03'),
    ['2024-11-03T04:00 2024-11-03T06:00 -4', '2024-11-03T06:00 2024-11-04T05:00 -5'],
    'at 02:00 it is 01:00',
  );
  t.same(
    stretches('Australia/Lord_Howe', '2024-10-06'),
    ['2024-10-05T13:30 2024-10-05T15:30 10.5', '2024-10-05T15:30 2024-10-06T13:00 11'],
    'by half an hour',
  );
  t.same(stretches('America/Sao_Paulo', '2018-11-03'), ['2018-11-03T03:00 2018-11-04T03:00 -3'], 'the clock is moved as the day ends');
  t.end();
});

test('days and times before 1970 are right to the second', (t) => {
  const zone = 'America/New_York';
  const instant = Date.parse('1969-12-31T04:59:59.999Z');
  t.equal(formatDay(dayAt(zone, instant)), '1969-12-30');
  t.same(timeOfDayAt(zone, instant), { hour: 23, minute: 59, second: 59 });
  t.same(timeOfDayAt(zone, instant + 1), { hour: 0, minute: 0, second: 0 });
  t.equal(instantAt(zone, dayFrom('1969-12-31'), { hour: 0, minute: 0, second: 0 }), instant + 1);
  t.end();
});

const zones = [
  'UTC',
  'America/New_York',
  'America/St_Johns',
  'America/Phoenix',
  'Pacific/Honolulu',
  'Europe/London',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
];

test('every instant lies in its day, and the calendar agrees with luxon', (t) => {
  const first = dayOf(1975, 1, 1) * 24 * HOUR_MS;
  const last = dayOf(2037, 12, 31) * 24 * HOUR_MS;
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.integer({ min: first, max: last }), (zone, instant) => {
      const day = dayAt(zone, instant);
      const local = DateTime.fromMillis(instant, { zone });
      const { hour, minute, second } = timeOfDayAt(zone, instant);
      return (
        startOfDay(zone, day) <= instant &&
        instant < startOfDay(zone, addDays(day, 1)) &&
        formatDay(day) === local.toISODate() &&
        startOfDay(zone, day) === local.startOf('day').toMillis() &&
        hour === local.hour &&
        minute === local.minute &&
        second === local.second
      );
    }),
    { numRuns: 400 },
  );
  t.end();
});
