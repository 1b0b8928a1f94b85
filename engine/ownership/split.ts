import { assert } from '../assert.js';
import { shareOfCents, type Cents, cents, type Rate, RATE_ONE } from '../money/index.js';

/**
 * An amount split among owners by their shares, to the cent: the one place where a participation is rounded. Each part is cut to whole
 * cents; the cents that are left go to the largest remainders, and among equal ones to the first in the list. The parts always sum to the
 * whole. A negative amount is split as its opposite, so that taking an amount back takes back the same parts.
 *
 * `shares` sum to one.
 */
export function splitByShares(whole: Cents, shares: readonly Rate[]): readonly Cents[] {
  assert(shares.reduce((sum, share) => sum + share, 0) === RATE_ONE, 'the shares of all owners sum to one');
  return splitByWeights(whole, shares);
}

/** The same by weights of any sum: integers that are not negative, and not all zero. */
export function splitByWeights(whole: Cents, weights: readonly number[]): readonly Cents[] {
  const sum = weights.reduce((total, weight) => total + BigInt(weight), 0n);
  assert(sum > 0n && weights.every((weight) => weight >= 0), 'weights are not negative, and not all zero');
  const size = BigInt(Math.abs(whole));
  const products = weights.map((weight) => size * BigInt(weight));
  const parts = products.map((product) => Number(product / sum));
  const remainders = products.map((product, at) => ({ at, remainder: product % sum }));
  const left = Math.abs(whole) - parts.reduce((total, part) => total + part, 0);
  const first = remainders.sort((a, b) => (a.remainder === b.remainder ? a.at - b.at : a.remainder > b.remainder ? -1 : 1));
  for (const { at } of first.slice(0, left)) parts[at] = (parts[at] ?? 0) + 1;
  return parts.map((part) => cents(whole < 0 && part !== 0 ? -part : part));
}

/** An agency's part of one payment that it has collected, rounded half up to the cent: the one place where a commission is rounded. */
export const commissionOn = (collected: Cents, commissionRate: Rate): Cents => shareOfCents(collected, commissionRate, 'halfUp');
