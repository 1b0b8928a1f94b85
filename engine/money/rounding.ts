import { assert } from '../assert.js';
import { type Cents, cents } from './cents.js';
import { RATE_ONE } from './rate.js';

/** How a quotient becomes an integer. Every rounding of the ledger names one of these. */
export type Rounding = 'halfUp' | 'halfEven' | 'up' | 'down';

/**
 * `numerator / denominator` as an integer. `halfUp` takes halves away from zero, `up` goes away from
 * zero, `down` truncates towards it.
 */
export function divideRounded(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  assert(denominator > 0n, 'a divisor must be positive');
  const negative = numerator < 0n;
  const size = negative ? -numerator : numerator;
  const quotient = size / denominator;
  const remainder = size - quotient * denominator;
  const rounded = quotient + (goesAway(quotient, remainder, denominator, rounding) ? 1n : 0n);
  return negative ? -rounded : rounded;
}

function goesAway(quotient: bigint, remainder: bigint, denominator: bigint, rounding: Rounding): boolean {
  if (remainder === 0n) return false;
  switch (rounding) {
    case 'down':
      return false;
    case 'up':
      return true;
    case 'halfUp':
      return remainder * 2n >= denominator;
    case 'halfEven':
      return remainder * 2n > denominator || (remainder * 2n === denominator && quotient % 2n === 1n);
  }
}

/** A share of an amount, in whole cents. The share is an integer of 1e-8, as a `Rate` is. Throws beyond the bounds of `Cents`. */
export const shareOfCents = (amountCents: number, share: number, rounding: Rounding): Cents =>
  cents(Number(divideRounded(BigInt(amountCents) * BigInt(share), BigInt(RATE_ONE), rounding)));
