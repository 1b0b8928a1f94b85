import fc from '../../fast-check.js';
import { test } from 'tap';
import {
  accruedOfCents,
  addDays,
  amortize,
  type AmortizationInput,
  cents,
  constantRate,
  day,
  DAY_COUNT_METHODS,
  dayOf,
  dayUnits,
  divideRounded,
  dueDateRuleOf,
  dueDates,
  firstDueDate,
  type PaymentFrequency,
  rate,
  rateOn,
  type Schedule,
} from '../../../engine/index.js';

/** A failure prints its seed. */
const RUNS = { numRuns: 300 };

const frequencies: readonly PaymentFrequency[] = ['weekly', 'everyTwoWeeks', 'twiceMonthly', 'monthly', 'singleTerm'];

/** Loans as lenders make them: 10 to 100,000, no interest to 100 %, one week to seven years. */
const anyLoan: fc.Arbitrary<AmortizationInput> = fc
  .record({
    start: fc.integer({ min: dayOf(2000, 1, 1), max: dayOf(2060, 12, 31) }).map(day),
    principalCents: fc.integer({ min: 1_000, max: 10_000_000 }).map(cents),
    annualRate: fc.integer({ min: 0, max: 100_000_000 }).map(rate),
    dayCount: fc.constantFrom(...DAY_COUNT_METHODS),
    frequency: fc.constantFrom(...frequencies),
    count: fc.integer({ min: 1, max: 84 }),
    minDaysToFirstDueDate: fc.nat(45),
    rounding: fc.constantFrom('up' as const, 'halfUp' as const),
  })
  .map(({ start, principalCents, annualRate, dayCount, frequency, count, minDaysToFirstDueDate, rounding }) => {
    const rule = dueDateRuleOf(frequency, start);
    const first = firstDueDate({ rule, activation: start, minDaysToFirstDueDate, bufferToPushOutSchedule: 0 });
    return {
      start,
      principalCents,
      dueDates: dueDates(rule, first, count),
      payment: { type: 'level' as const },
      rates: constantRate(annualRate),
      dayCount,
      rounding: { payment: rounding, paymentMultipleCents: 1, interest: 'halfUp' as const },
    };
  });

/** Loans whose every payment covers its interest: the others carry a shortfall that bears none. */
const coveredLoan = anyLoan.filter((loan) => amortize(loan).rows.every((row) => row.principalCents > 0));

function isClosed(schedule: Schedule, principalCents: number): boolean {
  const principal = schedule.rows.reduce((total, row) => total + row.principalCents, 0);
  return principal === principalCents && schedule.rows.at(-1)?.remainingPrincipalCents === 0 && schedule.unamortizedCents === 0;
}

test('the principal of the rows is the principal of the loan, and the last row closes it', (t) => {
  fc.assert(
    fc.property(anyLoan, (loan) => isClosed(amortize(loan), loan.principalCents)),
    RUNS,
  );
  t.end();
});

test('each row adds up, pays the balance down and leaves nothing after zero', (t) => {
  fc.assert(
    fc.property(anyLoan, (loan) => {
      let remaining: number = loan.principalCents;
      for (const row of amortize(loan).rows) {
        if (remaining === 0 || row.principalCents < 0 || row.interestCents < 0) return false;
        if (row.amountCents !== row.principalCents + row.interestCents + row.feeCents) return false;
        remaining -= row.principalCents;
        if (row.remainingPrincipalCents !== remaining) return false;
      }
      return true;
    }),
    RUNS,
  );
  t.end();
});

test('every row but the last pays the level, and the last differs by rounding alone', (t) => {
  fc.assert(
    fc.property(anyLoan, (loan) => {
      const { rows, levels } = amortize(loan);
      const levelCents = levels[0]?.amountCents ?? 0;
      const last = rows.at(-1);
      if (last === undefined || rows.slice(0, -1).some((row) => row.amountCents !== levelCents)) return false;
      return last.amountCents <= levelCents + roundingCents(loan);
    }),
    RUNS,
  );
  t.end();
});

/** Half a cent of interest in each row, half a cent of payment where it is rounded to the nearest, grown to the end at interest. */
function roundingCents(loan: AmortizationInput): number {
  const payment = loan.rounding?.payment === 'up' ? 0 : 0.5;
  let cents = 0;
  let from = loan.start;
  for (const date of loan.dueDates) {
    const growth = (rateOn(loan.rates, from).net / 1e8) * (dayUnits(loan.dayCount, from, date) / 1_603_080);
    cents = cents * (1 + growth) + 0.5 + payment;
    from = date;
  }
  return Math.ceil(cents + 1);
}

