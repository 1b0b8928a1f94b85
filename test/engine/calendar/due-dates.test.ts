import fc from '../../fast-check.js';
import { test } from 'tap';
import {
  addDays,
  civil,
  day,
  dayOf,
  daysInMonth,
  dueDateOnOrAfter,
  type DueDateRule,
  dueDateRuleOf,
  dueDates,
  dueDatesUntil,
  firstDueDate,
  formatDay,
  formatSpecificDays,
  parseDueDateRule,
  PAYMENT_FREQUENCIES,
  weekday,
} from '../../../engine/index.js';
import { dayFrom } from '../numbers.js';

const ACTIVATION = dayFrom('2024-01-31');

test('days are read as names, integers and strings, and written as strings', (t) => {
  const read = (frequency: (typeof PAYMENT_FREQUENCIES)[number], days: readonly (string | number)[]): readonly string[] | undefined => {
    const rule = parseDueDateRule(frequency, days, ACTIVATION);
    return rule && formatSpecificDays(rule);
  };
  t.same(read('weekly', ['Monday']), ['1']);
  t.same(read('weekly', [7]), ['7']);
  t.same(read('weekly', ['5']), ['5']);
  t.same(read('everyTwoWeeks', ['friday', '2024-02-09']), ['5', '2024-02-09']);
  t.same(read('everyTwoWeeks', ['friday']), ['5'], 'a cycle without a start begins with the first due date');
  t.same(read('twiceMonthly', [1, 16]), ['1', '16']);
  t.same(read('weekly', ['TUESDAY']), ['2']);
  t.same(read('weekly', ['sunday']), ['7']);
  t.same(read('twiceMonthly', [31, '15']), ['15', '31']);
  t.same(read('monthly', ['31']), ['31']);
  t.same(read('singleTerm', [10]), ['10']);
  t.end();
});

test('days that do not fit their frequency are not a rule', (t) => {
  t.equal(parseDueDateRule('weekly', [8], ACTIVATION), undefined);
  t.equal(parseDueDateRule('weekly', [1, 2], ACTIVATION), undefined);
  t.equal(parseDueDateRule('weekly', ['someday'], ACTIVATION), undefined);
  t.equal(parseDueDateRule('everyTwoWeeks', [1, 'soon'], ACTIVATION), undefined);
  t.equal(parseDueDateRule('twiceMonthly', [15], ACTIVATION), undefined);
  t.equal(parseDueDateRule('twiceMonthly', [15, 15], ACTIVATION), undefined);
  t.equal(parseDueDateRule('monthly', [0], ACTIVATION), undefined);
  t.equal(parseDueDateRule('monthly', [32], ACTIVATION), undefined);
  t.equal(parseDueDateRule('monthly', [1.5], ACTIVATION), undefined);
  t.equal(parseDueDateRule('monthly', ['friday'], ACTIVATION), undefined);
  t.equal(parseDueDateRule('monthly', [1, 2], ACTIVATION), undefined);
  t.equal(parseDueDateRule('monthly', [1, 2, 3], ACTIVATION), undefined);
  t.equal(parseDueDateRule('twiceMonthly', [1, 16, 31], ACTIVATION), undefined, 'a third day is no mistake to overlook');
  t.equal(parseDueDateRule('everyTwoWeeks', ['someday', '2024-02-09'], ACTIVATION), undefined);
  t.equal(parseDueDateRule('singleTerm', [1, 2], ACTIVATION), undefined);
  t.end();
});

test('missing days follow from the activation date', (t) => {
  t.same(parseDueDateRule('weekly', null, ACTIVATION), { type: 'weekly', weekday: 3 });
  t.same(parseDueDateRule('monthly', [], ACTIVATION), { type: 'monthly', day: 31 });
  t.same(dueDateRuleOf('twiceMonthly', dayFrom('2024-01-05')), { type: 'twiceMonthly', days: [5, 20] });
  t.same(dueDateRuleOf('twiceMonthly', ACTIVATION), { type: 'twiceMonthly', days: [16, 31] });
  t.same(dueDateRuleOf('twiceMonthly', dayFrom('2024-01-15')), { type: 'twiceMonthly', days: [15, 30] }, 'the 15th is of the first half');
  t.same(dueDateRuleOf('twiceMonthly', dayFrom('2024-01-16')), { type: 'twiceMonthly', days: [1, 16] });
  t.same(dueDateRuleOf('everyTwoWeeks', ACTIVATION), { type: 'everyTwoWeeks', weekday: 3, cycleStart: null });
  t.same(dueDateRuleOf('singleTerm', ACTIVATION), { type: 'singleTerm', day: 31 });
  t.end();
});

