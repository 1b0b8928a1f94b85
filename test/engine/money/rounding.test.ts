import fc from '../../fast-check.js';
import { test } from 'tap';
import { divideRounded, type Rounding } from '../../../engine/index.js';

/** Tenths and how each rounding makes them whole. */
const TABLE: readonly (readonly [tenths: bigint, halfUp: bigint, halfEven: bigint, up: bigint, down: bigint])[] = [
  [24n, 2n, 2n, 3n, 2n],
  [25n, 3n, 2n, 3n, 2n],
  [26n, 3n, 3n, 3n, 2n],
  [35n, 4n, 4n, 4n, 3n],
  [30n, 3n, 3n, 3n, 3n],
  [0n, 0n, 0n, 0n, 0n],
  [1n, 0n, 0n, 1n, 0n],
  [-24n, -2n, -2n, -3n, -2n],
  [-25n, -3n, -2n, -3n, -2n],
  [-35n, -4n, -4n, -4n, -3n],
];

const ROUNDINGS: readonly Rounding[] = ['halfUp', 'halfEven', 'up', 'down'];

for (const [tenths, ...expected] of TABLE) {
  test(`${tenths} tenths are rounded by each rule as named`, (t) => {
    t.same(
      ROUNDINGS.map((rounding) => divideRounded(tenths, 10n, rounding)),
      expected,
    );
    t.end();
  });
}

test('a rounded quotient is never further away than its rule allows', (t) => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.bigInt({ min: 1n, max: 10n ** 9n }), (numerator, denominator) =>
      ROUNDINGS.every((rounding) => {
        const left = numerator - divideRounded(numerator, denominator, rounding) * denominator;
        const distance = left < 0n ? -left : left;
        return rounding === 'up' || rounding === 'down' ? distance < denominator : distance * 2n <= denominator;
      }),
    ),
    { numRuns: 300 },
  );
  t.end();
});

test('a divisor of zero or less is a bug', (t) => {
  t.throws(() => divideRounded(1n, 0n, 'up'));
  t.throws(() => divideRounded(1n, -1n, 'up'));
  t.end();
});
