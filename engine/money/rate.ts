import { Bug } from '../assert.js';

declare const brand: unique symbol;

/** An annual rate as an integer of 1e-8: 0.0525 (5.25 % a year) is 5,250,000. At most eight decimals. */
export type Rate = number & { readonly [brand]: 'Rate' };

/** One whole, 100 % a year. */
export const RATE_ONE = 100_000_000;

export const RATE_ZERO = rate(0);

export function rate(value: number): Rate {
  if (!isRate(value)) throw new Bug(`not a rate in 1e-8: ${value}`);
  return value;
}

function isRate(value: number): value is Rate {
  return Number.isSafeInteger(value);
}

const RATE = /^(-?)(\d{1,6})(?:\.(\d{1,8}))?$/;

/** Reads `0.0525`. Undefined for more than eight decimals, exponents and non-numbers. */
export function parseRate(text: string): Rate | undefined {
  const match = RATE.exec(text);
  if (!match) return undefined;
  const [, sign, whole, fraction = ''] = match;
  const value = Number(whole) * RATE_ONE + Number(fraction.padEnd(8, '0') || 0);
  return rate(sign === '-' && value !== 0 ? -value : value);
}

/** Prints the shortest decimal: `0.0525`, `0`. */
export function formatRate(value: Rate): string {
  const size = Math.abs(value);
  const whole = Math.floor(size / RATE_ONE);
  let fraction = size - whole * RATE_ONE;
  const sign = value < 0 ? '-' : '';
  if (fraction === 0) return `${sign}${whole}`;
  let decimals = 8;
  for (; fraction % 10 === 0; decimals -= 1) fraction /= 10;
  return `${sign}${whole}.${fraction.toString().padStart(decimals, '0')}`;
}
