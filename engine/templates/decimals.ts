import { TEMPLATE_LIMITS } from './limits.js';
import { failValue } from './template-error.js';
import { decimalText } from './values.js';

/*
 * Templates compute exactly, in units of 1e-10, so that no sum of amounts ends in 0.30000000000000004.
 */

const PLACES = 10;
const ONE = 10n ** BigInt(PLACES);
/** Of a text that says a number. */
const MOST_CHARACTERS = 40;
const NUMBER = /^(-?)(\d{1,16})(?:\.(\d+))?$/;

/** A number, or a text that is one, in units of 1e-10; finer digits are cut. Undefined for everything else. */
export function scaledOf(value: unknown): bigint | undefined {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.length > MOST_CHARACTERS)) return undefined;
  const match = NUMBER.exec(typeof value === 'number' ? decimalText(value) : value.trim());
  if (!match) return undefined;
  const [, sign, whole = '0', fraction = ''] = match;
  const scaled = BigInt(whole) * ONE + BigInt(fraction.slice(0, PLACES).padEnd(PLACES, '0'));
  return sign === '-' ? -scaled : scaled;
}

/** The number nearest to it. */
export function numberOf(scaled: bigint): number {
  const value = Number(decimalOf(scaled, PLACES));
  return Math.abs(value) > TEMPLATE_LIMITS.largestNumber ? failValue('The number is too large.') : value;
}

/** Digits with so many decimals, halves away from zero. */
export function decimalOf(scaled: bigint, places: number): string {
  const unit = 10n ** BigInt(PLACES - places);
  const size = scaled < 0n ? -scaled : scaled;
  const rounded = (size + unit / 2n) / unit;
  const digits = rounded.toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const sign = scaled < 0n && rounded !== 0n ? '-' : '';
  return places === 0 ? `${sign}${digits}` : `${sign}${whole}.${digits.slice(-places)}`;
}

const floored = (left: bigint, right: bigint): bigint => {
  const quotient = left / right;
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
};

const divisor = (right: bigint): bigint => (right === 0n ? failValue('Nothing is divided by zero.') : right);

/** Halves of the last unit away from zero. */
const divided = (left: bigint, right: bigint): bigint => {
  const size = ((left < 0n ? -left : left) * 2n + (right < 0n ? -right : right)) / ((right < 0n ? -right : right) * 2n);
  return left < 0n === right < 0n ? size : -size;
};

type Operation = (left: bigint, right: bigint) => bigint;

/** By the name of the filter. */
export const ARITHMETIC: Readonly<Record<'plus' | 'minus' | 'times' | 'divided_by' | 'modulo' | 'at_least' | 'at_most', Operation>> = {
  plus: (left, right) => left + right,
  minus: (left, right) => left - right,
  times: (left, right) => divided(left * right, ONE),
  divided_by: (left, right) => divided(left * ONE, divisor(right)),
  modulo: (left, right) => left - floored(left, divisor(right)) * right,
  at_least: (left, right) => (left < right ? right : left),
  at_most: (left, right) => (left > right ? right : left),
};

/** Of one number. */
export const WHOLE: Readonly<Record<'floor' | 'ceil' | 'abs', (value: bigint) => bigint>> = {
  floor: (value) => floored(value, ONE) * ONE,
  ceil: (value) => -floored(-value, ONE) * ONE,
  abs: (value) => (value < 0n ? -value : value),
};
