import fc from 'fast-check';
import { test } from 'tap';
import { addDays, amortize, cents, type Day, day as dayOf, estimateLevelCents, rate, rateTimeline } from '../../../engine/index.js';
import { PARAMETERS, SEED } from './histories.js';

const shape = fc.record({
  principalCents: fc.integer({ min: 100, max: 900_000_000 }),
  opening: fc.integer({ min: 0, max: 5_000 }),
  start: fc.integer({ min: 18_000, max: 21_000 }),
  gaps: fc.array(fc.integer({ min: 7, max: 45 }), { minLength: 1, maxLength: 120 }),
  rates: fc.array(fc.integer({ min: 0, max: 60_000_000 }), { minLength: 1, maxLength: 3 }),
  dayCount: fc.constantFrom('daily365' as const, 'daily360' as const, 'actualActual' as const, 'monthly30360' as const),
});

test('the level in doubles is the exact level, or none', async (t) => {
  t.comment(`seed ${SEED}`);
  let estimated = 0;
  fc.assert(
    fc.property(shape, (input) => {
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
      const { principalCents, dayCount } = input;
      const level = estimateLevelCents({ start, principalCents, openingInterestCents: input.opening, dueDates, rates, dayCount });
      if (level === null) return true;
      estimated += 1;
      const openingInterest = (BigInt(input.opening) * 160_308_000_000_000n) as never;
      const schedule = amortize({ start, principalCents: cents(principalCents), openingInterest, dueDates, payment: { type: 'level' }, rates, dayCount });
      return schedule.levels[0]?.amountCents === level;
    }),
    PARAMETERS,
  );
  t.ok(estimated > PARAMETERS.numRuns / 2, 'most levels are not in doubt');
});
