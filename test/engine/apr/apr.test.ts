import fc from '../../fast-check.js';
import { test } from 'tap';
import {
  addDays,
  amortize,
  aprOfSchedule,
  cents,
  constantRate,
  type DatedAmount,
  day,
  dayOf,
  dueDates,
  wholeFixed,
  FIXED_ONE,
  formatFixed,
  formatRate,
  MAX_RATE,
  powerFixed,
  rate,
  rootFixed,
  type TimedAmount,
  timings,
  type UnitPeriod,
  unitPeriodOf,
  solveUnitPeriodRate,
  xirr,
} from '../../../engine/index.js';
import { centsFrom, dayFrom, fixedFrom, isWithin } from '../numbers.js';

const dated = (date: string, amount: string): DatedAmount => ({ date: dayFrom(date), amountCents: centsFrom(amount) });

test('a loan of regular months without fees has its note rate as APR', (t) => {
  const start = dayFrom('2024-01-15');
  const { rows } = amortize({
    start,
    principalCents: centsFrom('10000'),
    dueDates: dueDates({ type: 'monthly', day: 15 }, dayFrom('2024-02-15'), 36),
    payment: { type: 'level' },
    rates: constantRate(rate(12_000_000)),
    dayCount: 'monthly30360',
  });
  const apr = aprOfSchedule({ advances: [{ date: start, amountCents: centsFrom('10000') }], payments: rows });
  t.equal(formatRate(apr.nominal), '0.12');
  t.equal(formatRate(apr.effective), '0.126825', '(1 + 0.01)^12 - 1');
  t.end();
});

test('without a finance charge, or with a negative one, the APR is zero', (t) => {
  const advances = [dated('2024-01-01', '100')];
  t.same(aprOfSchedule({ advances, payments: [dated('2024-02-01', '50'), dated('2024-03-01', '50')] }), { nominal: 0, effective: 0 });
  t.same(aprOfSchedule({ advances, payments: [dated('2024-02-01', '40')] }), { nominal: 0, effective: 0 });
  t.same(aprOfSchedule({ advances, payments: [] }), { nominal: 0, effective: 0 });
  t.same(aprOfSchedule({ advances: [], payments: [] }), { nominal: 0, effective: 0 });
  t.end();
});

test('a finance charge that is paid at once has no APR in the range', (t) => {
  const advances = [dated('2024-01-01', '100')];
  t.same(aprOfSchedule({ advances, payments: [dated('2024-01-01', '150')] }), { nominal: MAX_RATE, effective: MAX_RATE });
  t.end();
});

test('a payment before the first advance moves the zero point to its day', (t) => {
  const apr = aprOfSchedule({
    advances: [dated('2024-02-01', '1000')],
    payments: [dated('2024-01-01', '20'), dated('2024-03-01', '500'), dated('2024-04-01', '500')],
  });
  t.ok(apr.nominal > 0);
  t.end();
});

test('advances and payments of no amount do not count', (t) => {
  const advances = [dated('2024-01-01', '100')];
  const payments = [dated('2024-02-01', '60'), dated('2024-03-01', '60')];
  t.same(
    aprOfSchedule({ advances: [...advances, dated('2024-01-20', '0')], payments: [...payments, dated('2024-06-17', '0')] }),
    aprOfSchedule({ advances, payments }),
  );
  t.end();
});

const unitOf = (...dates: readonly string[]): UnitPeriod => unitPeriodOf(dates.map(dayFrom));

test('the unit period is the most frequent common period, of equals the shortest', (t) => {
  t.same(unitOf('2024-01-20', '2024-02-15', '2024-03-15', '2024-04-15'), { type: 'months', count: 1 });
  t.same(unitOf('2024-01-31', '2024-02-29', '2024-03-31', '2024-04-30'), { type: 'months', count: 1 }, 'last days');
  t.same(unitOf('2023-01-30', '2023-02-28', '2023-03-30'), { type: 'months', count: 1 }, 'February stands in');
  t.same(unitOf('2024-01-05', '2024-01-20', '2024-02-05', '2024-02-20'), { type: 'semimonth' });
  t.same(unitOf('2024-01-15', '2024-01-31', '2024-02-15', '2024-02-29'), { type: 'semimonth' });
  t.same(
    unitOf('2024-01-05', '2024-01-12', '2024-01-19', '2024-02-02', '2024-02-16'),
    { type: 'weeks', count: 1 },
    'two each: the shorter',
  );
  t.same(unitOf('2022-01-01', '2023-01-01', '2024-01-01'), { type: 'year' });
  t.end();
});

test('28 days in February count as the other periods of the series do', (t) => {
  t.same(unitOf('2023-02-01', '2023-03-01', '2023-04-01', '2023-05-01'), { type: 'months', count: 1 });
  t.same(unitOf('2023-02-01', '2023-03-01', '2023-03-29', '2023-04-26'), { type: 'weeks', count: 4 });
  t.end();
});

test('without a common period the average is rounded to the nearest standard interval', (t) => {
  t.same(unitOf('2024-01-01', '2024-01-21', '2024-03-02'), { type: 'months', count: 1 }, '30.5 days');
  t.same(unitOf('2024-01-01', '2024-01-04', '2024-01-15'), { type: 'weeks', count: 1 });
  t.same(unitOf('2024-01-01', '2024-01-02', '2024-01-04'), { type: 'day' });
  t.end();
});

