import type { Cents } from '../money/index.js';
import {
  addFixed,
  divideFixed,
  type Fixed,
  FIXED_ONE,
  FIXED_ZERO,
  fixedBits,
  fixedRatio,
  multiplyFixed,
  powerFixed,
  subtractFixed,
} from './fixed-point.js';
import type { Timing } from './timing.js';

/** An amount at a number of unit periods from the zero point: advances are positive, payments negative. */
export interface TimedAmount {
  readonly amountCents: Cents;
  readonly timing: Timing;
}

/** Halving steps that a bracket may need: from the widest interval down to the last bit of a fixed-point number. */
const MAX_STEPS = 400;

/** A root is found when a step is below 2^-100, thirty decimals. */
const CLOSE_ENOUGH = 1n << 28n;

/** Estimates are taken over with 52 bits after the point. */
const ESTIMATE_SCALE = 2 ** 52;

const MAX_ESTIMATE_STEPS = 40;

/** An exact step from a good estimate is below 2^-40; the error after it is its square. */
const SHORT_STEP = 1n << 88n;

/** First upper bound that is tried: 1 % a unit period. */
const FIRST_BOUND = fixedRatio(1n, 100n);

/** The scan for a change of sign grows the bound by half, up to this many unit rates. */
const HIGHEST_BOUND = fixedRatio(10n ** 9n, 1n);

/**
 * The unit-period rate `i` of Appendix J (b)(8): `sum A / ((1 + e i)(1 + i)^q) = sum P / ((1 + f i)(1 + i)^t)`. Zero when
 * the payments do not exceed the advances; null when they do at any rate (a payment on the day of the advance).
 *
 * The first change of sign above zero counts: with payments before advances there may be more. Inside the bracket Newton's
 * steps are taken while they stay in it, halving otherwise.
 */
export function solveUnitPeriodRate(amounts: readonly TimedAmount[]): Fixed | null {
  if (amounts.reduce((total, { amountCents }) => total + amountCents, 0) >= 0) return FIXED_ZERO;
  const ordered = [...amounts].sort((a, b) => a.timing.whole - b.timing.whole);
  return polished(ordered, estimate(ordered)) ?? searched(ordered);
}

/** Bracketing from zero upwards, then the root in the bracket. */
function searched(ordered: readonly TimedAmount[]): Fixed | null {
  let low = FIXED_ZERO;
  let high = FIRST_BOUND;
  while (presentValue(ordered, high).value < 0n) {
    if (high > HIGHEST_BOUND) return null;
    low = high;
    high = fixedBits(high + high / 2n);
  }
  return refine(ordered, low, high);
}

/**
 * The usual loan pays out once, at the start: its present value has one root, which an estimate in floating point meets to
 * some fifteen digits. One exact step doubles them; a longer step means that the estimate was none.
 */
function polished(amounts: readonly TimedAmount[], guess: number | null): Fixed | null {
  if (guess === null) return null;
  const start = fixedRatio(BigInt(Math.round(guess * ESTIMATE_SCALE)), BigInt(ESTIMATE_SCALE));
  const { value, slope } = presentValue(amounts, start);
  if (slope <= 0n) return null;
  const step = divideFixed(value, slope);
  const size = step < 0n ? -step : step;
  return size < SHORT_STEP ? subtractFixed(start, step) : null;
}

/**
 * Newton's method from zero in floating point: a start only, no result depends on its last digits. Amounts are in order of
 * whole periods.
 */
function estimate(amounts: readonly TimedAmount[]): number | null {
  if (amounts.some(({ amountCents, timing }) => amountCents > 0 && (timing.whole > 0 || timing.part > 0))) return null;
  let guess = 0;
  for (let step = 0; step < MAX_ESTIMATE_STEPS; step += 1) {
    const discount = 1 / (1 + guess);
    let value = 0;
    let slope = 0;
    let factor = 1;
    let passed = 0;
    for (const { amountCents, timing } of amounts) {
      const { whole } = timing;
      if (whole !== passed) factor *= whole === passed + 1 ? discount : discount ** (whole - passed);
      passed = whole;
      const fraction = timing.part / timing.parts;
      const partDiscount = 1 / (1 + fraction * guess);
      const term = amountCents * partDiscount * factor;
      value += term;
      slope -= term * (whole * discount + fraction * partDiscount);
    }
    const next = guess - value / slope;
    if (!Number.isFinite(next) || next < 0 || next > 1) return null;
    if (Math.abs(next - guess) < 1e-13) return next;
    guess = next;
  }
  return null;
}

function refine(amounts: readonly TimedAmount[], lowest: Fixed, highest: Fixed): Fixed {
  let low = lowest;
  let high = highest;
  let guess = low;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { value, slope } = presentValue(amounts, guess);
    if (value === 0n) return guess;
    if (value < 0n) low = guess;
    else high = guess;
    const newton = slope === 0n ? low : subtractFixed(guess, divideFixed(value, slope));
    const next = newton > low && newton < high ? newton : fixedBits((low + high) / 2n);
    const moved = next > guess ? next - guess : guess - next;
    guess = next;
    if (moved < CLOSE_ENOUGH || high - low < CLOSE_ENOUGH) return guess;
  }
  return guess;
}

interface ValueAndSlope {
  readonly value: Fixed;
  /** Derivative by the rate. */
  readonly slope: Fixed;
}

/** The sum of the discounted amounts at a rate, and how it changes with the rate. Amounts are in order of whole periods. */
function presentValue(amounts: readonly TimedAmount[], unitRate: Fixed): ValueAndSlope {
  const discount = divideFixed(FIXED_ONE, addFixed(FIXED_ONE, unitRate));
  let factor = FIXED_ONE;
  let whole = 0;
  let part = 0;
  let parts = 1;
  let partDiscount = FIXED_ONE;
  let partSlope = FIXED_ZERO;
  let value = 0n;
  let wholeSlope = 0n;
  let fractionSlope = 0n;
  for (const { amountCents, timing } of amounts) {
    if (timing.whole !== whole) {
      factor = multiplyFixed(factor, timing.whole === whole + 1 ? discount : powerFixed(discount, timing.whole - whole));
      whole = timing.whole;
    }
    if (timing.part !== part || timing.parts !== parts) {
      ({ part, parts } = timing);
      const fraction = fixedRatio(BigInt(part), BigInt(parts));
      partDiscount = divideFixed(FIXED_ONE, addFixed(FIXED_ONE, multiplyFixed(fraction, unitRate)));
      partSlope = multiplyFixed(fraction, partDiscount);
    }
    const term = fixedBits(BigInt(amountCents) * (part === 0 ? factor : multiplyFixed(factor, partDiscount)));
    value += term;
    wholeSlope += term * BigInt(timing.whole);
    if (part !== 0) fractionSlope += multiplyFixed(term, partSlope);
  }
  const slope = -multiplyFixed(fixedBits(wholeSlope), discount) - fractionSlope;
  return { value: fixedBits(value), slope: fixedBits(slope) };
}
