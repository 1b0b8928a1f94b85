import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  accrue,
  averageBalanceCents,
  averageDailyBalance,
  type BalanceChange,
  cents,
  formatCents,
  interestOnAverage,
  rate,
  YEAR_UNITS,
} from '../../../../engine/index.js';
import { missing, vectorsOf } from '../../../shared.js';
import { centsFrom } from '../../numbers.js';

const FILE = 'accrual-and-balance.json';
const A_DAY = YEAR_UNITS / 365;

interface AverageVector {
  readonly id: string;
  readonly inputs: {
    readonly cycleDays: number;
    readonly opening: string;
    readonly events: readonly { readonly day: number; readonly delta: string }[];
  };
  readonly expected: {
    readonly averageDailyBalance: string;
    readonly segments: readonly (readonly [balance: string, days: number])[];
  };
}

const vectors = vectorsOf<AverageVector>(FILE, 'averageDailyBalance');
const skip = vectors ? false : missing('domain', 'vectors', FILE);

test('published average daily balances match to the cent, with their segments', { skip }, (t) => {
  for (const { id, inputs, expected } of vectors ?? []) {
    const changes = inputs.events.map(({ day, delta }) => ({ day, deltaCents: centsFrom(delta) }));
    const average = averageDailyBalance(centsFrom(inputs.opening), inputs.cycleDays, changes);
    t.equal(formatCents(averageBalanceCents(average, 'halfUp')), expected.averageDailyBalance, id);
    t.same(
      average.segments.map((segment) => [formatCents(segment.balanceCents), segment.days]),
      expected.segments,
    );
  }
  t.equal(vectors?.length, 1);
  t.end();
});

const DAYS = 31;
const aChange = fc.record({ day: fc.integer({ min: 0, max: DAYS - 1 }), deltaCents: fc.integer({ min: -50_000, max: 50_000 }).map(cents) });
const history = fc.tuple(fc.integer({ min: 0, max: 500_000 }).map(cents), fc.array(aChange, { maxLength: 12 }));

/** The end-of-day balances, computed day by day. */
const dayByDay = (opening: number, changes: readonly BalanceChange[]): readonly number[] =>
  Array.from({ length: DAYS }, (_, day) =>
    changes.filter((change) => change.day <= day).reduce((balance, change) => balance + change.deltaCents, opening),
  );

test('the average is over all days, and credit balances count as zero', (t) => {
  fc.assert(
    fc.property(history, ([opening, changes]) => {
      const average = averageDailyBalance(opening, DAYS, changes);
      const total = dayByDay(opening, changes).reduce((all, balance) => all + Math.max(0, balance), 0);
      return average.balanceDays === BigInt(total) && average.segments.reduce((all, { days }) => all + days, 0) === DAYS;
    }),
  );
  t.end();
});

test('at a constant rate the average bears exactly the interest of the daily balances', (t) => {
  fc.assert(
    fc.property(history, fc.integer({ min: 0, max: 36_000_000 }), ([opening, changes], annual) => {
      const average = averageDailyBalance(opening, DAYS, changes);
      const daily = dayByDay(opening, changes).reduce((all, balance) => all + accrue(cents(Math.max(0, balance)), rate(annual), A_DAY), 0n);
      return interestOnAverage(average, annual, A_DAY * DAYS) === daily;
    }),
  );
  t.end();
});

test('the order of the changes does not matter', (t) => {
  fc.assert(
    fc.property(history, ([opening, changes]) => {
      const inOrder = averageDailyBalance(opening, DAYS, changes);
      const reversed = averageDailyBalance(opening, DAYS, [...changes].reverse());
      return inOrder.balanceDays === reversed.balanceDays;
    }),
  );
  t.end();
});

test('a change outside of its cycle is a bug', (t) => {
  t.throws(() => averageDailyBalance(cents(1), 30, [{ day: 30, deltaCents: cents(1) }]));
  t.throws(() => averageDailyBalance(cents(1), 0, []));
  t.end();
});
