import fc from '../../fast-check.js';
import { test } from 'tap';
import {
  addDays,
  consecutiveBands,
  consecutiveInterestBands,
  constantRate,
  type Day,
  day,
  DAY_COUNT_METHODS,
  dayOf,
  dayUnits,
  formatDay,
  formatRate,
  type InterestBand,
  netRateSegments,
  type RateBand,
  rate,
  type RateInput,
  rateOn,
  rateTimeline,
  simpleGrowth,
} from '../../../engine/index.js';
import { dayFrom, rateFrom } from '../numbers.js';

const START = dayFrom('2024-01-15');

const interest = (from: string, until: string | null, value: string, type: InterestBand['type'] = 'absolute'): InterestBand => ({
  ...band(from, until, value),
  type,
});

function band(from: string, until: string | null, value: string): RateBand {
  return { from: dayFrom(from), until: until === null ? null : dayFrom(until), rate: rateFrom(value) };
}

/** The net rates of a timeline from a day on, as text. */
function ratesBetween(input: RateInput, from: string, to: string): readonly string[] {
  return netRateSegments(rateTimeline(input), dayFrom(from), dayFrom(to)).map(
    (segment) => `${formatDay(segment.from)} ${formatRate(segment.net)}`,
  );
}

test('of several interest rates on one day the lowest wins', (t) => {
  const input = {
    interest: [interest('2024-01-01', null, '0.25'), interest('2024-03-01', '2024-04-01', '0.20'), interest('2024-03-10', null, '0.30')],
  };
  t.same(ratesBetween(input, '2024-02-01', '2024-05-01'), ['2024-02-01 0.25', '2024-03-01 0.2', '2024-04-01 0.25']);
  t.end();
});

test('promo rates are summed and capped at the interest rate of the day', (t) => {
  const input = {
    interest: [interest('2024-01-01', null, '0.25')],
    promos: [band('2024-02-01', '2024-04-01', '0.05'), band('2024-03-01', '2024-05-01', '0.22')],
  };
  t.same(ratesBetween(input, '2024-01-15', '2024-06-01'), [
    '2024-01-15 0.25',
    '2024-02-01 0.2',
    '2024-03-01 0',
    '2024-04-01 0.03',
    '2024-05-01 0.25',
  ]);
  t.end();
});

test('the lowest cap bounds the computed rate, before promos', (t) => {
  const input = {
    interest: [interest('2024-01-01', null, '0.04', 'spread')],
    index: [
      { from: dayFrom('2024-01-01'), rate: rateFrom('0.05') },
      { from: dayFrom('2024-03-01'), rate: rateFrom('0.08') },
    ],
    caps: [band('2024-01-01', null, '0.10'), band('2024-04-01', null, '0.06')],
    promos: [band('2024-05-01', null, '0.01')],
  };
  t.same(ratesBetween(input, '2024-02-01', '2024-06-01'), ['2024-02-01 0.09', '2024-03-01 0.1', '2024-04-01 0.06', '2024-05-01 0.05']);
  t.same(rateOn(rateTimeline(input), dayFrom('2024-05-02')).gross, rateFrom('0.06'));
  t.end();
});

test('a spread below a negative index never makes a rate negative', (t) => {
  const input = { interest: [interest('2024-01-01', null, '0.01', 'spread')], index: [{ from: START, rate: rateFrom('-0.02') }] };
  t.same(ratesBetween(input, '2024-02-01', '2024-02-02'), ['2024-02-01 0']);
  t.end();
});

test('days without an interest rate bear none', (t) => {
  t.same(ratesBetween({ interest: [interest('2024-02-01', '2024-03-01', '0.1')] }, '2024-01-30', '2024-03-02'), [
    '2024-01-30 0',
    '2024-02-01 0.1',
    '2024-03-01 0',
  ]);
  t.end();
});

