import { test } from 'tap';
import { formatDay, type LineSchedule, linePeriodsOf, startLine } from '../../../../engine/index.js';
import { day } from '../installment/loans.js';
import { line } from './lines.js';

function periods(schedule: LineSchedule, activation: string, through: string): string[][] {
  const state = startLine(line({ activation, schedule }));
  return linePeriodsOf(state, day(through)).map((period) =>
    [period.startDay, period.endDay, period.statementDay, period.dueDay].map(formatDay),
  );
}

test('a fixed statement date: the period ends the day before it, the due date follows', async (t) => {
  const schedule: LineSchedule = { type: 'fixedStatementDate', statement: { type: 'monthly', day: 10 }, statementToDueDays: 20 };
  t.same(periods(schedule, '2022-04-01', '2022-05-10'), [
    ['2022-04-01', '2022-04-09', '2022-04-10', '2022-04-30'],
    ['2022-04-10', '2022-05-09', '2022-05-10', '2022-05-30'],
    ['2022-05-10', '2022-06-09', '2022-06-10', '2022-06-30'],
  ]);
});

test('a fixed due date: the statement lies the days of grace before it', async (t) => {
  const schedule: LineSchedule = { type: 'fixedDueDate', due: { type: 'monthly', day: 31 }, statementToDueDays: 21 };
  t.same(periods(schedule, '2024-01-10', '2024-03-01'), [
    ['2024-01-10', '2024-02-07', '2024-02-08', '2024-02-29'],
    ['2024-02-08', '2024-03-09', '2024-03-10', '2024-03-31'],
  ]);
});

test('both days fixed: the due date is the first such day after the statement', async (t) => {
  const schedule: LineSchedule = { type: 'fixedBoth', statement: { type: 'monthly', day: 20 }, due: { type: 'monthly', day: 14 } };
  t.same(periods(schedule, '2024-01-10', '2024-02-20'), [
    ['2024-01-10', '2024-01-19', '2024-01-20', '2024-02-14'],
    ['2024-01-20', '2024-02-19', '2024-02-20', '2024-03-14'],
    ['2024-02-20', '2024-03-19', '2024-03-20', '2024-04-14'],
  ]);
});

const RULES: readonly LineSchedule[] = [
  ...[1, 15, 28, 30, 31].flatMap((monthday): LineSchedule[] => [
    { type: 'fixedDueDate', due: { type: 'monthly', day: monthday }, statementToDueDays: 21 },
    { type: 'fixedStatementDate', statement: { type: 'monthly', day: monthday }, statementToDueDays: 25 },
    { type: 'fixedBoth', statement: { type: 'monthly', day: monthday }, due: { type: 'monthly', day: 31 - monthday + 1 } },
    { type: 'fixedBoth', statement: { type: 'monthly', day: monthday }, due: { type: 'monthly', day: 31 } },
    { type: 'fixedDueDate', due: { type: 'twiceMonthly', days: [Math.min(monthday, 14), 28] }, statementToDueDays: 14 },
    { type: 'fixedStatementDate', statement: { type: 'twiceMonthly', days: [Math.min(monthday, 14), 31] }, statementToDueDays: 14 },
  ]),
  { type: 'fixedDueDate', due: { type: 'weekly', weekday: 3 }, statementToDueDays: 21 },
  { type: 'fixedStatementDate', statement: { type: 'everyTwoWeeks', weekday: 5, cycleStart: null }, statementToDueDays: 5 },
  { type: 'fixedDueDate', due: { type: 'everyTwoWeeks', weekday: 5, cycleStart: day('2024-01-05') }, statementToDueDays: 14 },
];

test('periods follow without gaps, and each due date is in the next period', async (t) => {
  for (const schedule of RULES) {
    for (const activation of ['2024-01-31', '2024-02-01', '2023-02-27']) {
      const state = startLine(line({ activation, schedule }));
      const all = linePeriodsOf(state, day('2026-06-01'));
      all.forEach((period, position) => {
        const next = all[position + 1];
        const about = `${JSON.stringify(schedule)} from ${activation}: period ${position}`;
        if (period.statementDay !== period.endDay + 1 || period.endDay < period.startDay) t.fail(about);
        if (next === undefined) return;
        if (next.startDay !== period.endDay + 1) t.fail(`${about} leaves a gap`);
        if (period.dueDay < next.startDay || period.dueDay > next.endDay) t.fail(`${about} is due outside the next`);
      });
      t.ok(all.length > 24);
    }
  }
});

test('a two-week cycle keeps its agreed start, or continues from the previous date without one', async (t) => {
  const everyTwoWeeks = (cycleStart: string | null): LineSchedule => ({
    type: 'fixedDueDate',
    due: { type: 'everyTwoWeeks', weekday: 5, cycleStart: cycleStart === null ? null : day(cycleStart) },
    statementToDueDays: 14,
  });
  // Activated on a Friday between two of the cycle: 5 and 19 January, 2 and 16 February. Statements lie 13 days before.
  t.same(periods(everyTwoWeeks('2024-01-05'), '2024-01-12', '2024-02-03'), [
    ['2024-01-12', '2024-01-19', '2024-01-20', '2024-02-02'],
    ['2024-01-20', '2024-02-02', '2024-02-03', '2024-02-16'],
    ['2024-02-03', '2024-02-16', '2024-02-17', '2024-03-01'],
  ]);
  const days = periods(everyTwoWeeks(null), '2024-01-12', '2024-03-01').map((period) => day(period[3] ?? ''));
  t.same(
    days.slice(1).map((date, position) => date - (days[position] ?? date)),
    days.slice(1).map(() => 14),
  );
});
