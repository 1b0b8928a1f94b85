import { type Cents, cents } from './cents.js';
import { divideRounded, type Rounding } from './rounding.js';

declare const brand: unique symbol;

/**
 * Interest as an exact fraction of a cent. The unit is one cent / (1e8 * 1,603,080): rates are integers of
 * 1e-8 and 1,603,080 is the least common multiple of 360, 365 and 366, so that simple interest of any
 * mixture of days and rates is a whole number of units and nothing is rounded before the named place.
 */
export type Accrued = bigint & { readonly [brand]: 'Accrued' };

/** Least common multiple of the year lengths 360, 365 and 366. */
export const YEAR_UNITS = 1_603_080;

const UNITS_PER_CENT = 100_000_000n * BigInt(YEAR_UNITS);

/** The tenth decimal of the currency unit is the eighth of a cent. */
const UNITS_PER_TENTH_DECIMAL = BigInt(YEAR_UNITS);
const TENTH_DECIMAL = 1e10;

/** Brands a whole number of units. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every whole number is an amount of units: nothing can be checked
export const accruedUnits = (value: bigint): Accrued => value as Accrued;

export const ACCRUED_ZERO = accruedUnits(0n);

/**
 * Simple interest of `base` at `rate` for `dayUnits`, where a day of a year of 365 days has
 * `YEAR_UNITS / 365` units.
 */
export function accrue(base: Cents, rate: number, dayUnits: number): Accrued {
  return accruedUnits(BigInt(base) * BigInt(rate) * BigInt(dayUnits));
}

export function accruedOfCents(value: Cents): Accrued {
  return accruedUnits(BigInt(value) * UNITS_PER_CENT);
}

export function roundAccrued(value: Accrued, rounding: Rounding): Cents {
  return cents(Number(divideRounded(value, UNITS_PER_CENT, rounding)));
}

export const addAccrued = (a: Accrued, b: Accrued): Accrued => accruedUnits(a + b);
export const subtractAccrued = (a: Accrued, b: Accrued): Accrued => accruedUnits(a - b);

/** The unrounded amount in the currency's unit with ten decimals, halves up: `15.3863013699`. */
export function formatAccrued(value: Accrued): string {
  const scaled = divideRounded(value, UNITS_PER_TENTH_DECIMAL, 'halfUp');
  const sign = scaled < 0n ? '-' : '';
  const size = Number(scaled < 0n ? -scaled : scaled);
  if (size <= Number.MAX_SAFE_INTEGER) {
    const whole = Math.floor(size / TENTH_DECIMAL);
    const fraction = size - whole * TENTH_DECIMAL;
    const first = Math.floor(fraction / 1e8);
    const others = fraction - first * 1e8;
    const middle = Math.floor(others / 1e4);
    return `${sign}${whole}.${digitsOf(first, 2)}${digitsOf(middle, 4)}${digitsOf(others - middle * 1e4, 4)}`;
  }
  const digits = (scaled < 0n ? -scaled : scaled).toString();
  return `${sign}${digits.slice(0, -10)}.${digits.slice(-10)}`;
}

const FOUR_DIGITS = Array.from({ length: 10_000 }, (_, value) => value.toString().padStart(4, '0'));
const TWO_DIGITS = FOUR_DIGITS.slice(0, 100).map((text) => text.slice(2));

/** A small number with leading zeros, from a table: schedules print thousands of them. */
const digitsOf = (value: number, count: 2 | 4): string => (count === 2 ? TWO_DIGITS : FOUR_DIGITS)[value] ?? '';
