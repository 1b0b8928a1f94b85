import { assert } from './assert.js';
import type { Day } from './calendar/index.js';
import { type Cents, cents, type Rate, RATE_ONE, shareOfCents } from './money/index.js';

/** New owners of a loan from a day on; null: from its beginning. */
interface OwnerChange<Owner> {
  readonly effectiveDay: Day | null;
  readonly owners: readonly Owner[];
}

/** Owners of a loan through some days: from a day (null: the beginning) until the day before `until` (null: no end is known). */
export interface OwnershipSpan<Owner> {
  readonly from: Day | null;
  readonly until: Day | null;
  readonly owners: readonly Owner[];
}

/**
 * Who owns a loan when. `changes` are in the order of recording: each replaces the owners from its day on, those of changes that were
 * recorded earlier and begin later included.
 */
export function ownershipSpans<Owner>(changes: readonly OwnerChange<Owner>[]): readonly OwnershipSpan<Owner>[] {
  const kept: OwnerChange<Owner>[] = [];
  for (const change of changes) {
    while (startOf(kept.at(-1)) >= startOf(change) && kept.length > 0) kept.pop();
    kept.push(change);
  }
  return kept.map(({ effectiveDay, owners }, at) => ({ from: effectiveDay, until: kept[at + 1]?.effectiveDay ?? null, owners }));
}

const startOf = (change: OwnerChange<unknown> | undefined): number => change?.effectiveDay ?? -Infinity;

/** The owners on a day; before the first known day those of the first. Nobody: the lender owns the loan alone. */
export function ownersOn<Owner>(spans: readonly OwnershipSpan<Owner>[], day: Day): readonly Owner[] {
  const current = spans.findLast(({ from }) => from === null || from <= day) ?? spans[0];
  return current?.owners ?? [];
}

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
