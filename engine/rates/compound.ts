import { addDays, type Day, type DayCountMethod, dayUnits } from '../calendar/index.js';
import { type Accrued, divideRounded, RATE_ONE, YEAR_UNITS } from '../money/index.js';
import type { Growth } from './growth.js';
import { netRateSegments, type RateTimeline } from './timeline.js';

/** 1e-10 of the currency unit in units of interest. */
const QUANTUM = BigInt(YEAR_UNITS);

/** What divides base x rate x day units into quanta. */
const QUANTUM_DIVISOR = BigInt(RATE_ONE) * BigInt(YEAR_UNITS) * QUANTUM;

/**
 * One day's interest on a balance that holds unpaid interest itself, quantized to 1e-10 of the currency unit, halves up:
 * the one rounding rule of compounding, which keeps the figures from growing a digit a day.
 */
export function compoundInterest(base: Accrued, rate: number, dayUnitsOfDay: number): Accrued {
  return (divideRounded(base * BigInt(rate) * BigInt(dayUnitsOfDay), QUANTUM_DIVISOR, 'halfUp') * QUANTUM) as Accrued;
}

/** Interest of the nights in `[from, to)` on a base to which each day's interest is added: with promos, and without. */
export function compoundAccrual(base: Accrued, timeline: RateTimeline, method: DayCountMethod, from: Day, to: Day): Growth {
  let net = 0n;
  let gross = 0n;
  for (const segment of netRateSegments(timeline, from, to)) {
    for (let day = segment.from; day < segment.until; day = addDays(day, 1)) {
      const units = dayUnits(method, day, addDays(day, 1));
      gross += compoundInterest((base + net) as Accrued, segment.gross, units);
      net += compoundInterest((base + net) as Accrued, segment.net, units);
    }
  }
  return { net, gross };
}

/** Digits after the point of a growth that is computed by multiplication. */
const GROWTH_BITS = 128n;
const GROWTH_ONE = 1n << GROWTH_BITS;
const YEAR_OF_RATES = BigInt(RATE_ONE) * BigInt(YEAR_UNITS);

/** What one cent grows by over `[from, to)` when nothing is quantized, in `Accrued` units: for solving level payments. */
export function compoundGrowth(timeline: RateTimeline, method: DayCountMethod, from: Day, to: Day): bigint {
  let factor = GROWTH_ONE;
  for (const segment of netRateSegments(timeline, from, to)) {
    const rate = BigInt(segment.net);
    for (let day = segment.from; day < segment.until; day = addDays(day, 1)) {
      factor += (factor * rate * BigInt(dayUnits(method, day, addDays(day, 1)))) / YEAR_OF_RATES;
    }
  }
  return ((factor - GROWTH_ONE) * YEAR_OF_RATES) >> GROWTH_BITS;
}
