import { Big } from 'big.js';
import type { RateInput } from '../../../engine/index.js';
import { max, min, sum, ZERO } from './parts.js';

interface Band {
  readonly from: number;
  readonly until: number | null;
  readonly rate: number;
}

/**
 * The rate of a day: the lowest of several interest rates, a spread with the index of that day, at
 * most the lowest cap; less the sum of promos, but never negative.
 */
export function rateOn(rows: RateInput, day: number): Big {
  const index = [...(rows.index ?? [])].sort((a, b) => a.from - b.from).findLast(({ from }) => from <= day)?.rate ?? 0;
  const inForce = ({ from, until }: Band): boolean => from <= day && (until === null || day < until);
  const valueOf = (band: Band & { readonly type?: string }): Big => new Big(band.rate).plus(band.type === 'spread' ? index : 0);
  const interest = rows.interest.filter(inForce).map(valueOf);
  if (interest.length === 0) return ZERO;
  const bounds = (rows.caps ?? []).filter(inForce).map(valueOf);
  const gross = max(ZERO, [...interest, ...bounds].reduce(min));
  const promos = sum((rows.promos ?? []).filter(inForce).map(valueOf));
  return max(ZERO, gross.minus(promos)).div(100_000_000);
}
