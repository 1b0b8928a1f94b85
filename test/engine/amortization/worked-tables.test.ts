import { test } from 'tap';
import {
  amortize,
  type AmortizationInput,
  cents,
  constantRate,
  day,
  type DayCountMethod,
  dueDates,
  dayOf,
  formatAccrued,
  formatCents,
  formatDay,
  rate,
} from '../../../engine/index.js';
import { withDecimals } from '../numbers.js';

interface WorkedTable {
  readonly dayCount: DayCountMethod;
  readonly level: string;
  readonly payment: string;
  readonly firstRow: readonly [interest: string, principal: string, balance: string];
  readonly secondInterest: string;
  readonly lastPayment: string;
  readonly totalInterest: string;
}

/** 10,000.00 at 5 %, activated 2024-01-15, due on the 15th, 36 rows. */
const TABLES: readonly WorkedTable[] = [
  {
    dayCount: 'daily365',
    level: '299.71609535',
    payment: '299.72',
    firstRow: ['42.47', '257.25', '9742.75'],
    secondInterest: '38.70',
    lastPayment: '299.58',
    totalInterest: '789.78',
  },
  {
    dayCount: 'daily360',
    level: '300.02808738',
    payment: '300.03',
    firstRow: ['43.06', '256.97', '9743.03'],
    secondInterest: '39.24',
    lastPayment: '299.99',
    totalInterest: '801.04',
  },
  {
    dayCount: 'monthly30360',
    level: '299.70897105',
    payment: '299.71',
    firstRow: ['41.67', '258.04', '9741.96'],
    secondInterest: '40.59',
    lastPayment: '299.69',
    totalInterest: '789.54',
  },
  {
    dayCount: 'actualActual',
    level: '299.68290790',
    payment: '299.69',
    firstRow: ['42.35', '257.34', '9742.66'],
    secondInterest: '38.60',
    lastPayment: '299.45',
    totalInterest: '788.60',
  },
];

for (const table of TABLES) {
  test(`the worked loan of 36 months under ${table.dayCount} matches to the cent`, (t) => {
    const schedule = amortize({
      start: dayOf(2024, 1, 15),
      principalCents: cents(1_000_000),
      dueDates: dueDates({ type: 'monthly', day: 15 }, dayOf(2024, 2, 15), 36),
      payment: { type: 'level' },
      rates: constantRate(rate(5_000_000)),
      dayCount: table.dayCount,
    });
    const [first, second] = schedule.rows;
    const [level] = schedule.levels;
    t.equal(schedule.levels.length, 1);
    t.equal(level && withDecimals(formatAccrued(level.unrounded), 8), table.level, 'level, unrounded');
    t.equal(level && formatCents(level.amountCents), table.payment, 'level payment');
    t.same(first && [first.interestCents, first.principalCents, first.remainingPrincipalCents].map(formatCents), table.firstRow);
    t.equal(second && formatCents(second.interestCents), table.secondInterest);
    t.equal(formatCents(schedule.rows.at(-1)?.amountCents ?? cents(0)), table.lastPayment);
    t.equal(formatCents(schedule.totalInterestCents), table.totalInterest);
    t.equal(formatDay(schedule.endDate), '2027-01-15');
    t.equal(schedule.rows.length, 36);
    t.end();
  });
}

test('the worked loan with a short first period of 26 days matches to the cent', (t) => {
  const input: AmortizationInput = {
    start: dayOf(2024, 1, 20),
    principalCents: cents(120_000),
    dueDates: dueDates({ type: 'monthly', day: 15 }, dayOf(2024, 2, 15), 12),
    payment: { type: 'level' },
    rates: constantRate(rate(18_000_000)),
    dayCount: 'daily365',
  };
  const schedule = amortize(input);
  const [level] = schedule.levels;
  t.equal(level && withDecimals(formatAccrued(level.unrounded), 8), '109.75441558');
  t.equal(level && formatCents(level.amountCents), '109.76');
  t.equal(input.dueDates[0], day(input.start + 26));
  t.same(
    schedule.rows.map((row) => formatCents(row.interestCents)),
    ['15.39', '15.81', '15.47', '13.57', '12.55', '10.71', '9.55', '8.02', '6.26', '4.88', '3.18', '1.65'],
  );
  t.same(
    schedule.rows.slice(0, 3).map((row) => formatCents(row.remainingPrincipalCents)),
    ['1105.63', '1011.68', '917.39'],
  );
  t.equal(formatCents(schedule.rows.at(-1)?.amountCents ?? cents(0)), '109.68');
  t.equal(formatCents(schedule.totalInterestCents), '117.04');
  t.end();
});