const first = (rule: DueDateRule, activation: string, minDaysToFirstDueDate = 0, bufferToPushOutSchedule = 0): string =>
  formatDay(firstDueDate({ rule, activation: dayFrom(activation), minDaysToFirstDueDate, bufferToPushOutSchedule }));

test('the first due date is the first fitting day after activation', (t) => {
  t.equal(first({ type: 'monthly', day: 15 }, '2024-01-15'), '2024-02-15', 'not the activation day itself');
  t.equal(first({ type: 'monthly', day: 15 }, '2024-01-14'), '2024-01-15');
  t.equal(first({ type: 'monthly', day: 31 }, '2024-01-31'), '2024-02-29');
  t.equal(first({ type: 'weekly', weekday: 1 }, '2024-01-15'), '2024-01-22');
  t.equal(first({ type: 'twiceMonthly', days: [15, 31] }, '2024-02-15'), '2024-02-29');
  t.equal(first({ type: 'everyTwoWeeks', weekday: 5, cycleStart: null }, '2024-01-15'), '2024-01-19');
  t.equal(first({ type: 'everyTwoWeeks', weekday: 5, cycleStart: dayFrom('2024-01-12') }, '2024-01-15'), '2024-01-26');
  t.equal(first({ type: 'singleTerm', day: 10 }, '2024-01-15'), '2024-02-10');
  t.end();
});

test('the loan type has a minimum distance of the first due date in days, the loan another', (t) => {
  const rule = { type: 'monthly', day: 15 } as const;
  t.equal(first(rule, '2024-01-05', 9), '2024-01-15');
  t.equal(first(rule, '2024-01-05', 10), '2024-02-15');
  t.equal(first(rule, '2024-01-05', 0, 10), '2024-01-15');
  t.equal(first(rule, '2024-01-05', 0, 11), '2024-02-15');
  t.end();
});

const datesOf = (rule: DueDateRule, from: string, count: number): readonly string[] => dueDates(rule, dayFrom(from), count).map(formatDay);

test('twice a month keeps both days, and never puts two on the last day of February', (t) => {
  t.same(datesOf({ type: 'twiceMonthly', days: [1, 16] }, '2024-01-16', 4), ['2024-01-16', '2024-02-01', '2024-02-16', '2024-03-01']);
  t.same(datesOf({ type: 'twiceMonthly', days: [15, 31] }, '2023-01-31', 5), [
    '2023-01-31',
    '2023-02-15',
    '2023-02-28',
    '2023-03-15',
    '2023-03-31',
  ]);
  t.same(datesOf({ type: 'twiceMonthly', days: [30, 31] }, '2023-01-31', 3), ['2023-01-31', '2023-02-27', '2023-02-28']);
  t.end();
});

test('due dates up to a day include it', (t) => {
  const until = (end: string, limit = 100): readonly string[] =>
    dueDatesUntil({ type: 'monthly', day: 31 }, dayFrom('2024-01-31'), dayFrom(end), limit).map(formatDay);
  t.same(until('2024-03-31'), ['2024-01-31', '2024-02-29', '2024-03-31']);
  t.same(until('2024-03-30'), ['2024-01-31', '2024-02-29']);
  t.same(until('2024-01-30'), []);
  t.same(until('2034-01-30', 2), ['2024-01-31', '2024-02-29']);
  t.same(until('2024-01-31'), ['2024-01-31'], 'the first one alone');
  t.same(dueDates({ type: 'monthly', day: 31 }, dayFrom('2024-01-31'), 0), []);
  t.same(datesOf({ type: 'singleTerm', day: 31 }, '2024-01-31', 5), ['2024-01-31'], 'a single term has one');
  t.throws(() => dueDates({ type: 'monthly', day: 31 }, dayFrom('2024-01-31'), -1));
  t.throws(() => dueDates({ type: 'monthly', day: 31 }, dayFrom('2024-01-31'), 1.5));
  t.end();
});

