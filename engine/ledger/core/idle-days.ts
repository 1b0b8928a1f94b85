import type { RateSegment, RateTimeline } from '../../rates/index.js';
import { RATE_ZERO } from '../../money/index.js';
import type { IdleDays } from './state.js';

/** The rates with nothing in the idle days. */
export function withoutIdleDays(rates: RateTimeline, idle: readonly IdleDays[]): RateTimeline {
  return idle.length === 0 ? rates : { segments: idle.reduce(silenced, rates.segments) };
}

function silenced(segments: readonly RateSegment[], { from, until }: IdleDays): readonly RateSegment[] {
  return segments.flatMap((segment) => {
    if (segment.until <= from || segment.from >= until) return [segment];
    const parts: RateSegment[] = [];
    const start = segment.from < from ? from : segment.from;
    const end = segment.until > until ? until : segment.until;
    if (segment.from < start) parts.push({ ...segment, until: start });
    parts.push({ from: start, until: end, gross: RATE_ZERO, net: RATE_ZERO });
    if (end < segment.until) parts.push({ ...segment, from: end });
    return parts;
  });
}
