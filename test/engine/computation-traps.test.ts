import { test } from 'tap';
import {
  accrue,
  type Accrued,
  addDays,
  amortize,
  AmortizationError,
  type AmortizationInput,
  constantRate,
  daysBetween,
  type DayCountMethod,
  dayUnits,
  dueDates,
  formatAccrued,
  formatCents,
  formatDay,
  rate,
  roundAccrued,
  simpleGrowth,
  YEAR_UNITS,
} from '../../engine/index.js';
import { centsFrom, dayFrom, rateFrom } from './numbers.js';

// The traps of schedules and day counts, each under the name it is known by; those of the ledger stand with replay.

const days30 = (method: DayCountMethod, from: string, to: string): number =>
  (dayUnits(method, dayFrom(from), dayFrom(to)) * 360) / YEAR_UNITS;

test('trap 1, month-end drift: a due day of 31 becomes 28 in February and returns to 31', (t) => {
  const dates = dueDates({ type: 'monthly', day: 31 }, dayFrom('2023-01-31'), 6).map(formatDay);
  t.same(dates, ['2023-01-31', '2023-02-28', '2023-03-31', '2023-04-30', '2023-05-31', '2023-06-30']);
  const fromFebruary = dueDates({ type: 'monthly', day: 31 }, dayFrom('2023-02-28'), 3).map(formatDay);
  t.same(fromFebruary, ['2023-02-28', '2023-03-31', '2023-04-30'], 'also when February comes first');
  t.end();
});

test('trap 2, rate divided by 12 where the contract says actual days over 365', (t) => {
  const interest = (method: DayCountMethod, from: string, to: string): string =>
    formatCents(roundAccrued(accrue(centsFrom('300000'), rateFrom('0.06'), dayUnits(method, dayFrom(from), dayFrom(to))), 'halfUp'));
  t.equal(interest('daily365', '2023-03-01', '2023-04-01'), '1528.77');
  t.equal(interest('monthly30360', '2023-03-01', '2023-04-01'), '1500.00');
  t.end();
});

test('trap 2, year length fixed at the start of a schedule that crosses a leap year', (t) => {
  const growth = (from: string, to: string): bigint => simpleGrowth(constantRate(rate(1)), 'actualActual', dayFrom(from), dayFrom(to)).net;
  t.equal(growth('2023-12-31', '2024-01-01') * 365n, BigInt(YEAR_UNITS), 'the night of 31 December 2023');
  t.equal(growth('2024-01-01', '2024-01-02') * 366n, BigInt(YEAR_UNITS), 'the night after it');
  t.equal(growth('2023-12-01', '2024-02-01'), BigInt((31 * YEAR_UNITS) / 365 + (31 * YEAR_UNITS) / 366));
  t.end();
});

test('trap 3, 30/360 end-of-month rules mixed up between conventions', (t) => {
  const range = [dayFrom('2007-01-31'), dayFrom('2007-02-28')] as const;
  t.equal(daysBetween('thirty360Us', ...range), 28);
  t.equal(daysBetween('thirty360Bond', ...range), 28);
  t.equal(daysBetween('thirtyE360', ...range), 28);
  t.equal(days30('monthly30360', '2007-01-31', '2007-02-28'), 27, 'booked a day: 31 January counts nothing');
  const februaryToMarch = [dayFrom('2007-02-28'), dayFrom('2007-03-31')] as const;
  t.equal(daysBetween('thirty360Us', ...februaryToMarch), 30);
  t.equal(daysBetween('thirtyE360', ...februaryToMarch), 32);
  t.equal(days30('monthly30360', '2007-02-28', '2007-03-31'), 33, 'the last day of February counts three');
  const februaries = [dayFrom('2007-02-28'), dayFrom('2008-02-29')] as const;
  t.equal(daysBetween('thirty360Us', ...februaries), 359);
  t.equal(daysBetween('thirty360Bond', ...februaries), 361, 'the end of February is left as it is (README 35)');
  t.equal(daysBetween('thirty360Bond', ...februaryToMarch), 33);
  t.equal(daysBetween('thirty360Bond', dayFrom('2007-01-30'), dayFrom('2007-03-31')), 60, 'an end on the 31st after a start on the 30th');
  t.equal(daysBetween('thirty360Bond', dayFrom('2007-01-31'), dayFrom('2007-03-31')), 60);
  t.equal(daysBetween('thirty360Bond', dayFrom('2007-01-29'), dayFrom('2007-03-31')), 62);
  t.end();
});

const LOAN: AmortizationInput = {
  start: dayFrom('2024-01-01'),
  principalCents: centsFrom('1000'),
  dueDates: dueDates({ type: 'monthly', day: 1 }, dayFrom('2025-01-01'), 12),
  payment: { type: 'fixed', amountCents: centsFrom('100') },
  rates: constantRate(rateFrom('0.60')),
  dayCount: 'daily365',
};

test('trap 5, interest above the installment, with the total summing principal instead', (t) => {
  const { rows, totalInterestCents, totalPrincipalCents, totalAmountCents } = amortize(LOAN);
  const [first] = rows;
  t.same([first?.amountCents, first?.interestCents, first?.principalCents], [10_000, 10_000, 0], 'no negative principal');
  t.equal(totalPrincipalCents, LOAN.principalCents);
  t.equal(
    totalInterestCents,
    rows.reduce((total, row) => total + row.interestCents, 0),
  );
  t.equal(totalAmountCents, totalPrincipalCents + totalInterestCents);
  t.end();
});

test('trap 7, several advances out of order', (t) => {
  const advances = [
    { date: dayFrom('2025-03-10'), amountCents: centsFrom('300') },
    { date: dayFrom('2024-06-01'), amountCents: centsFrom('200') },
    { date: dayFrom('2024-01-01'), amountCents: centsFrom('50') },
  ];
  const loan: AmortizationInput = { ...LOAN, payment: { type: 'level' }, advances };
  const schedule = amortize(loan);
  t.same(schedule, amortize({ ...loan, advances: [...advances].sort((a, b) => a.date - b.date) }));
  t.equal(formatCents(schedule.totalPrincipalCents), '1550.00');
  t.equal(schedule.rows.at(-1)?.remainingPrincipalCents, 0);
  t.end();
});

test('trap 7, changes past maturity', (t) => {
  const advances = [{ date: addDays(LOAN.dueDates.at(-1) ?? LOAN.start, 1), amountCents: centsFrom('300') }];
  t.throws(() => amortize({ ...LOAN, advances }), AmortizationError);
  t.end();
});

test('trap 9, a partial first or last month dropped or counted twice', (t) => {
  const loan: AmortizationInput = {
    ...LOAN,
    start: dayFrom('2024-01-20'),
    dueDates: [...dueDates({ type: 'monthly', day: 1 }, dayFrom('2024-02-01'), 3), dayFrom('2024-04-12')],
    rowTerms: Array.from({ length: 3 }, () => ({ type: 'interestOnly' })),
    payment: { type: 'level' },
  };
  for (const dayCount of ['daily365', 'daily360', 'actualActual', 'monthly30360'] as const) {
    const { rows } = amortize({ ...loan, dayCount });
    const whole = accrue(loan.principalCents, rateFrom('0.60'), dayUnits(dayCount, dayFrom('2024-01-20'), dayFrom('2024-04-12')));
    const parts = rows.reduce((total, row) => (total + row.unroundedInterest) as Accrued, 0n as Accrued);
    t.equal(formatAccrued(parts), formatAccrued(whole), dayCount);
  }
  t.end();
});