test('a cycle of two weeks with a start keeps to it, before the start as well', (t) => {
  const rule = { type: 'everyTwoWeeks', weekday: 5, cycleStart: dayFrom('2024-02-07') } as const;
  const next = (from: string): string => formatDay(dueDateOnOrAfter(rule, dayFrom(from)));
  t.equal(next('2024-02-01'), '2024-02-09', 'the first Friday on or after the start');
  t.equal(next('2024-02-09'), '2024-02-09');
  t.equal(next('2024-02-10'), '2024-02-23');
  t.equal(next('2024-01-20'), '2024-01-26', 'two weeks before it');
  t.end();
});

test('weeks are counted from the first due date', (t) => {
  t.same(datesOf({ type: 'weekly', weekday: 5 }, '2024-02-23', 3), ['2024-02-23', '2024-03-01', '2024-03-08']);
  t.same(datesOf({ type: 'everyTwoWeeks', weekday: 5, cycleStart: null }, '2024-02-23', 3), ['2024-02-23', '2024-03-08', '2024-03-22']);
  t.end();
});

test('a first date off its rule stays, and later dates follow the rule again', (t) => {
  t.same(datesOf({ type: 'monthly', day: 31 }, '2024-02-10', 3), ['2024-02-10', '2024-03-31', '2024-04-30']);
  t.same(datesOf({ type: 'weekly', weekday: 5 }, '2024-02-20', 2), ['2024-02-20', '2024-02-23']);
  t.same(datesOf({ type: 'everyTwoWeeks', weekday: 5, cycleStart: null }, '2024-02-20', 3), ['2024-02-20', '2024-03-01', '2024-03-15']);
  t.same(datesOf({ type: 'twiceMonthly', days: [1, 16] }, '2024-02-10', 2), ['2024-02-10', '2024-02-16']);
  t.end();
});

const anyDay = fc.integer({ min: dayOf(1990, 1, 1), max: dayOf(2100, 12, 31) }).map(day);
const anyRule: fc.Arbitrary<DueDateRule> = fc.oneof(
  fc.integer({ min: 1, max: 7 }).map((weekday) => ({ type: 'weekly' as const, weekday })),
  fc.record({ type: fc.constant('everyTwoWeeks' as const), weekday: fc.integer({ min: 1, max: 7 }), cycleStart: fc.option(anyDay) }),
  fc
    .uniqueArray(fc.integer({ min: 1, max: 31 }), { minLength: 2, maxLength: 2 })
    .map(([a = 1, b = 31]) => ({ type: 'twiceMonthly' as const, days: [Math.min(a, b), Math.max(a, b)] as const })),
  fc.integer({ min: 1, max: 31 }).map((anchor) => ({ type: 'monthly' as const, day: anchor })),
);

test('due dates ascend, and each is the next one of its rule after the one before', (t) => {
  fc.assert(
    fc.property(anyRule, anyDay, fc.integer({ min: 2, max: 40 }), (rule, activation, count) => {
      const start = firstDueDate({ rule, activation, minDaysToFirstDueDate: 0, bufferToPushOutSchedule: 0 });
      const dates = dueDates(rule, start, count);
      if (dates.length !== count || start <= activation) return false;
      return dates.every((date, position) => {
        const before = dates[position - 1];
        if (before === undefined) return true;
        const next = dueDateOnOrAfter(rule.type === 'everyTwoWeeks' ? { ...rule, cycleStart: before } : rule, addDays(before, 1));
        return date === next;
      });
    }),
    { numRuns: 400 },
  );
  t.end();
});

test('a monthly due day is its anchor in every month that has it, and the last day of the others', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 31 }), anyDay, (anchor, activation) => {
      const rule = { type: 'monthly', day: anchor } as const;
      const start = firstDueDate({ rule, activation, minDaysToFirstDueDate: 0, bufferToPushOutSchedule: 0 });
      return dueDates(rule, start, 30).every((date) => {
        const { year, month, day: dayOfMonth } = civil(date);
        return dayOfMonth === Math.min(anchor, daysInMonth(year, month));
      });
    }),
    { numRuns: 200 },
  );
  t.end();
});

test('a weekday rule falls on its weekday', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 7 }), anyDay, (wanted, from) => {
      const date = dueDateOnOrAfter({ type: 'weekly', weekday: wanted }, from);
      return weekday(date) === wanted && date >= from && date < from + 7;
    }),
    { numRuns: 200 },
  );
  t.end();
});
