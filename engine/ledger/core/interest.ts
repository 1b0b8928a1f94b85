import { type Accrued, ACCRUED_ZERO, accruedUnits, MAX_CENTS, RATE_ONE, type Rounding, YEAR_UNITS } from '../../money/index.js';

/**
 * Exact interest as two plain numbers: whole cents, and the rest in the unit of `Accrued`, of which a cent has
 * `PARTS_OF_CENT`. It has the same value as an `Accrued`, but additions and products make no big integers, which were most of
 * the cost of a replay. Below zero the cents are negative and the parts stay positive. Values are immutable.
 */
export interface Interest {
  /** A safe integer. */
  readonly cents: number;
  /** 0 to `PARTS_OF_CENT` - 1. */
  readonly parts: number;
}

/** 1.6e14: a sum of two is far below the largest exact integer. */
export const PARTS_OF_CENT = RATE_ONE * YEAR_UNITS;

const EXACT_PARTS_OF_CENT = BigInt(PARTS_OF_CENT);

export const NO_INTEREST: Interest = { cents: 0, parts: 0 };

export const centsOfInterest = (cents: number): Interest => ({ cents, parts: 0 });

export function plus(a: Interest, b: Interest): Interest {
  const parts = a.parts + b.parts;
  const cents = a.cents + b.cents;
  return parts < PARTS_OF_CENT ? { cents, parts } : { cents: cents + 1, parts: parts - PARTS_OF_CENT };
}

export function minus(a: Interest, b: Interest): Interest {
  const parts = a.parts - b.parts;
  const cents = a.cents - b.cents;
  return parts >= 0 ? { cents, parts } : { cents: cents - 1, parts: parts + PARTS_OF_CENT };
}

export const plusCents = (a: Interest, cents: number): Interest => (cents === 0 ? a : { cents: a.cents + cents, parts: a.parts });

export const minusCents = (a: Interest, cents: number): Interest => ({ cents: a.cents - cents, parts: a.parts });

export const isMore = (a: Interest, b: Interest): boolean => a.cents > b.cents || (a.cents === b.cents && a.parts > b.parts);

export const isSame = (a: Interest, b: Interest): boolean => a.cents === b.cents && a.parts === b.parts;

export const isZero = (a: Interest): boolean => a.cents === 0 && a.parts === 0;

/** In cents, halves up. */
export const roundedCents = (interest: Interest): number => (interest.parts * 2 >= PARTS_OF_CENT ? interest.cents + 1 : interest.cents);

/** In cents, with a named rounding; for interest of zero or more. */
export function roundedBy(interest: Interest, rounding: Rounding): number {
  const { cents, parts } = interest;
  switch (rounding) {
    case 'halfUp':
      return roundedCents(interest);
    case 'halfEven':
      return parts * 2 === PARTS_OF_CENT ? cents + (cents % 2) : roundedCents(interest);
    case 'up':
      return parts > 0 ? cents + 1 : cents;
    case 'down':
      return cents;
  }
}

/** In cents with their fraction, as a double. */
export const inexactCents = (interest: Interest): number => interest.cents + interest.parts / PARTS_OF_CENT;

/** As one integer, for the interface. */
export const accruedOf = (interest: Interest): Accrued =>
  isZero(interest) ? ACCRUED_ZERO : accruedUnits(BigInt(interest.cents) * EXACT_PARTS_OF_CENT + BigInt(interest.parts));

/**
 * Up to this product a quotient in doubles is off by at most one, and the error of a product is a safe integer: the relative
 * error of two operations is 2^-52, and no loan's cents reach 2^50.
 */
const LARGEST_PRODUCT = 2 ** 50 * PARTS_OF_CENT;

/** 700 percent over a year of day units: up to this growth, the parts of a base also earn less than `LARGEST_PRODUCT`. */
const LARGEST_GROWTH = 2 ** 50;

/** `base * rate * units` in parts: simple interest on whole cents of zero or more for this many day units. */
export function simpleInterest(base: number, rate: number, units: number): Interest {
  const growth = rate * units;
  const product = base * growth;
  if (growth > LARGEST_GROWTH || product > LARGEST_PRODUCT) return boundedInterest(BigInt(base) * BigInt(rate) * BigInt(units));
  const cents = Math.floor(product / PARTS_OF_CENT);
  const whole = cents * PARTS_OF_CENT;
  // The remainder is small, so the difference of the rounded products and the difference of their errors are both exact.
  const parts = product - whole + (productError(base, growth, product) - errorOfParts(cents, whole));
  if (parts < 0) return { cents: cents - 1, parts: parts + PARTS_OF_CENT };
  return parts < PARTS_OF_CENT ? { cents, parts } : { cents: cents + 1, parts: parts - PARTS_OF_CENT };
}

/**
 * One day of compound interest: the parts of the base earn too. Rounded to whole parts, halves up, like `compoundInterest`
 * in `engine/rates`.
 */
export function compoundedInterest(base: Interest, rate: number, units: number): Interest {
  const growth = rate * units;
  if (growth > LARGEST_GROWTH || (base.cents + 1) * growth > LARGEST_PRODUCT) {
    return boundedInterest((accruedOf(base) * BigInt(rate) * BigInt(units) + EXACT_PARTS_OF_CENT / 2n) / EXACT_PARTS_OF_CENT);
  }
  const ofCents = simpleInterest(base.cents, rate, units);
  const ofParts = roundedCents(simpleInterest(base.parts, rate, units));
  const parts = ofCents.parts + ofParts;
  if (parts < PARTS_OF_CENT) return { cents: ofCents.cents, parts };
  const carried = Math.floor(parts / PARTS_OF_CENT);
  return { cents: ofCents.cents + carried, parts: parts - carried * PARTS_OF_CENT };
}

/** Larger than every amount of a loan: callers clip interest at `MAX_CENTS`, so all larger values give the same result. */
function boundedInterest(accrued: bigint): Interest {
  const cents = accrued / EXACT_PARTS_OF_CENT;
  if (cents > BigInt(MAX_CENTS)) return { cents: MAX_CENTS + 1, parts: 0 };
  return { cents: Number(cents), parts: Number(accrued % EXACT_PARTS_OF_CENT) };
}

const SPLITTER = 2 ** 27 + 1;

/** The upper 26 bits of a factor. */
const highOf = (factor: number): number => {
  const spread = SPLITTER * factor;
  return spread - (spread - factor);
};

const HIGH_PARTS_OF_CENT = highOf(PARTS_OF_CENT);
const LOW_PARTS_OF_CENT = PARTS_OF_CENT - HIGH_PARTS_OF_CENT;

/** `a * b - product` exactly, for the rounded `product` (Dekker 1971): both factors are split in halves of 26 bits. */
function productError(a: number, b: number, product: number): number {
  const highA = highOf(a);
  const lowA = a - highA;
  const highB = highOf(b);
  const lowB = b - highB;
  return highA * highB - product + highA * lowB + lowA * highB + lowA * lowB;
}

/** The same of a product with `PARTS_OF_CENT`. */
function errorOfParts(cents: number, product: number): number {
  const high = highOf(cents);
  const low = cents - high;
  return high * HIGH_PARTS_OF_CENT - product + high * LOW_PARTS_OF_CENT + low * HIGH_PARTS_OF_CENT + low * LOW_PARTS_OF_CENT;
}
