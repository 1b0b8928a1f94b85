import { assert } from '../assert.js';
import { type Day, day as dayFrom } from '../calendar/index.js';
import { type Rate, rate, RATE_ZERO } from '../money/index.js';

/** A rate that holds from one day until the day before another; `until` null is for ever. */
export interface RateBand {
  readonly from: Day;
  readonly until: Day | null;
  readonly rate: Rate;
}

/** `absolute` is the rate itself, `spread` is added to the index, `absoluteScra` is set by an SCRA order. */
export type InterestType = 'absolute' | 'spread' | 'absoluteScra';

export interface InterestBand extends RateBand {
  readonly type: InterestType;
}

/** The index holds `rate` from its day until the next value begins. */
export interface IndexValue {
  readonly from: Day;
  readonly rate: Rate;
}

export interface RateInput {
  readonly interest: readonly InterestBand[];
  readonly promos?: readonly RateBand[];
  readonly caps?: readonly RateBand[];
  readonly index?: readonly IndexValue[];
}

/** Days of one rate: `[from, until)`. `gross` is what the borrower would pay without promos, `net` what accrues. */
export interface RateSegment {
  readonly from: Day;
  readonly until: Day;
  readonly gross: Rate;
  readonly net: Rate;
}

/** The rates of all days, cut where they change: ascending, without gaps, from `FIRST_DAY` to `LAST_DAY`. */
export interface RateTimeline {
  readonly segments: readonly RateSegment[];
}

export const FIRST_DAY = dayFrom(-10_000_000);
export const LAST_DAY = dayFrom(10_000_000);

/**
 * Works out what holds on each day: the lowest interest rate in force, a
 * spread with its index added, bounded by the lowest cap, less the sum of promos, never below zero.
 */
export function rateTimeline(input: RateInput): RateTimeline {
  const promos = input.promos ?? [];
  const caps = input.caps ?? [];
  const index = [...(input.index ?? [])].sort((a, b) => a.from - b.from);
  const starts = boundaries([...input.interest, ...promos, ...caps], index);
  const segments: RateSegment[] = [];
  starts.forEach((from, position) => {
    const until = starts[position + 1] ?? LAST_DAY;
    const gross = grossRate(input.interest, caps, index, from);
    const net = netRate(gross, promos, from);
    const last = segments.at(-1);
    if (last !== undefined && last.gross === gross && last.net === net) segments[segments.length - 1] = { ...last, until };
    else segments.push({ from, until, gross, net });
  });
  return { segments };
}

/** One rate for all days. */
export const constantRate = (value: Rate): RateTimeline => ({
  segments: [{ from: FIRST_DAY, until: LAST_DAY, gross: value, net: value }],
});

/** The segments that overlap `[from, to)`, cut to it. */
export function netRateSegments(timeline: RateTimeline, from: Day, to: Day): readonly RateSegment[] {
  const found: RateSegment[] = [];
  if (from >= to) return found;
  for (let position = segmentAt(timeline, from); position < timeline.segments.length; position += 1) {
    const segment = timeline.segments[position];
    if (segment === undefined || segment.from >= to) break;
    const cut = segment.from >= from && segment.until <= to;
    found.push(cut ? segment : { ...segment, from: later(segment.from, from), until: earlier(segment.until, to) });
  }
  return found;
}

/** The segment that covers a day. */
export function rateOn(timeline: RateTimeline, day: Day): RateSegment {
  const segment = timeline.segments[segmentAt(timeline, day)];
  assert(segment !== undefined, 'a timeline covers every day');
  return segment;
}

/** What promos take off the rate of a day; null: nothing. */
export function promoRateOn(timeline: RateTimeline, day: Day): Rate | null {
  const { gross, net } = rateOn(timeline, day);
  return gross === net ? null : rate(gross - net);
}

function segmentAt(timeline: RateTimeline, day: Day): number {
  let low = 0;
  let high = timeline.segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const segment = timeline.segments[middle];
    if (segment !== undefined && segment.from <= day) low = middle;
    else high = middle - 1;
  }
  return low;
}

function boundaries(bands: readonly RateBand[], index: readonly IndexValue[]): readonly Day[] {
  const days = new Set<Day>([FIRST_DAY]);
  for (const band of bands) {
    days.add(band.from);
    if (band.until !== null) days.add(band.until);
  }
  for (const value of index) days.add(value.from);
  return [...days].filter((value) => value >= FIRST_DAY && value < LAST_DAY).sort((a, b) => a - b);
}

const covers = (band: RateBand, day: Day): boolean => band.from <= day && (band.until === null || day < band.until);

function grossRate(interest: readonly InterestBand[], caps: readonly RateBand[], index: readonly IndexValue[], day: Day): Rate {
  let lowest = Number.POSITIVE_INFINITY;
  for (const band of interest) {
    if (covers(band, day)) lowest = Math.min(lowest, band.type === 'spread' ? band.rate + indexOn(index, day) : band.rate);
  }
  if (lowest === Number.POSITIVE_INFINITY) return RATE_ZERO;
  for (const cap of caps) {
    if (covers(cap, day)) lowest = Math.min(lowest, cap.rate);
  }
  return rate(Math.max(0, lowest));
}

function netRate(gross: Rate, promos: readonly RateBand[], day: Day): Rate {
  let discount = 0;
  for (const promo of promos) {
    if (covers(promo, day)) discount += promo.rate;
  }
  return rate(Math.max(0, gross - discount));
}

function indexOn(index: readonly IndexValue[], day: Day): number {
  let value = 0;
  for (const entry of index) {
    if (entry.from > day) break;
    value = entry.rate;
  }
  return value;
}

const later = (a: Day, b: Day): Day => (a > b ? a : b);
const earlier = (a: Day, b: Day): Day => (a < b ? a : b);
