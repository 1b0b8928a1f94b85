import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  addDays,
  amortize,
  cents,
  type Day,
  day as dayOf,
  estimateLevelCents,
  NOTHING_PREPAID,
  rate,
  rateTimeline,
  type RowTerm,
} from '../../../../engine/index.js';
import { PARAMETERS } from './histories.js';
import { SEED } from '../../../seed.js';

const shape = {
  principalCents: fc.integer({ min: 100, max: 900_000_000 }),
  opening: fc.integer({ min: 0, max: 5_000 }),
  prepaid: fc.constant<number>(0),
  start: fc.integer({ min: 18_000, max: 21_000 }),
  gaps: fc.array(fc.integer({ min: 7, max: 45 }), { minLength: 1, maxLength: 120 }),
  rates: fc.array(fc.integer({ min: 0, max: 60_000_000 }), { minLength: 1, maxLength: 3 }),
  dayCount: fc.constantFrom('daily365' as const, 'daily360' as const, 'actualActual' as const, 'monthly30360' as const),
};

/** Rows that keep an amount, by position, in thousandths of the principal. */
const forced = fc.array(fc.option(fc.integer({ min: 1, max: 300 }), { freq: 2 }), { maxLength: 40 });

const allLevel = fc.record({ ...shape, forced: fc.constant<readonly null[]>([]) });
const someForced = fc.record({ ...shape, forced });
const somePrepaid = fc.record({
  ...shape,
  prepaid: fc.integer({ min: 1, max: 1_000 }),
  forced: fc.oneof(fc.constant<(number | null)[]>([]), forced),
});

type Input = typeof someForced extends fc.Arbitrary<infer T> ? Omit<T, 'forced'> & { readonly forced: readonly (number | null)[] } : never;

/** The estimate and the exact level of the same loan; null when nothing was estimated. */
function levelsOf(input: Input): { readonly estimated: number; readonly exact: number | undefined } | null {
  const start = dayOf(input.start);
  let last: Day = start;
  const dueDates = input.gaps.map((gap) => (last = addDays(last, gap)));
  const interest = input.rates.map((value, position) => ({
    type: 'absolute' as const,
    from: addDays(start, position * 100),
    until: position === input.rates.length - 1 ? null : addDays(start, (position + 1) * 100),
    rate: rate(value),
  }));
  const rates = rateTimeline({ interest });
  const { principalCents, dayCount, opening } = input;
  const prepaidCents = Math.ceil((principalCents * input.prepaid) / 1_000);
  const forcedCents = dueDates.map((_, row) => {
    const part = input.forced[row] ?? null;
    return part === null ? null : Math.ceil((principalCents * part) / 1_000);
  });
  const estimated = estimateLevelCents({
    start,
    principalCents,
    openingInterestCents: opening,
    dueDates,
    forcedCents,
    prepaidCents,
    rates,
    dayCount,
  });
  if (estimated === null) return null;
  const openingInterest = (BigInt(opening) * 160_308_000_000_000n) as never;
  const rowTerms = forcedCents.map(
    (amount): RowTerm => (amount === null ? { type: 'level' } : { type: 'forced', amountCents: cents(amount) }),
  );
  const prepaid = { ...NOTHING_PREPAID, leftCents: cents(prepaidCents) };
  const schedule = amortize({
    start,
    principalCents: cents(principalCents),
    openingInterest,
    dueDates,
    rowTerms,
    payment: { type: 'level' },
    prepaid,
    rates,
    dayCount,
  });
  return { estimated, exact: schedule.levels[0]?.amountCents };
}

for (const [name, inputs, share] of [
  ['the level in doubles is the exact level, or none', allLevel, 2],
  ['so it is beside rows that keep their amounts', someForced, 8],
  ['so it is after money was paid in advance', somePrepaid, 8],
] as const) {
  test(name, async (t) => {
    t.comment(`seed ${SEED}`);
    let estimated = 0;
    const holds = (input: Input): boolean => {
      const levels = levelsOf(input);
      if (levels !== null) estimated += 1;
      return levels === null || levels.estimated === levels.exact;
    };
    fc.assert(fc.property<[Input]>(inputs, holds), PARAMETERS);
    t.ok(estimated > PARAMETERS.numRuns / share, 'enough levels are not in doubt');
  });
}
