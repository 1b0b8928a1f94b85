import { assert } from '../assert.js';
import { civil, type Day, dayOf, daysInMonth } from '../calendar/index.js';
import type { Cents } from '../money/index.js';
import type { UnitPeriod } from './apr.js';
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

/** A span in unit periods: whole ones, which compound, and a fraction, which does not. */
export interface Timing {
  readonly whole: number;
  readonly part: number;
  /** The fraction is `part / parts`. */
  readonly parts: number;
}

const NOW: Timing = { whole: 0, part: 0, parts: 1 };

const DAYS_PER_YEAR = 365;

/** Day numbers above this lie in the second half of a month. */
const FIRST_HALF_DAYS = 15;

/**
 * How to count the unit periods from the zero point of a transaction to each of its dates. Whole ones are counted
 * backwards from the later date, so that the remainder stands in front (Appendix J (b)(5)).
 *
 * | Unit          | Remainder                                              |
 * |---------------|--------------------------------------------------------|
 * | month         | days / 30                                              |
 * | m months      | (30 x months + days) / (30 m): its fraction            |
 * | semimonth     | (30 x months + days) / 15: its fraction, one for the series |
 * | day, k weeks  | none, days / (7 k)                                     |
 * | year          | whole months / 12, else days / 365                     |
 * | single term   | none: the term is the unit                             |
 */
export function timings(unit: UnitPeriod, origin: Day, dates: readonly Day[]): readonly Timing[] {
  switch (unit.type) {
    case 'day':
      return dates.map((date) => ({ ...NOW, whole: date - origin }));
    case 'weeks':
      return dates.map((date) => split(date - origin, 7 * unit.count));
    case 'months': {
      const anchor = anchorDay(dates);
      return dates.map((date) => monthsTiming(origin, date, anchor, unit.count));
    }
    case 'semimonth':
      return semimonths(origin, dates);
    case 'year': {
      const anchor = anchorDay(dates);
      return dates.map((date) => yearTiming(origin, date, anchor));
    }
    case 'termInDays':
    case 'termInMonths':
      return dates.map((date) => (date === origin ? NOW : { ...NOW, whole: 1 }));
  }
}

function split(amount: number, parts: number): Timing {
  const whole = Math.floor(amount / parts);
  return { whole, part: amount - whole * parts, parts };
}

function monthsTiming(origin: Day, date: Day, anchor: number, count: number): Timing {
  const { months, days } = monthsBack(origin, date, anchor);
  return split(30 * months + days, 30 * count);
}

function yearTiming(origin: Day, date: Day, anchor: number): Timing {
  const { months, days } = monthsBack(origin, date, anchor);
  const whole = Math.floor(months / 12);
  if (days === 0) return { whole, part: months - 12 * whole, parts: 12 };
  return { whole, part: monthsEarlier(date, 12 * whole, anchor) - origin, parts: DAYS_PER_YEAR };
}

/** The series keeps the fraction of its first date; a date that is off its two days is counted for itself. */
function semimonths(origin: Day, dates: readonly Day[]): readonly Timing[] {
  const series = dates.filter((date) => date > origin);
  const halves = [series.filter(isFirstHalf), series.filter((date) => !isFirstHalf(date))].map(anchorDay);
  const isRegular = (date: Day): boolean => isAnchored(date, halves[isFirstHalf(date) ? 0 : 1] ?? 0);
  const first = series.find(isRegular);
  const start = first === undefined ? NOW : semimonthTiming(origin, first);
  return dates.map((date) => {
    if (date <= origin) return NOW;
    if (first === undefined || date < first || !isRegular(date)) return semimonthTiming(origin, date);
    return { ...start, whole: start.whole + halfMonthIndex(date) - halfMonthIndex(first) };
  });
}

function semimonthTiming(origin: Day, date: Day): Timing {
  const { months, days } = monthsBack(origin, date, 0);
  return split(30 * months + days, 15);
}

const isFirstHalf = (date: Day): boolean => civil(date).day <= FIRST_HALF_DAYS;

function halfMonthIndex(date: Day): number {
  const { year, month } = civil(date);
  return (year * 12 + month) * 2 + (isFirstHalf(date) ? 0 : 1);
}

/** The greatest number of whole months that fits between two dates, counted back from the later, and the days left. */
function monthsBack(origin: Day, date: Day, anchor: number): { readonly months: number; readonly days: number } {
  assert(date >= origin, 'unit periods are counted forward from the zero point');
  const from = civil(origin);
  const to = civil(date);
  let months = (to.year - from.year) * 12 + to.month - from.month;
  let back = monthsEarlier(date, months, anchor);
  if (back < origin) {
    months -= 1;
    back = monthsEarlier(date, months, anchor);
  }
  return { months, days: origin === back ? 0 : back - origin };
}

/** A date so many months earlier. The last day of a short month stands for the anchor day of its series. */
function monthsEarlier(date: Day, months: number, anchor: number): Day {
  if (months === 0) return date;
  const { year, month, day } = civil(date);
  const index = year * 12 + month - 1 - months;
  const targetYear = Math.floor(index / 12);
  const targetMonth = index - targetYear * 12 + 1;
  const wanted = anchor > day && day === daysInMonth(year, month) ? anchor : day;
  return dayOf(targetYear, targetMonth, Math.min(wanted, daysInMonth(targetYear, targetMonth)));
}

/** The day of the month that a series keeps, or 0 when its dates keep none. */
function anchorDay(dates: readonly Day[]): number {
  const anchor = Math.max(0, ...dates.map((date) => civil(date).day));
  return dates.every((date) => isAnchored(date, anchor)) ? anchor : 0;
}

function isAnchored(date: Day, anchor: number): boolean {
  const { year, month, day } = civil(date);
  return day === Math.min(anchor, daysInMonth(year, month));
}

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
