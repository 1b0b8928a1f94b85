import { assert } from '../../assert.js';
import { type Accrued, accruedUnits, cents, type Cents, divideRounded, type Rounding } from '../../money/index.js';
import { type Compared, netDifferences } from '../core/differences.js';
import { lineTotals } from './entering.js';
import { isPaidOff } from './purchase.js';
import type { LineLedgerEvent, LineState } from './state.js';

/** A change of the balance, by the number of days since the beginning of the cycle: 0 is its first day. */
export interface BalanceChange {
  readonly day: number;
  readonly deltaCents: Cents;
}

/** Days on which the balance stayed the same. */
interface BalanceSegment {
  readonly balanceCents: Cents;
  readonly days: number;
}

/** The average of a cycle as an exact fraction: `balanceDays / days` cents. */
export interface AverageBalance {
  /** The sum of the end-of-day balances of the cycle. */
  readonly balanceDays: bigint;
  readonly days: number;
  readonly segments: readonly BalanceSegment[];
}

/**
 * The average of the end-of-day balances of a cycle (12 CFR 1026.7(b)(5), average daily balance including new transactions).
 * Days with a credit balance count as zero: credit earns no interest.
 */
export function averageDailyBalance(openingCents: Cents, days: number, changes: readonly BalanceChange[]): AverageBalance {
  assert(Number.isSafeInteger(days) && days > 0, 'a cycle has at least one day');
  const segments: BalanceSegment[] = [];
  let balanceDays = 0n;
  let balance: number = openingCents;
  let from = 0;
  const runTo = (to: number): void => {
    if (to > from) {
      const balanceCents = cents(balance);
      segments.push({ balanceCents, days: to - from });
      if (balance > 0) balanceDays += BigInt(balance) * BigInt(to - from);
    }
    from = to;
  };
  for (const change of inOrder(changes)) {
    assert(change.day >= 0 && change.day < days, 'a balance changes inside its cycle');
    runTo(change.day);
    balance += change.deltaCents;
  }
  runTo(days);
  return { balanceDays, days, segments };
}

/** The average as an amount. */
export function averageBalanceCents(average: AverageBalance, rounding: Rounding): Cents {
  return cents(Number(divideRounded(average.balanceDays, BigInt(average.days), rounding)));
}

/**
 * Interest of the cycle: the exact average at `rate` for `dayUnits` (of `YEAR_UNITS`). At a constant rate over days of equal
 * length it equals the sum of the daily accruals.
 */
export function interestOnAverage(average: AverageBalance, rate: number, dayUnits: number): Accrued {
  const product = average.balanceDays * BigInt(rate) * BigInt(dayUnits);
  return accruedUnits(divideRounded(product, BigInt(average.days), 'halfUp'));
}

const inOrder = (changes: readonly BalanceChange[]): readonly BalanceChange[] => [...changes].sort((a, b) => a.day - b.day);

/** The net differences between a ledger and its recomputation, as events of a replay. */
export const lineDifferences = (before: LineState, after: LineState): readonly LineLedgerEvent[] => [
  ...netDifferences(comparedOf(before), comparedOf(after)),
  ...drawDifferences(before, after),
];

const comparedOf = (ledger: LineState): Compared => ({
  ledger,
  fees: [...ledger.fees, ...ledger.draws.flatMap(({ fees }) => fees)].filter(({ origin }) => origin === 'late' || origin === 'charged'),
  balances: lineTotals(ledger),
});

function drawDifferences(before: LineState, after: LineState): readonly LineLedgerEvent[] {
  const { day, seconds } = after;
  const known = new Map(before.draws.map((draw) => [draw.draw, draw]));
  return after.draws.flatMap((draw): LineLedgerEvent[] => {
    const old = known.get(draw.draw);
    const found: LineLedgerEvent[] = [];
    const { isGraceEligible: isEligible } = draw;
    if (old !== undefined && old.isGraceEligible !== isEligible)
      found.push({ type: 'graceChanged', day, seconds, draw: draw.draw, isEligible });
    if (isPaidOff(draw) && (old === undefined || !isPaidOff(old))) found.push({ type: 'drawPaidOff', day, seconds, draw: draw.draw });
    return found;
  });
}
