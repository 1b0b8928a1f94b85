import { assert } from '../assert.js';
import { divideRounded, type Rate, rate, RATE_ONE, type Rounding } from '../money/index.js';

declare const brand: unique symbol;

/** A real number as a whole multiple of 2^-128: some 38 decimals, of which solving and powers spend a few. */
export type Fixed = bigint & { readonly [brand]: 'Fixed' };

const BITS = 128n;

/** Brands a multiple of 2^-128. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every whole number is such a multiple: nothing can be checked
export const fixedBits = (value: bigint): Fixed => value as Fixed;

export const FIXED_ONE = fixedBits(1n << BITS);
export const FIXED_ZERO = fixedBits(0n);

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Reads a decimal of any length. Undefined for anything else. */
export function parseFixed(text: string): Fixed | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  return fixedRatio(BigInt(`${sign}${whole}${fraction}`), 10n ** BigInt(fraction.length));
}

/** Prints with so many decimals, halves away from zero. */
export function formatFixed(value: Fixed, decimals: number): string {
  const scaled = divideRounded(value * 10n ** BigInt(decimals), FIXED_ONE, 'halfUp');
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${scaled < 0n ? '-' : ''}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}`;
}

export const wholeFixed = (value: number): Fixed => fixedBits(BigInt(value) << BITS);

export function fixedRatio(numerator: bigint, denominator: bigint): Fixed {
  assert(denominator !== 0n, 'a ratio needs a denominator');
  return fixedBits((numerator << BITS) / denominator);
}

export const fixedOfRate = (value: Rate): Fixed => fixedRatio(BigInt(value), BigInt(RATE_ONE));

/** To a rate in steps of `stepRate`: 1 keeps all eight decimals, 100 six. Never above `MAX_RATE`. */
export function rateOfFixed(value: Fixed, stepRate: number, rounding: Rounding): Rate {
  const steps = divideRounded(value * BigInt(RATE_ONE), FIXED_ONE * BigInt(stepRate), rounding);
  const units = steps * BigInt(stepRate);
  return units > BigInt(MAX_RATE) ? MAX_RATE : rate(Number(units));
}

/** The greatest rate that the interface can carry: 999,999.99999999. */
export const MAX_RATE = rate(999_999 * RATE_ONE + (RATE_ONE - 1));

export const addFixed = (a: Fixed, b: Fixed): Fixed => fixedBits(a + b);
export const subtractFixed = (a: Fixed, b: Fixed): Fixed => fixedBits(a - b);
export const multiplyFixed = (a: Fixed, b: Fixed): Fixed => fixedBits((a * b) >> BITS);
export const divideFixed = (a: Fixed, b: Fixed): Fixed => fixedRatio(a, b);

/** `base` to a whole exponent of either sign. */
export function powerFixed(base: Fixed, exponent: number): Fixed {
  assert(Number.isSafeInteger(exponent), `not a whole exponent: ${exponent}`);
  if (exponent < 0) return divideFixed(FIXED_ONE, powerFixed(base, -exponent));
  let result = FIXED_ONE;
  let square = base;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = multiplyFixed(result, square);
    if (left > 1) square = multiplyFixed(square, square);
  }
  return result;
}

/** The positive `degree`-th root of a positive number, by Newton's method from above. */
export function rootFixed(value: Fixed, degree: number): Fixed {
  assert(value > 0n && Number.isSafeInteger(degree) && degree > 0, 'a root needs a positive number and degree');
  if (degree === 1) return value;
  const wanted = BigInt(degree);
  let guess = rootAbove(value, degree);
  for (;;) {
    const next = fixedBits(((wanted - 1n) * guess + divideFixed(value, powerFixed(guess, degree - 1))) / wanted);
    if (next >= guess) return guess;
    guess = next;
  }
}

/**
 * A start above the root: 1 + (value - 1) / degree by Bernoulli's inequality, which is near for values near 1, or the power
 * of two above, which is nearer for large ones; 1 for numbers below 1.
 */
function rootAbove(value: Fixed, degree: number): Fixed {
  if (value <= FIXED_ONE) return FIXED_ONE;
  const bernoulli = FIXED_ONE + (value - FIXED_ONE) / BigInt(degree) + 1n;
  const bits = (value >> BITS).toString(2).length;
  const powerOfTwo = FIXED_ONE << BigInt(Math.ceil(bits / degree));
  return fixedBits(bernoulli < powerOfTwo ? bernoulli : powerOfTwo);
}
