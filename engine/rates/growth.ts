import { type Day, type DayCountMethod, dayUnits } from '../calendar/index.js';
import { netRateSegments, type RateTimeline } from './timeline.js';

/** What one cent of balance earns, in `Accrued` units: with all promos, and without them. */
export interface Growth {
  readonly net: bigint;
  readonly gross: bigint;
}

/** Simple interest of one cent over `[from, to)`: exact, and additive over adjoining ranges. */
export function simpleGrowth(timeline: RateTimeline, method: DayCountMethod, from: Day, to: Day): Growth {
  let net = 0n;
  let gross = 0n;
  for (const segment of netRateSegments(timeline, from, to)) {
    const units = BigInt(dayUnits(method, segment.from, segment.until));
    net += BigInt(segment.net) * units;
    gross += BigInt(segment.gross) * units;
  }
  return { net, gross };
}
