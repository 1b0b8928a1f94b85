import fc from '../../../fast-check.js';
import {
  addDays,
  type Day,
  firstDifference,
  rate,
  type RateInput,
  rateTimeline,
  type RatesChanged,
  type RateTimeline,
} from '../../../../engine/index.js';

/** The initial rates of a loan: one or two of a kind, the later one from a day on, optionally with a promo and a cap. */
export const originationRates: fc.Arbitrary<(activation: Day) => RateInput> = fc
  .record({
    percent: fc.integer({ min: 0, max: 36 }),
    isSpread: fc.boolean(),
    second: fc.option(fc.record({ after: fc.integer({ min: 1, max: 90 }), percent: fc.integer({ min: 0, max: 36 }) }), { freq: 3 }),
    promo: fc.option(fc.record({ percent: fc.integer({ min: 1, max: 40 }), days: fc.integer({ min: 1, max: 120 }) }), { freq: 3 }),
    cap: fc.option(fc.integer({ min: 1, max: 36 }), { freq: 4 }),
  })
  .map(({ percent, isSpread, second, promo, cap }) => (activation) => {
    const type = isSpread ? ('spread' as const) : ('absolute' as const);
    const until = promo === null ? null : addDays(activation, promo.days);
    return {
      interest: [
        { type, from: activation, until: null, rate: percentOf(isSpread ? percent - 4 : percent) },
        ...(second === null ? [] : [{ type, from: addDays(activation, second.after), until: null, rate: percentOf(second.percent) }]),
      ],
      promos: promo === null ? [] : [{ from: activation, until, rate: percentOf(promo.percent) }],
      caps: cap === null ? [] : [{ from: activation, until: null, rate: percentOf(cap) }],
      index: isSpread ? [{ from: addDays(activation, -400), rate: percentOf(4) }] : [],
    };
  });

const percentOf = (value: number): ReturnType<typeof rate> => rate(value * 1_000_000);

/** How one change of the rates is drawn. */
export interface RateStep {
  readonly share: number;
  readonly pick: number;
  readonly flag: boolean;
  readonly other: boolean;
}

/** One change of the rates from a day on; returns the changed rows. */
export function changedRates(rows: RateInput, { share, pick, flag, other }: RateStep, from: Day): RateInput {
  const type = rows.interest[0]?.type ?? 'absolute';
  const until = other ? addDays(from, 10 + share) : null;
  const { promos = [], caps = [], index = [] } = rows;
  const value = rate(share * 200_000);
  switch (pick % 7) {
    case 0:
      return { ...rows, interest: [...rows.interest, { type, from, until, rate: value }] };
    case 1: {
      const ended = rows.interest.map((band) => (band.until === null && band.from < from ? { ...band, until: from } : band));
      return { ...rows, interest: [...ended, { type, from, until: null, rate: value }] };
    }
    case 2:
      return { ...rows, promos: [...promos, { from, until, rate: rate(share * 100_000) }] };
    case 3:
      return { ...rows, caps: [...caps, { from, until, rate: value }] };
    case 4:
      return { ...rows, interest: [...rows.interest, { type: 'absoluteScra', from, until, rate: rate(6_000_000) }] };
    case 5:
      return flag ? { ...rows, promos: promos.slice(1) } : { ...rows, caps: caps.slice(1) };
    default:
      return { ...rows, index: [...index.filter((entry) => entry.from !== from), { from, rate: rate(share * 100_000) }] };
  }
}

/**
 * The fact of a change of rates: from the first day with another rate if that is past, else from now on. Null: no day has
 * another rate.
 */
export function rateFactOf(
  before: RateTimeline,
  rows: RateInput,
  activation: Day,
  now: { readonly day: Day; readonly seconds: number },
): Omit<RatesChanged, 'sequence' | 'recordedDay'> | null {
  const rates = rateTimeline(rows);
  const first = firstDifference(before, rates, activation);
  if (first === null) return null;
  return { type: 'ratesChanged', rates, reamortization: 'sameEndDate', effective: first >= now.day ? now : { day: first, seconds: 600 } };
}
