import { Bug } from '../assert.js';

declare const brand: unique symbol;

/** Money in whole cents: a safe integer, so at most 90 trillion in either direction. */
export type Cents = number & { readonly [brand]: 'Cents' };

export const ZERO = cents(0);

/** The largest amount that a request may name: 9,999,999,999,999.99. Its text has at most 15 digits. */
export const MAX_CENTS = cents(999_999_999_999_999);

/** Brands an integer. A fraction or an unsafe integer is a bug of the caller. */
export function cents(value: number): Cents {
  if (!isCents(value)) throw new Bug(`not an amount in cents: ${value}`);
  return value;
}

function isCents(value: number): value is Cents {
  return Number.isSafeInteger(value);
}

const AMOUNT = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/;

/** Reads `12`, `12.5` or `12.50`. Undefined for everything else: finer than a cent, exponents, too large. */
export function parseCents(text: string): Cents | undefined {
  const match = AMOUNT.exec(text);
  if (!match) return undefined;
  const [, sign, whole, fraction = ''] = match;
  const value = Number(whole) * 100 + Number(fraction.padEnd(2, '0') || 0);
  return cents(sign === '-' && value !== 0 ? -value : value);
}

const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => value.toString().padStart(2, '0'));
const twoDigits = (value: number): string => TWO_DIGITS[value] ?? '';

/** Prints exactly two decimals: `-0.05`, `12.50`. */
export function formatCents(value: Cents): string {
  const size = Math.abs(value);
  const whole = Math.floor(size / 100);
  return `${value < 0 ? '-' : ''}${whole}.${twoDigits(size - whole * 100)}`;
}

/** The same for an amount that is known as a number. One that is not in whole cents is a bug of the caller. */
export const amountText = (value: number): string => formatCents(cents(value));

export const add = (a: Cents, b: Cents): Cents => cents(a + b);
export const subtract = (a: Cents, b: Cents): Cents => cents(a - b);
export const least = (a: Cents, b: Cents): Cents => (a < b ? a : b);
export const greatest = (a: Cents, b: Cents): Cents => (a > b ? a : b);

export function sum(values: Iterable<Cents>): Cents {
  let total = 0;
  for (const value of values) total += value;
  return cents(total);
}
