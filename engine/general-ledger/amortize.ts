import { divideRounded } from '../money/index.js';

/** What is earned of an amount after some of its days or periods, to the nearest cent: the one place where straight lines are rounded. */
export function earnedStraight(amount: number, elapsed: number, whole: number): number {
  if (elapsed >= whole) return amount;
  return elapsed <= 0 ? 0 : Number(divideRounded(BigInt(amount) * BigInt(elapsed), BigInt(whole), 'halfUp'));
}

/** A period of a loan's schedule: what is paid at its end, and the contract's interest in it. `length` in days or in equal periods. */
export interface YieldPeriod {
  readonly length: number;
  readonly paid: number;
  readonly interest: number;
}

/** Halving an interval this often leaves less than 1e-18. */
const HALVINGS = 60;

/**
 * The yield of one unit of time at which the payments are worth the net amount. In binary fractions, with sums, products and quotients
 * only, so that every machine finds the same one. It is above or at zero: what is deferred is never negative.
 */
function levelYield(net: number, periods: readonly YieldPeriod[]): number {
  let low = 0;
  let high = 1;
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = (low + high) / 2;
    if (worth(periods, middle) > net) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function worth(periods: readonly YieldPeriod[], yieldOfUnit: number): number {
  let total = 0;
  let grown = 1;
  for (const { length, paid } of periods) {
    grown *= power(1 + yieldOfUnit, length);
    if (!Number.isFinite(grown)) break;
    total += paid / grown;
  }
  return total;
}

/** A power by repeated squares: the same bits everywhere, which `Math.pow` does not promise. */
function power(base: number, exponent: number): number {
  let result = 1;
  let square = base;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result *= square;
    square *= square;
  }
  return result;
}

/**
 * What is earned of a deferred amount through the end of each period at the level yield, to the nearest cent: income of a period is the net
 * carrying amount at the yield, and what it is above the contract's interest is earned. All is earned at the end.
 */
export function earnedAtLevelYield(deferred: number, net: number, periods: readonly YieldPeriod[]): readonly number[] {
  const yieldOfUnit = levelYield(net, periods);
  let carrying = net;
  let earned = 0;
  return periods.map(({ length, paid, interest }, at) => {
    const income = carrying * (power(1 + yieldOfUnit, length) - 1);
    carrying += income - paid;
    earned += income - interest;
    return at === periods.length - 1 ? deferred : Math.min(deferred, Math.max(0, Math.floor(earned + 0.5)));
  });
}
