import { must } from '../../assert.js';
import { type Day, dayUnits } from '../../calendar/index.js';
import { divideRounded, RATE_ONE, YEAR_UNITS } from '../../money/index.js';
import type { Instalment, InstalmentBook } from './book.js';

/** Interest of one cent over some days: `numerator / denominator`. */
export interface GrowthOfDays {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const WHOLE_YEAR = BigInt(RATE_ONE) * BigInt(YEAR_UNITS);

/** What a cent earns in the nights from one day up to another, all of one instalment's period and at one rate. */
export function growthOf(book: InstalmentBook, period: Pick<Instalment, 'from' | 'dueDay'>, from: Day, to: Day): GrowthOfDays {
  const rate = BigInt(rateOn(book, from));
  const { interest } = book.terms;
  if (interest.type === 'daily') return { numerator: rate * BigInt(dayUnits(interest.dayCount, from, to)), denominator: WHOLE_YEAR };
  if (interest.type === 'periodic' && interest.firstPeriodYear !== null && period.from === book.terms.start) {
    return { numerator: rate * BigInt(to - from), denominator: BigInt(RATE_ONE) * BigInt(interest.firstPeriodYear) };
  }
  const share = BigInt(RATE_ONE) * BigInt(interest.periodsPerYear);
  return { numerator: rate * BigInt(to - from), denominator: share * BigInt(Math.max(1, period.dueDay - period.from)) };
}

export const rateOn = ({ terms, rates }: InstalmentBook, day: Day): number => rateIn(terms, rates, day);

function rateIn(terms: InstalmentBook['terms'], rates: InstalmentBook['rates'], day: Day): number {
  let rate = terms.annualRate;
  for (const change of rates) if (change.from <= day) rate = change.annualRate;
  return rate;
}

/** The first night that has another rate than it had; null: none. */
export function firstOtherNight({ terms, rates }: InstalmentBook, before: InstalmentBook['rates']): Day | null {
  const nights = [...before, ...rates].map(({ from }) => from).sort((a, b) => a - b);
  return nights.find((night) => rateIn(terms, rates, night) !== rateIn(terms, before, night)) ?? null;
}

/** Days inside a period at which its balance or its rate changes, with its ends. */
export function cutsOf(book: InstalmentBook, { from, dueDay }: Pick<Instalment, 'from' | 'dueDay'>, days: readonly Day[]): readonly Day[] {
  const cuts = new Set<Day>([from, dueDay]);
  const add = (day: Day): void => {
    if (day > from && day < dueDay) cuts.add(day);
  };
  for (const { day } of book.advances) add(day);
  for (const { day } of book.moves) add(day);
  for (const change of book.rates) add(change.from);
  for (const day of days) add(day);
  return [...cuts].sort((a, b) => a - b);
}

/** The period's interest up to a day: rounded once, or each stretch of one balance by itself, as the terms say. */
export function interestUpTo(book: InstalmentBook, period: Instalment, through: Stretches): number {
  const { interest, interestPer } = book.terms.rounding;
  let cents = 0;
  let exact: GrowthOfDays = { numerator: 0n, denominator: 1n };
  for (const [position, from] of through.cuts.entries()) {
    const to = through.cuts[position + 1];
    if (to === undefined || from >= through.until) break;
    const end = to < through.until ? to : through.until;
    const { numerator, denominator } = growthOf(book, period, from, end);
    const earned = { numerator: BigInt(Math.max(0, through.balanceOn(from))) * numerator, denominator };
    if (interestPer === 'period') exact = plusExactly(exact, earned);
    else cents += Number(divideRounded(earned.numerator, earned.denominator, interest));
  }
  return interestPer === 'period' ? Number(divideRounded(exact.numerator, exact.denominator, interest)) : cents;
}

/** The stretches of a period nearly always have one denominator. */
function plusExactly(a: GrowthOfDays, b: GrowthOfDays): GrowthOfDays {
  if (a.numerator === 0n) return b;
  if (a.denominator === b.denominator) return { numerator: a.numerator + b.numerator, denominator: a.denominator };
  return { numerator: a.numerator * b.denominator + b.numerator * a.denominator, denominator: a.denominator * b.denominator };
}

export interface Stretches {
  readonly cuts: readonly Day[];
  readonly until: Day;
  readonly balanceOn: (day: Day) => number;
}

/** Add-on interest: a period's share of the yearly rate on the original principal. */
export function flatInterest(book: InstalmentBook, instalment: Instalment): number {
  const { interest, rounding } = book.terms;
  const periodsPerYear = interest.type === 'daily' ? 1 : interest.periodsPerYear;
  const principal = book.advances.reduce((sum, { amountCents }) => sum + amountCents, 0) - downPayments(book);
  const rate = rateOn(book, instalment.dueDay);
  return Number(divideRounded(BigInt(principal) * BigInt(rate), BigInt(RATE_ONE) * BigInt(periodsPerYear), rounding.interest));
}

const downPayments = (book: InstalmentBook): number =>
  book.instalments.reduce((sum, { kind, due }) => (kind === 'downPayment' ? sum + due.principal : sum), 0);

/** An amount as the terms round amounts. */
export function toMultiple({ terms: { rounding } }: InstalmentBook, numerator: bigint, denominator: bigint): number {
  const multiple = BigInt(rounding.multipleCents);
  return Number(divideRounded(numerator, denominator * multiple, rounding.amount) * multiple);
}

export const lastOf = <Item>(items: readonly Item[], what: string): Item => must(items.at(-1), what);