test('one advance and one payment have their term as unit period, at most a year', (t) => {
  t.same(unitOf('2024-01-10', '2024-04-10'), { type: 'termInMonths', months: 3 });
  t.same(unitOf('2024-01-10', '2024-04-11'), { type: 'termInDays', days: 92 });
  t.same(unitOf('2023-01-10', '2024-01-10'), { type: 'year' });
  t.same(unitOf('2023-01-10', '2025-07-10'), { type: 'year' });
  t.end();
});

test('whole unit periods are counted back from the later date', (t) => {
  const [month] = timings({ type: 'months', count: 1 }, dayFrom('2022-08-22'), [dayFrom('2022-10-01')]);
  t.same(month, { whole: 1, part: 10, parts: 30 }, 'forwards it would be 9 days');
  const [twoMonths] = timings({ type: 'months', count: 2 }, dayFrom('2023-01-10'), [dayFrom('2023-03-01')]);
  t.same(twoMonths, { whole: 0, part: 52, parts: 60 });
  const last = timings({ type: 'months', count: 1 }, dayFrom('2024-01-31'), [dayFrom('2024-02-29'), dayFrom('2024-03-31')]);
  t.same(
    last.map(({ whole, part }) => [whole, part]),
    [
      [1, 0],
      [2, 0],
    ],
    'last day to last day',
  );
  t.end();
});

test('a semimonthly series keeps the fraction of its first payment', (t) => {
  const dates = ['2024-02-15', '2024-02-29', '2024-03-15', '2024-03-31'].map(dayFrom);
  const series = timings({ type: 'semimonth' }, dayFrom('2024-02-05'), dates);
  t.same(
    series.map(({ whole, part, parts }) => `${whole} ${part}/${parts}`),
    ['0 10/15', '1 10/15', '2 10/15', '3 10/15'],
  );
  t.end();
});

/** Loans of one advance and level payments, from free of charge to usury. */
const anyLoan = fc
  .record({
    start: fc.integer({ min: dayOf(2000, 1, 1), max: dayOf(2050, 12, 31) }).map(day),
    advance: fc.integer({ min: 10_000, max: 10_000_000 }),
    count: fc.integer({ min: 2, max: 72 }),
    charge: fc.integer({ min: 0, max: 3_000 }),
    anchor: fc.integer({ min: 1, max: 31 }),
  })
  .map(({ start, advance, count, charge, anchor }) => {
    const first = dueDates({ type: 'monthly', day: anchor }, addDays(start, 31), 1)[0] ?? start;
    const amountCents = cents(Math.ceil((advance * (1 + charge / 1000)) / count));
    return {
      advances: [{ date: start, amountCents: cents(advance) }],
      payments: dueDates({ type: 'monthly', day: anchor }, first, count).map((date) => ({ date, amountCents })),
    };
  });

test('higher payments never have a lower APR', (t) => {
  fc.assert(
    fc.property(anyLoan, fc.integer({ min: 1, max: 10_000 }), (loan, more) => {
      const payments = loan.payments.map(({ date, amountCents }) => ({ date, amountCents: cents(amountCents + more) }));
      return aprOfSchedule({ ...loan, payments }).nominal >= aprOfSchedule(loan).nominal;
    }),
    { numRuns: 100 },
  );
  t.end();
});

test('at the unit-period rate the payments are worth the advances', (t) => {
  fc.assert(
    fc.property(anyLoan, ({ advances, payments }) => {
      const timing = (whole: number): TimedAmount['timing'] => ({ whole, part: 0, parts: 1 });
      const amounts = [
        ...advances.map(({ amountCents }) => ({ amountCents, timing: timing(0) })),
        ...payments.map(({ amountCents }, position) => ({ amountCents: cents(-amountCents), timing: timing(position + 1) })),
      ];
      const unitRate = solveUnitPeriodRate(amounts);
      if (unitRate === null) return false;
      if (unitRate === 0n) return true;
      const growth = FIXED_ONE + unitRate;
      const worth = amounts.reduce(
        (sum, { amountCents, timing }) => sum + BigInt(amountCents) * powerFixed(growth as typeof FIXED_ONE, -timing.whole),
        0n,
      );
      return (worth < 0n ? -worth : worth) < FIXED_ONE / 1_000_000n;
    }),
    { numRuns: 150 },
  );
  t.end();
});

test('many advances are solved by bracketing', (t) => {
  const advances = [dated('2024-01-01', '1000'), dated('2024-03-01', '1000')];
  const payments = [dated('2024-02-01', '500'), dated('2024-04-01', '800'), dated('2024-05-01', '800')];
  t.equal(formatRate(aprOfSchedule({ advances, payments }).nominal), '0.31206');
  t.end();
});

test('roots and powers undo each other', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000_000 }), fc.integer({ min: 1, max: 400 }), (millionths, degree) => {
      const value = fixedFrom((millionths / 1_000_000).toFixed(6));
      return isWithin(powerFixed(rootFixed(value, degree), degree), value, fixedFrom('0.000000000000000000000001'));
    }),
    { numRuns: 200 },
  );
  t.equal(formatFixed(rootFixed(wholeFixed(2), 2), 20), '1.41421356237309504880');
  t.equal(formatFixed(powerFixed(wholeFixed(2), -2), 4), '0.2500');
  t.end();
});

test('a yield far from the usual is found by scanning', (t) => {
  const flows = [dated('2024-01-01', '-1'), dated('2024-12-31', '500000')];
  t.equal(formatFixed(xirr(flows) ?? wholeFixed(0), 2), '499999.00');
  const loss = [dated('2023-01-01', '-1000'), dated('2024-01-01', '0.01')];
  t.equal(formatFixed(xirr(loss) ?? wholeFixed(0), 5), '-0.99999');
  t.end();
});
