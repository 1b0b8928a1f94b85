import { addDays, type Day } from '../calendar/index.js';
import type { Rate } from '../money/index.js';
import { FIRST_DAY, type InterestBand, type InterestType, LAST_DAY, type RateBand, rateOn, type RateTimeline } from './timeline.js';

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

/** The first day from `from` on that has another rate, with or without promos; null if there is none. */
export function firstDifference(a: RateTimeline, b: RateTimeline, from: Day): Day | null {
  for (let day = from; day < LAST_DAY; ) {
    const one = rateOn(a, day);
    const other = rateOn(b, day);
    if (one.gross !== other.gross || one.net !== other.net) return day;
    day = one.until < other.until ? one.until : other.until;
  }
  return null;
}

/** The timeline of a loan that begins on a day. The rates before that day are not used. */
export function beginningAt(timeline: RateTimeline, from: Day): RateTimeline {
  const [first, ...rest] = timeline.segments.filter((segment) => segment.until > from);
  return first === undefined ? timeline : { segments: [{ ...first, from: FIRST_DAY }, ...rest] };
}
