import type { Mistake } from './mistakes.js';

/*
 * Mistakes that change nothing: no input gives another figure. `npm run mutate` counts them apart. Each names its place by what stands
 * there, so that lines may move; an entry that means no place any more is refused.
 */

interface Equivalent {
  readonly file: string;
  readonly kind: Mistake['kind'];
  readonly before: string;
  readonly after: string;
  /** What the compiled line contains. */
  readonly within: string;
  readonly reason: string;
}

const SAME_AT_ZERO = 'Nothing is nothing with either sign.';
const SAME_OF_EQUALS = 'Of two equal amounts either is the same.';
const NEVER_EMPTY = 'A text that was filled up with zeros is never empty.';
const WHOLE_QUARTERS = 'Days begin, and clocks are moved, on whole quarters of an hour: nothing is left to round.';

export const EQUIVALENT: readonly Equivalent[] = [
  equivalent('engine/money/accrued.ts', 'boundary', '<', '<=', 'const size = Number(scaled < 0n', SAME_AT_ZERO),
  equivalent(
    'engine/money/accrued.ts',
    'boundary',
    '<=',
    '<',
    'size <= Number.MAX_SAFE_INTEGER',
    'The largest safe integer is printed the same from its digits.',
  ),
  equivalent('engine/money/cents.ts', 'boundary', '<', '<=', 'const least =', SAME_OF_EQUALS),
  equivalent('engine/money/cents.ts', 'boundary', '>', '>=', 'const greatest =', SAME_OF_EQUALS),
  equivalent('engine/money/cents.ts', 'constant', '0', '1', '|| 0', NEVER_EMPTY),
  equivalent('engine/money/rate.ts', 'constant', '0', '1', '|| 0', NEVER_EMPTY),
  equivalent('engine/money/rounding.ts', 'boundary', '<', '<=', 'const negative = numerator < 0n', SAME_AT_ZERO),
  equivalent('engine/calendar/due-date-rule.ts', 'boundary', '<', '<=', 'days: a < b', 'Two days that are the same were refused before.'),
  equivalent('engine/calendar/zone.ts', 'function', 'floor', 'ceil', 'let low = Math.floor(from', WHOLE_QUARTERS),
  equivalent('engine/calendar/zone.ts', 'function', 'ceil', 'floor', 'let high = Math.ceil(to', WHOLE_QUARTERS),
  equivalent(
    'engine/calendar/zone.ts',
    'function',
    'floor',
    'ceil',
    'const middle =',
    'Halves are looked for until they are neighbors: either middle leads there.',
  ),
  equivalent(
    'engine/replay/kept/book.ts',
    'function',
    'find',
    'findLast',
    'rates.segments.find(',
    'The first fact of each book replaces this rate, from the same day on (`firstFacts`).',
  ),
];

function equivalent(
  ...[file, kind, before, after, within, reason]: readonly [string, Mistake['kind'], string, string, string, string]
): Equivalent {
  return { file, kind, before, after, within, reason };
}

export const isEquivalent = (mistake: Mistake, { file, kind, before, after, within }: Equivalent): boolean =>
  mistake.file === file && mistake.kind === kind && mistake.before === before && mistake.after === after && mistake.within.includes(within);
