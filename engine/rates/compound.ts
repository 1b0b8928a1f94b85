import { addDays, type Day, type DayCountMethod, dayUnits } from '../calendar/index.js';
import { type Accrued, type Rate, RATE_ONE, YEAR_UNITS } from '../money/index.js';
import { netRateSegments, rateOn, type RateTimeline } from './timeline.js';

/** What one cent of balance earns, in `Accrued` units: with all promos, and without them. */
export interface Growth {
  readonly net: bigint;
  readonly gross: bigint;
}

/** Simple interest of one cent over `[from, to)`: exact, and additive over adjoining ranges. */
export function simpleGrowth(timeline: RateTimeline, method: DayCountMethod, from: Day, to: Day): Growth {
  const only = rateOn(timeline, from);
  if (from < to && only.until >= to) {
    const units = dayUnits(method, from, to);
    const net = unitsOf(only.net, units);
    return { net, gross: only.gross === only.net ? net : unitsOf(only.gross, units) };
  }
  let net = 0n;
  let gross = 0n;
  for (const segment of netRateSegments(timeline, from, to)) {
    const units = BigInt(dayUnits(method, segment.from, segment.until));
    net += BigInt(segment.net) * units;
    gross += BigInt(segment.gross) * units;
  }
  return { net, gross };
}

/** The product of two whole numbers, in floating point while that is exact. */
function unitsOf(rate: Rate, units: number): bigint {
  const product = rate * units;
  return Number.isSafeInteger(product) ? BigInt(product) : BigInt(rate) * BigInt(units);
}

/** What bears interest: `simple` principal, `compound` unpaid interest too, `compoundWithFees` unpaid fees as well. */
export type AccrualMethod = 'simple' | 'compound' | 'compoundWithFees';

/** What divides balance x rate x day units: rates are 1e-8, a year has `YEAR_UNITS`. */
const YEAR_OF_RATE_ONE = BigInt(RATE_ONE) * BigInt(YEAR_UNITS);

/**
 * One day's interest on a balance of zero or more that holds unpaid interest itself. It is quantized to the unit of
 * `Accrued`, halves up, which is the one rounding rule of compounding: it keeps the figures from growing a digit a day and
 * lies far below the tenth decimal, so that a month's sum is exact there.
 */
function compoundInterest(base: bigint, rate: number, dayUnitsOfDay: number): bigint {
  return (base * BigInt(rate) * BigInt(dayUnitsOfDay) + YEAR_OF_RATE_ONE / 2n) / YEAR_OF_RATE_ONE;
}

/** Interest of the nights in `[from, to)` on a base to which each day's interest is added: with promos, and without. */
export function compoundAccrual(base: Accrued, timeline: RateTimeline, method: DayCountMethod, from: Day, to: Day): Growth {
  let net = 0n;
  let gross = 0n;
  for (const segment of netRateSegments(timeline, from, to)) {
    for (let day = segment.from; day < segment.until; day = addDays(day, 1)) {
      const units = dayUnits(method, day, addDays(day, 1));
      gross += compoundInterest(base + net, segment.gross, units);
      net += compoundInterest(base + net, segment.net, units);
    }
  }
  return { net, gross };
}

/** Digits after the point of a growth that is computed by multiplication. */
const GROWTH_BITS = 128n;
const GROWTH_ONE = 1n << GROWTH_BITS;

/** What one cent grows by over `[from, to)` when nothing is quantized, in `Accrued` units: for solving level payments. */
export function compoundGrowth(timeline: RateTimeline, method: DayCountMethod, from: Day, to: Day): bigint {
  let factor = GROWTH_ONE;
  for (const segment of netRateSegments(timeline, from, to)) {
    const rate = BigInt(segment.net);
    for (let day = segment.from; day < segment.until; day = addDays(day, 1)) {
      factor += (factor * rate * BigInt(dayUnits(method, day, addDays(day, 1)))) / YEAR_OF_RATE_ONE;
    }
  }
  return ((factor - GROWTH_ONE) * YEAR_OF_RATE_ONE) >> GROWTH_BITS;
}
