import type { Day } from '../calendar/index.js';
import { FIRST_DAY, LAST_DAY, rateOn, type RateTimeline } from './timeline.js';

/** The first day from `from` on that has another rate, with or without promos; null when none has. */
export function firstDifference(a: RateTimeline, b: RateTimeline, from: Day): Day | null {
  for (let day = from; day < LAST_DAY; ) {
    const one = rateOn(a, day);
    const other = rateOn(b, day);
    if (one.gross !== other.gross || one.net !== other.net) return day;
    day = one.until < other.until ? one.until : other.until;
  }
  return null;
}

/** The timeline of a loan that begins on a day: nobody asks for what held before it. */
export function beginningAt(timeline: RateTimeline, from: Day): RateTimeline {
  const [first, ...rest] = timeline.segments.filter((segment) => segment.until > from);
  return first === undefined ? timeline : { segments: [{ ...first, from: FIRST_DAY }, ...rest] };
}
