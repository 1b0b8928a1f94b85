import type { Day } from '../../calendar/index.js';
import type { Rate } from '../../money/index.js';
import type { RateTimeline } from '../../rates/index.js';

/** The rates of a timeline from a day on. */
export function ratesSince({ segments }: RateTimeline, day: Day): readonly { readonly from: Day; readonly annualRate: Rate }[] {
  return segments.filter(({ until }) => until > day).map(({ from, net }) => ({ from: from > day ? from : day, annualRate: net }));
}
