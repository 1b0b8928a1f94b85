import { strict as assert } from 'node:assert';
import {
  type Cents,
  type Day,
  divideRounded,
  type Fixed,
  parseCents,
  parseDay,
  parseFixed,
  parseRate,
  type Rate,
} from '../../engine/index.js';

/** Readers for test data: text that does not parse fails the test with the text. */
function read<Value>(parse: (text: string) => Value | undefined, text: string): Value {
  const value = parse(text);
  assert(value !== undefined, `unreadable test data: ${text}`);
  return value;
}

export const dayFrom = (text: string): Day => read(parseDay, text);
export const centsFrom = (text: string): Cents => read(parseCents, text);
export const rateFrom = (text: string): Rate => read(parseRate, text);
export const fixedFrom = (text: string): Fixed => read(parseFixed, text);

/** `1e-9` or `0.0005` as a fixed-point number. */
export function toleranceFrom(text: string): Fixed {
  const exponent = /^1e-(\d+)$/.exec(text)?.[1];
  return fixedFrom(exponent === undefined ? text : `0.${'0'.repeat(Number(exponent) - 1)}1`);
}

/** Whether two numbers differ by no more than the tolerance. */
export function isWithin(actual: Fixed, expected: Fixed, tolerance: Fixed): boolean {
  const difference = actual > expected ? actual - expected : expected - actual;
  return difference <= tolerance;
}

/** A positive decimal rounded half-up to fewer decimals, as publications print it. */
export function withDecimals(text: string, decimals: number): string {
  const [whole = '', fraction = ''] = text.split('.');
  const dropped = 10n ** BigInt(fraction.length - decimals);
  const digits = divideRounded(BigInt(whole + fraction), dropped, 'halfUp')
    .toString()
    .padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