test('bands in days follow one another from activation, and the last one lasts', (t) => {
  const bands = consecutiveInterestBands(START, [
    { type: 'absolute', days: 31, rate: rateFrom('0.05') },
    { type: 'absolute', days: null, rate: rateFrom('0.15') },
  ]);
  t.same(ratesBetween({ interest: bands }, '2024-01-15', '2024-03-01'), ['2024-01-15 0.05', '2024-02-15 0.15']);
  t.equal(consecutiveBands(START, [{ days: 10, rate: rate(1) }])[0]?.until, addDays(START, 10));
  t.end();
});

const anyDay = fc.integer({ min: dayOf(2023, 1, 1), max: dayOf(2025, 12, 31) }).map(day);
const anyBand = fc
  .record({ from: anyDay, days: fc.option(fc.integer({ min: 1, max: 300 })), rate: fc.integer({ min: 0, max: 40_000_000 }).map(rate) })
  .map(({ from, days, rate }): RateBand => ({ from, until: days === null ? null : addDays(from, days), rate }));

const anyInput = fc.record({
  interest: fc.array(
    fc
      .tuple(anyBand, fc.constantFrom('absolute' as const, 'spread' as const, 'absoluteScra' as const))
      .map(([band, type]) => ({ ...band, type })),
    { maxLength: 5 },
  ),
  promos: fc.array(anyBand, { maxLength: 4 }),
  caps: fc.array(anyBand, { maxLength: 4 }),
  index: fc.array(fc.record({ from: anyDay, rate: fc.integer({ min: -1_000_000, max: 9_000_000 }).map(rate) }), { maxLength: 5 }),
});

/** The rule of the contract read out for one day. */
function netOf(input: RateInput, date: Day): number {
  const inForce = (bands: readonly RateBand[] = []): readonly RateBand[] =>
    bands.filter((b) => b.from <= date && (b.until === null || date < b.until));
  const index =
    [...(input.index ?? [])]
      .sort((a, b) => a.from - b.from)
      .filter((value) => value.from <= date)
      .at(-1)?.rate ?? 0;
  const rates = input.interest
    .filter((b) => inForce(input.interest).includes(b))
    .map((b) => (b.type === 'spread' ? b.rate + index : b.rate));
  if (rates.length === 0) return 0;
  const bounded = Math.max(0, Math.min(...rates, ...inForce(input.caps).map((cap) => cap.rate)));
  return Math.max(0, bounded - inForce(input.promos).reduce((sum, promo) => sum + promo.rate, 0));
}

test('a timeline holds on every day what the rule says for that day', (t) => {
  fc.assert(
    fc.property(anyInput, anyDay, (input, date) => rateOn(rateTimeline(input), date).net === netOf(input, date)),
    { numRuns: 500 },
  );
  t.end();
});

test('segments cover a range without gaps, and growth is the same however it is cut', (t) => {
  fc.assert(
    fc.property(anyInput, anyDay, fc.nat(400), fc.nat(400), fc.constantFrom(...DAY_COUNT_METHODS), (input, from, first, second, method) => {
      const timeline = rateTimeline(input);
      const middle = addDays(from, first);
      const to = addDays(middle, second);
      const segments = netRateSegments(timeline, from, to);
      const isWhole = segments.every(
        (segment, position) => segment.from === (segments[position - 1]?.until ?? from) && segment.from < segment.until,
      );
      const isEnding = from === to ? segments.length === 0 : segments.at(-1)?.until === to;
      const whole = simpleGrowth(timeline, method, from, to).net;
      return (
        isWhole && isEnding && whole === simpleGrowth(timeline, method, from, middle).net + simpleGrowth(timeline, method, middle, to).net
      );
    }),
    { numRuns: 300 },
  );
  t.end();
});

test('growth is rate times day units', (t) => {
  const timeline = constantRate(rateFrom('0.125'));
  const to = addDays(START, 45);
  t.equal(simpleGrowth(timeline, 'actualActual', START, to).net, 12_500_000n * BigInt(dayUnits('actualActual', START, to)));
  t.end();
});
