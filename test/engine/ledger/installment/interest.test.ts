import fc from '../../../fast-check.js';
import { test } from 'tap';
import { MAX_CENTS, YEAR_UNITS } from '../../../../engine/index.js';
import {
  accruedOf,
  compoundedInterest,
  type Interest,
  minus,
  PARTS_OF_CENT,
  plus,
  roundedCents,
  simpleInterest,
} from '../../../../engine/ledger/core/interest.js';
import { PARAMETERS } from './histories.js';

const CENT = BigInt(PARTS_OF_CENT);
const RUNS = { ...PARAMETERS, numRuns: 5_000 };

/** Small and large numbers alike: every number of digits is as likely. */
const upTo = (most: number): fc.Arbitrary<number> =>
  fc
    .integer({ min: 0, max: Math.ceil(Math.log2(most)) })
    .chain((bits) => fc.maxSafeInteger().map((value) => Math.abs(value) % Math.min(2 ** bits + 1, most + 1)));

const base = upTo(MAX_CENTS);
/** Up to a hundredfold a year, for up to forty years: far beyond any loan. */
const rate = upTo(10_000_000_000);
const units = upTo(40 * YEAR_UNITS);
const parts = upTo(PARTS_OF_CENT - 1);

const interest = fc.record({ cents: base, parts });

const isNormal = ({ cents, parts: rest }: Interest): boolean =>
  Number.isSafeInteger(cents) && Number.isSafeInteger(rest) && rest >= 0 && rest < PARTS_OF_CENT;

/** Values above the largest amount may be equal: callers clip them. */
const isSameUpToMost = (found: Interest, exact: bigint): boolean =>
  isNormal(found) && (exact > BigInt(MAX_CENTS) * CENT ? found.cents >= MAX_CENTS : accruedOf(found) === exact);

test('simple interest in two numbers is the product of big integers', async (t) => {
  const holds = (cents: number, yearly: number, days: number): boolean =>
    isSameUpToMost(simpleInterest(cents, yearly, days), BigInt(cents) * BigInt(yearly) * BigInt(days));
  fc.assert(fc.property(base, rate, units, holds), RUNS);
  t.ok(holds(MAX_CENTS, 999_999_999_999, 40 * YEAR_UNITS), 'the largest of all');
  t.ok(holds(0, 0, 0));
});

test('compound interest is rounded like the product of big integers', async (t) => {
  const holds = (open: Interest, yearly: number, days: number): boolean => {
    const exact = (accruedOf(open) * BigInt(yearly) * BigInt(days) * 2n + CENT) / (2n * CENT);
    return isSameUpToMost(compoundedInterest(open, yearly, days), exact);
  };
  fc.assert(fc.property(interest, rate, upTo(2 * YEAR_UNITS), holds), RUNS);
  t.pass('holds');
});

test('sums, differences and rounding are those of one integer', async (t) => {
  const holds = (a: Interest, b: Interest): boolean =>
    isNormal(plus(a, b)) &&
    isNormal(minus(a, b)) &&
    accruedOf(plus(a, b)) === accruedOf(a) + accruedOf(b) &&
    accruedOf(minus(a, b)) === accruedOf(a) - accruedOf(b) &&
    BigInt(roundedCents(a)) === (accruedOf(a) * 2n + CENT) / (2n * CENT);
  fc.assert(fc.property(interest, interest, holds), RUNS);
  t.pass('holds');
});
