import { addDays, type Day } from '../calendar/index.js';
import type { Rate } from '../money/index.js';
import type { InterestBand, InterestType, RateBand } from './timeline.js';

/** A band as it is sent: so many days, or null for the rest of the loan. */
export interface BandInDays {
  readonly days: number | null;
  readonly rate: Rate;
}

/** Bands of days, one after another from activation: a band of null days is the last. */
export function consecutiveBands(activation: Day, bands: readonly BandInDays[]): readonly RateBand[] {
  let from = activation;
  return bands.map((band) => {
    const until = band.days === null ? null : addDays(from, band.days);
    const placed = { from, until, rate: band.rate };
    from = until ?? from;
    return placed;
  });
}

export function consecutiveInterestBands(
  activation: Day,
  bands: readonly (BandInDays & { readonly type: InterestType })[],
): readonly InterestBand[] {
  const placed = consecutiveBands(activation, bands);
  return placed.map(({ from, until, rate }, position) => ({ from, until, rate, type: bands[position]?.type ?? 'absolute' }));
}
