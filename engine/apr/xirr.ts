import type { Day } from '../calendar/index.js';
import type { Cents } from '../money/index.js';
import {
  divideFixed,
  type Fixed,
  FIXED_ONE,
  fixedBits,
  fixedRatio,
  multiplyFixed,
  powerFixed,
  rootFixed,
  subtractFixed,
} from './fixed-point.js';

export interface CashFlow {
  readonly date: Day;
  /** Positive in, negative out. */
  readonly amountCents: Cents;
}

const DAYS_PER_YEAR = 365;

/** The yearly growth by which the search for a change of sign moves on, in both directions from zero. */
const SCAN_GROWTH = fixedRatio(105n, 100n);

/** 1.05^425 is a billion: yields are sought from losing nearly all to a billionfold. */
const SCAN_STEPS = 425;

const CLOSE_ENOUGH = 1n << 16n;

/**
 * The effective yearly yield of dated cash flows: `sum CF (1 + r)^(-days / 365) = 0`, days counted from the earliest date,
 * flows in any order. Undefined when the flows do not have both signs, or no yield in range. Of several, the one nearest
 * to zero.
 *
 * Solved for the daily discount factor, so that all exponents are whole.
 */
export function xirr(flows: readonly CashFlow[]): Fixed | undefined {
  const start = Math.min(...flows.map((flow) => flow.date));
  const ordered = flows.map((flow) => ({ days: flow.date - start, amountCents: flow.amountCents })).sort((a, b) => a.days - b.days);
  if (!ordered.some((flow) => flow.amountCents > 0) || !ordered.some((flow) => flow.amountCents < 0)) return undefined;
  const bracket = findBracket(ordered);
  if (bracket === undefined) return undefined;
  const daily = bisect(ordered, bracket);
  return subtractFixed(powerFixed(daily, -DAYS_PER_YEAR), FIXED_ONE);
}

interface DatedFlow {
  readonly days: number;
  readonly amountCents: Cents;
}

interface Bracket {
  readonly low: Fixed;
  readonly high: Fixed;
}

/** Scans outwards from a yield of zero, up and down in turn. A higher yield is a lower daily factor. */
function findBracket(flows: readonly DatedFlow[]): Bracket | undefined {
  const step = rootFixed(SCAN_GROWTH, DAYS_PER_YEAR);
  let low = FIXED_ONE;
  let high = FIXED_ONE;
  for (let taken = 0; taken < SCAN_STEPS; taken += 1) {
    const lower = divideFixed(low, step);
    if (changesSign(flows, lower, low)) return { low: lower, high: low };
    const higher = multiplyFixed(high, step);
    if (changesSign(flows, high, higher)) return { low: high, high: higher };
    low = lower;
    high = higher;
  }
  return undefined;
}

function changesSign(flows: readonly DatedFlow[], a: Fixed, b: Fixed): boolean {
  return presentValue(flows, a) >= 0n !== presentValue(flows, b) >= 0n;
}

function bisect(flows: readonly DatedFlow[], bracket: Bracket): Fixed {
  let { low, high } = bracket;
  const isLowPositive = presentValue(flows, low) >= 0n;
  while (high - low > CLOSE_ENOUGH) {
    const middle = fixedBits((low + high) / 2n);
    if (presentValue(flows, middle) >= 0n === isLowPositive) low = middle;
    else high = middle;
  }
  return high;
}

function presentValue(flows: readonly DatedFlow[], daily: Fixed): bigint {
  let factor = FIXED_ONE;
  let days = 0;
  let value = 0n;
  for (const flow of flows) {
    factor = multiplyFixed(factor, powerFixed(daily, flow.days - days));
    days = flow.days;
    value += BigInt(flow.amountCents) * factor;
  }
  return value;
}
