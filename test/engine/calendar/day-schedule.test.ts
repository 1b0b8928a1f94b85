import { test } from 'tap';
import { formatDay, nextScheduled, parseDay, parseDaySchedule } from '../../../engine/index.js';
import { must } from '../../../engine/index.js';

const from = must(parseDay('2026-03-02'), 'a Monday');

test('the next scheduled day follows the fields of a crontab', async (t) => {
  for (const [fields, expected] of [
    ['* * *', '2026-03-02'],
    ['* * 1-5', '2026-03-02'],
    ['* * SAT,SUN', '2026-03-07'],
    ['* * 7', '2026-03-08'],
    ['* * 0', '2026-03-08'],
    ['1 * *', '2026-04-01'],
    ['15,1 * *', '2026-03-15'],
    ['*/10 * *', '2026-03-11'],
    ['20/5 * *', '2026-03-20'],
    ['* JUN-aug *', '2026-06-01'],
    ['31 2-4 *', '2026-03-31'],
    ['29 2 *', '2028-02-29'],
    // Values of a list may overlap.
    ['5-10,7 * *', '2026-03-05'],
    ['* * 6,0,7', '2026-03-07'],
    // Where both are named, one of them is enough.
    ['13 * FRI', '2026-03-06'],
  ] as const) {
    const [dayOfMonth = '', month = '', dayOfWeek = ''] = fields.split(' ');
    const schedule = must(parseDaySchedule(dayOfMonth, month, dayOfWeek), fields);
    const next = nextScheduled(schedule, from);
    t.equal(next === null ? null : formatDay(next), expected, fields);
  }
  t.equal(nextScheduled(must(parseDaySchedule('30', '2', '*'), '30 February'), from), null);
});

test('what is no field is none', async (t) => {
  for (const fields of [
    '0 * *',
    '32 * *',
    '* 13 *',
    '* * 8',
    '5-1 * *',
    '*/0 * *',
    '*-5 * *',
    '1,, * *',
    'MON * *',
    '* * JAN',
    '-1 * *',
    '1.5 * *',
    ' * *',
    // Not of a crontab.
    'L * *',
    '? * *',
    '* * 5#2',
    '* * 5L',
    'H * *',
  ]) {
    const [dayOfMonth = '', month = '', dayOfWeek = ''] = fields.split(' ');
    t.equal(parseDaySchedule(dayOfMonth, month, dayOfWeek), undefined, fields);
  }
});
