import { type Day, type DayCountMethod, dayUnits } from '../calendar/index.js';
import type { Rate } from '../money/index.js';
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