test('the interest of a row is the sum of its days on the balance before it, halves up', (t) => {
  fc.assert(
    fc.property(coveredLoan, (loan) => {
      let balance: number = loan.principalCents;
      let from = loan.start;
      for (const row of amortize(loan).rows) {
        let units = 0n;
        for (let date = from; date < row.date; date = addDays(date, 1)) {
          units += BigInt(dayUnits(loan.dayCount, date, addDays(date, 1))) * BigInt(rateOn(loan.rates, date).net);
        }
        const interest = divideRounded(BigInt(balance) * units, accruedOfCents(cents(1)), 'halfUp');
        if (BigInt(row.interestCents) !== interest || row.unroundedInterest !== BigInt(balance) * units) return false;
        balance = row.remainingPrincipalCents;
        from = row.date;
      }
      return true;
    }),
    { ...RUNS, numRuns: 60 },
  );
  t.end();
});

test('the level solves the present value equation to ten decimals', (t) => {
  fc.assert(
    fc.property(coveredLoan, (loan) => amortize(loan).levels[0]?.unrounded === exactLevel(loan)),
    RUNS,
  );
  t.end();
});

/** The level by exact fractions: `P * prod(1 + g) / sum of the products of the later (1 + g)`, to ten decimals. */
function exactLevel(loan: AmortizationInput): bigint {
  const one = accruedOfCents(cents(1)) as bigint;
  let owed = BigInt(loan.principalCents);
  let paid = 0n;
  let scale = 1n;
  let from = loan.start;
  for (const date of loan.dueDates) {
    const growth = one + BigInt(dayUnits(loan.dayCount, from, date)) * BigInt(rateOn(loan.rates, from).net);
    owed *= growth;
    scale *= one;
    paid = paid * growth + scale;
    from = date;
  }
  const tenthDecimal = one / 100_000_000n;
  return divideRounded(owed * 100_000_000n, paid, 'halfUp') * tenthDecimal;
}

test('a higher rate never lowers the level', (t) => {
  fc.assert(
    fc.property(anyLoan, fc.integer({ min: 0, max: 50_000_000 }), (loan, more) => {
      const before = rateOn(loan.rates, loan.start).net;
      const dearer = { ...loan, rates: constantRate(rate(before + more)) };
      return (amortize(dearer).levels[0]?.amountCents ?? 0) >= (amortize(loan).levels[0]?.amountCents ?? 0);
    }),
    RUNS,
  );
  t.end();
});

test('forced rows keep their amount and the others absorb the difference', (t) => {
  fc.assert(
    fc.property(anyLoan, fc.nat(83), fc.integer({ min: 0, max: 200 }), (loan, place, percent) => {
      const position = Math.min(place, loan.dueDates.length - 2);
      if (position < 0) return true;
      const amountCents = cents(Math.floor(((amortize(loan).levels[0]?.amountCents ?? 0) * percent) / 100));
      const rowTerms = loan.dueDates.map((_, at) =>
        at === position ? { type: 'forced' as const, amountCents } : { type: 'level' as const },
      );
      const schedule = amortize({ ...loan, rowTerms });
      const row = schedule.rows[position];
      const isKept = row === undefined || row.amountCents === amountCents || row.remainingPrincipalCents === 0;
      return isKept && isClosed(schedule, loan.principalCents);
    }),
    RUNS,
  );
  t.end();
});

test('advances in any order give the same schedule, which pays them all back', (t) => {
  fc.assert(
    fc.property(
      anyLoan,
      fc.array(fc.record({ at: fc.double({ min: 0, max: 0.99, noNaN: true }), amount: fc.integer({ min: 100, max: 1_000_000 }) }), {
        maxLength: 4,
      }),
      (loan, drawn) => {
        const last = loan.dueDates.at(-1) ?? loan.start;
        const advances = drawn.map(({ at, amount }) => ({
          date: addDays(loan.start, Math.floor((last - loan.start - 1) * at)),
          amountCents: cents(amount),
        }));
        const schedule = amortize({ ...loan, advances });
        const total = advances.reduce((sum, advance) => sum + advance.amountCents, loan.principalCents as number);
        const reversed = amortize({ ...loan, advances: [...advances].reverse() });
        return isClosed(schedule, total) && JSON.stringify(texts(schedule)) === JSON.stringify(texts(reversed));
      },
    ),
    RUNS,
  );
  t.end();
});

function texts(schedule: Schedule): unknown {
  return schedule.rows.map((row) => Object.values(row).map(String));
}
