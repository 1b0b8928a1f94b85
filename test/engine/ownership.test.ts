import { test } from 'tap';
import { cents, ownersOn, ownershipSpans, type Rate, RATE_ONE, rate, splitByShares, sum } from '../../engine/index.js';
import fc from '../fast-check.js';

const shares = (...values: readonly number[]): readonly Rate[] => values.map((value) => rate(Math.round(value * RATE_ONE)));

test('an amount is split by shares: the cents that are left go to the largest remainders, then to the first in the list', (t) => {
  const three = shares(0.3333, 0.3333, 0.3334);
  t.same(splitByShares(cents(10_001), three), [3_333, 3_333, 3_335]);
  t.same(splitByShares(cents(2_345), three), [782, 781, 782]);
  t.same(splitByShares(cents(800_001), shares(0.6, 0.4)), [480_001, 320_000]);
  t.same(splitByShares(cents(12_345), shares(0.6, 0.4)), [7_407, 4_938]);
  t.same(splitByShares(cents(1), shares(0.5, 0.5)), [1, 0]);
  t.same(splitByShares(cents(-10_001), three), [-3_333, -3_333, -3_335], 'taking back takes the same parts');
  t.same(splitByShares(cents(-1), shares(0.5, 0.5)), [-1, 0]);
  t.same(splitByShares(cents(999_999_999_999_999), shares(0.00000001, 0.99999999)), [10_000_000, 999_999_989_999_999]);
  t.throws(() => splitByShares(cents(100), shares(0.5, 0.4)), /sum to one/);
  t.end();
});

/** Shares of one to seven owners that sum to one. */
const anyShares = fc.array(fc.nat({ max: RATE_ONE }), { maxLength: 6 }).map((cuts) => {
  const edges = [0, ...cuts.sort((a, b) => a - b), RATE_ONE];
  return edges.slice(1).map((edge, at) => rate(edge - (edges[at] ?? 0)));
});

test('the parts always sum to the whole, each within a cent of its share', (t) => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), anyShares, (whole, owned) => {
      const amount = cents(whole % 1_000_000_000_000_000);
      const parts = splitByShares(amount, owned);
      const isNear = parts.every((part, at) => {
        const difference = BigInt(part) * BigInt(RATE_ONE) - BigInt(amount) * BigInt(owned[at] ?? 0);
        return difference < BigInt(RATE_ONE) && difference > -BigInt(RATE_ONE);
      });
      return sum(parts) === amount && isNear && parts.every((part) => !Object.is(part, -0));
    }),
  );
  t.end();
});

test('a change replaces the owners from its day on, with all later changes that were recorded before', (t) => {
  const spans = ownershipSpans([
    { effectiveDay: null, owners: ['A'] },
    { effectiveDay: 100 as never, owners: ['B'] },
    { effectiveDay: 200 as never, owners: ['C'] },
    { effectiveDay: 150 as never, owners: ['D', 'E'] },
  ]);
  t.same(
    spans.map(({ from, until, owners }) => [from, until, owners.join()]),
    [
      [null, 100, 'A'],
      [100, 150, 'B'],
      [150, null, 'D,E'],
    ],
  );
  t.same(ownersOn(spans, 99 as never), ['A']);
  t.same(ownersOn(spans, 100 as never), ['B']);
  t.same(ownersOn(spans, 5_000 as never), ['D', 'E']);
  t.same(ownersOn([], 1 as never), [], 'the lender owns it alone');
  t.same(ownersOn(ownershipSpans([{ effectiveDay: 100 as never, owners: ['A'] }]), 1 as never), ['A'], 'before the first day, its owners');
  t.same(
    ownershipSpans([
      { effectiveDay: 100 as never, owners: ['A'] },
      { effectiveDay: 100 as never, owners: ['B'] },
    ]).length,
    1,
  );
  t.end();
});
