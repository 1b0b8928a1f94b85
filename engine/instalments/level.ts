import type { Day } from '../calendar/index.js';
import { divideRounded, RATE_ONE } from '../money/index.js';
import type { Instalment, InstalmentBook } from './book.js';
import { cutsOf, type GrowthOfDays, growthOf, rateOn } from './interest.js';

/** Decimals of a cent that the solution carries: far below what a thousand periods could round away. */
const SCALE = 10n ** 30n;

/**
 * The amount that brings the principal open on the first day of the first of them to zero with the last one, rounded as the
 * terms say. The balance after each instalment is linear in the amount, `owed - paid * amount`, for any mixture of rates,
 * advances and periods.
 */
export function solveAmount(book: InstalmentBook, instalments: readonly Instalment[], principalCents: number): number {
  let owed = BigInt(principalCents) * SCALE;
  let paid = 0n;
  for (const instalment of instalments) {
    const earned = earnedBy(book, instalment, owed, paid);
    owed = earned.owed;
    if (instalment.isPrincipalFree) continue;
    owed += earned.owedInterest;
    paid += earned.paidInterest + SCALE;
  }
  return paid === 0n ? 0 : toMultiple(book, owed, paid);
}

interface Earned {
  readonly owed: bigint;
  readonly owedInterest: bigint;
  readonly paidInterest: bigint;
}

/** A period's interest on both parts of the balance; advances inside it raise what is owed. */
function earnedBy(book: InstalmentBook, instalment: Instalment, owedBefore: bigint, paid: bigint): Earned {
  const cuts = cutsOf(book, instalment, []);
  let owed = owedBefore;
  let owedInterest = 0n;
  let paidInterest = 0n;
  for (const [position, from] of cuts.entries()) {
    owed += advancedOn(book, instalment, from);
    const to = cuts[position + 1];
    if (to === undefined) break;
    const { numerator, denominator } = solvingGrowth(book, instalment, from, to);
    owedInterest += (owed * numerator) / denominator;
    paidInterest += (paid * numerator) / denominator;
  }
  return { owed, owedInterest, paidInterest };
}

/** A month of 30 days by a year of 365 in place of the period's own days, where the amount is solved so. */
function solvingGrowth(book: InstalmentBook, instalment: Instalment, from: Day, to: Day): GrowthOfDays {
  const { principal } = book.terms;
  if (principal.type !== 'level' || principal.solvedOver === 'schedule') return growthOf(book, instalment, from, to);
  const days = BigInt(instalment.dueDay - instalment.from);
  return { numerator: BigInt(rateOn(book, from)) * 30n * BigInt(to - from), denominator: BigInt(RATE_ONE) * 365n * days };
}

/** Advances on a period's first day belong to the opening, those on its due date to the next period's balance. */
function advancedOn(book: InstalmentBook, { from, dueDay }: Instalment, day: Day): bigint {
  if (day === from || day === dueDay) return 0n;
  let cents = 0;
  for (const advance of book.advances) if (advance.day === day) cents += advance.amountCents;
  return BigInt(cents) * SCALE;
}

export function toMultiple({ terms: { rounding } }: InstalmentBook, numerator: bigint, denominator: bigint): number {
  const multiple = BigInt(rounding.multipleCents);
  return Number(divideRounded(numerator, denominator * multiple, rounding.amount) * multiple);
}
