import { must } from '../assert.js';
import { civil, type Day, daysInMonth } from '../calendar/index.js';
import { cents, type Cents, type Rate } from '../money/index.js';
import {
  addFixed,
  divideFixed,
  type Fixed,
  FIXED_ONE,
  FIXED_ZERO,
  fixedBits,
  MAX_RATE,
  multiplyFixed,
  powerFixed,
  rateOfFixed,
  rootFixed,
  subtractFixed,
  wholeFixed,
} from './fixed-point.js';
import { solveUnitPeriodRate, type TimedAmount, timings } from './solver.js';

/** A number of periods a year, which need not be whole: 52 weeks of 3, or 365 days of 255. */
export interface PeriodsPerYear {
  readonly numerator: number;
  readonly denominator: number;
}

const wholePeriods = (count: number): PeriodsPerYear => ({ numerator: count, denominator: 1 });

/** `periods * i` */
export const nominalFromPeriodic = (periodic: Fixed, periods: PeriodsPerYear): Fixed =>
  fixedBits((periodic * BigInt(periods.numerator)) / BigInt(periods.denominator));

/** `(1 + i)^periods - 1` */
function effectiveFromPeriodic(periodic: Fixed, periods: PeriodsPerYear): Fixed {
  const growth = rootFixed(addFixed(FIXED_ONE, periodic), periods.denominator);
  return subtractFixed(powerFixed(growth, periods.numerator), FIXED_ONE);
}

/** `(1 + nominal / n)^n - 1` */
export const effectiveFromNominal = (nominal: Fixed, periods: number): Fixed =>
  effectiveFromPeriodic(divideFixed(nominal, wholeFixed(periods)), wholePeriods(periods));

/** `n * ((1 + effective)^(1 / n) - 1)` */
export function nominalFromEffective(effective: Fixed, periods: number): Fixed {
  const periodic = subtractFixed(rootFixed(addFixed(FIXED_ONE, effective), periods), FIXED_ONE);
  return nominalFromPeriodic(periodic, wholePeriods(periods));
}

/**
 * The interval in which Appendix J compounds (12 CFR 1026, App. J (b)(4)-(5)): a day, a week, a semimonth, a month, or a
 * multiple of a week or month up to a year; for one advance and one payment the term itself.
 */
export type UnitPeriod =
  | { readonly type: 'day' }
  | { readonly type: 'weeks'; readonly count: number }
  | { readonly type: 'semimonth' }
  | { readonly type: 'months'; readonly count: number }
  | { readonly type: 'year' }
  | { readonly type: 'termInDays'; readonly days: number }
  | { readonly type: 'termInMonths'; readonly months: number };

const WEEKS_PER_YEAR = 52;
const DAYS_PER_YEAR = 365;

/** Lengths in twelfths of a day, so that a month of 365/12 days is whole. */
const DAY_LENGTH = 12;

/** A pair of due days half a month apart lies this many days apart, counted over February and over long months. */
const SHORTEST_SEMIMONTH_DAYS = 12;
const LONGEST_SEMIMONTH_DAYS = 19;

export function periodsPerYear(unit: UnitPeriod): PeriodsPerYear {
  switch (unit.type) {
    case 'day':
      return { numerator: DAYS_PER_YEAR, denominator: 1 };
    case 'weeks':
      return reduced(WEEKS_PER_YEAR, unit.count);
    case 'semimonth':
      return { numerator: 24, denominator: 1 };
    case 'months':
      return reduced(12, unit.count);
    case 'year':
      return { numerator: 1, denominator: 1 };
    case 'termInDays':
      return reduced(DAYS_PER_YEAR, unit.days);
    case 'termInMonths':
      return reduced(12, unit.months);
  }
}

/**
 * The unit period of a transaction by its dates, ascending and each once: the most frequent common period (one that
 * occurs more than once), of equals the shortest; without one the average of all periods, rounded to the nearest
 * standard interval.
 */
export function unitPeriodOf(dates: readonly Day[]): UnitPeriod {
  const [first, second] = dates;
  if (first === undefined || second === undefined) return { type: 'day' };
  if (dates.length === 2) return unitOfTerm(first, second);
  return commonPeriod(dates) ?? nearestStandard(dates);
}

/** A single payment: the term itself, at most a year. */
function unitOfTerm(from: Day, to: Day): UnitPeriod {
  const months = wholeMonths(from, to);
  if (months !== null && months < 12) return { type: 'termInMonths', months };
  if (months !== null || to - from > DAYS_PER_YEAR) return { type: 'year' };
  return to - from === DAYS_PER_YEAR ? { type: 'year' } : { type: 'termInDays', days: to - from };
}

interface Candidate {
  readonly unit: UnitPeriod;
  count: number;
}

function commonPeriod(dates: readonly Day[]): UnitPeriod | null {
  const candidates = new Map<number, Candidate>();
  for (let position = 1; position < dates.length; position += 1) {
    for (const unit of standardIntervals(dates, position)) {
      const candidate = candidates.get(lengthOf(unit));
      if (candidate === undefined) candidates.set(lengthOf(unit), { unit, count: 1 });
      else candidate.count += 1;
    }
  }
  let best: Candidate | null = null;
  for (const candidate of candidates.values()) {
    if (candidate.count > 1 && (best === null || isPreferred(candidate, best))) best = candidate;
  }
  return best === null ? null : best.unit;
}

const isPreferred = (a: Candidate, b: Candidate): boolean =>
  a.count > b.count || (a.count === b.count && lengthOf(a.unit) < lengthOf(b.unit));

/** The standard intervals that the period ending at a position can be read as. 28 days may be four weeks or February. */
function standardIntervals(dates: readonly Day[], position: number): readonly UnitPeriod[] {
  const from = dates[position - 1];
  const to = dates[position];
  if (from === undefined || to === undefined) return [];
  const days = to - from;
  const found: UnitPeriod[] = [];
  if (days === 1) found.push({ type: 'day' });
  if (days % 7 === 0 && days / 7 < WEEKS_PER_YEAR) found.push({ type: 'weeks', count: days / 7 });
  if (isSemimonth(dates, position, days)) found.push({ type: 'semimonth' });
  const months = wholeMonths(from, to);
  if (months !== null && months <= 12) found.push(months === 12 ? { type: 'year' } : { type: 'months', count: months });
  return found;
}

/** Half of a month that the period makes whole with the one before or after it. */
function isSemimonth(dates: readonly Day[], position: number, days: number): boolean {
  if (days < SHORTEST_SEMIMONTH_DAYS || days > LONGEST_SEMIMONTH_DAYS) return false;
  return isMonth(dates[position - 2], dates[position]) || isMonth(dates[position - 1], dates[position + 1]);
}

const isMonth = (from: Day | undefined, to: Day | undefined): boolean =>
  from !== undefined && to !== undefined && wholeMonths(from, to) === 1;

/**
 * The months between two dates when they are a whole number of them: the same day number, or the last day of a month
 * that stands in for it (Appendix J (b)(3)).
 */
function wholeMonths(from: Day, to: Day): number | null {
  const a = civil(from);
  const b = civil(to);
  const months = (b.year - a.year) * 12 + b.month - a.month;
  if (months < 1) return null;
  if (a.day === b.day) return months;
  const isLast = a.day > b.day ? b.day === daysInMonth(b.year, b.month) : a.day === daysInMonth(a.year, a.month);
  return isLast ? months : null;
}

function nearestStandard(dates: readonly Day[]): UnitPeriod {
  const [first] = dates;
  const last = dates.at(-1);
  if (first === undefined || last === undefined) return { type: 'day' };
  const average = ((last - first) * DAY_LENGTH) / (dates.length - 1);
  let nearest: UnitPeriod = { type: 'day' };
  for (const unit of STANDARD_INTERVALS) {
    const isNearer = Math.abs(lengthOf(unit) - average) < Math.abs(lengthOf(nearest) - average);
    if (isNearer) nearest = unit;
  }
  return nearest;
}

/** Length in twelfths of a day; no two standard intervals share one. */
function lengthOf(unit: UnitPeriod): number {
  switch (unit.type) {
    case 'day':
      return DAY_LENGTH;
    case 'weeks':
      return unit.count * 7 * DAY_LENGTH;
    case 'semimonth':
      return (DAYS_PER_YEAR * DAY_LENGTH) / 24;
    case 'months':
      return (DAYS_PER_YEAR * DAY_LENGTH * unit.count) / 12;
    case 'year':
      return DAYS_PER_YEAR * DAY_LENGTH;
    case 'termInDays':
      return unit.days * DAY_LENGTH;
    case 'termInMonths':
      return (DAYS_PER_YEAR * DAY_LENGTH * unit.months) / 12;
  }
}

/** From short to long: of two that are equally near, the shorter is found first. */
const STANDARD_INTERVALS: readonly UnitPeriod[] = [
  { type: 'day' } as const,
  { type: 'semimonth' } as const,
  ...Array.from({ length: WEEKS_PER_YEAR - 1 }, (_, index) => ({ type: 'weeks', count: index + 1 }) as const),
  ...Array.from({ length: 11 }, (_, index) => ({ type: 'months', count: index + 1 }) as const),
  { type: 'year' } as const,
].sort((a, b) => lengthOf(a) - lengthOf(b));

function reduced(numerator: number, denominator: number): PeriodsPerYear {
  const divisor = greatestCommonDivisor(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b));

export interface DatedAmount {
  readonly date: Day;
  readonly amountCents: Cents;
}

export interface AprInput {
  /** What the borrower gets: the amount financed, so without prepaid finance charges. */
  readonly advances: readonly DatedAmount[];
  /** What the borrower pays, finance charges included. */
  readonly payments: readonly DatedAmount[];
  /** Known from the contract, or derived from the dates. */
  readonly unitPeriod?: UnitPeriod;
}

export interface Apr {
  /** Unit-period rate times unit periods a year: the APR of Regulation Z. */
  readonly nominal: Rate;
  /** The same rate compounded over a year. */
  readonly effective: Rate;
}

/** APRs carry six decimals: steps of 1e-6 in units of 1e-8. */
const APR_STEP = 100;

/** A solved transaction: its unit period and the exact rate of one. Null when no rate is high enough. */
export interface UnitRate {
  readonly unit: UnitPeriod;
  readonly unitRate: Fixed | null;
}

/**
 * The APR of a loan by the actuarial method of Regulation Z, Appendix J, both to six decimals, halves up. Zero when the
 * payments do not exceed the advances; `MAX_RATE` when no rate is high enough to discount them.
 */
export function aprOfSchedule(input: AprInput): Apr {
  const { unit, unitRate } = unitRateOf(input);
  return aprOfUnitRate(unitRate, unit);
}

/** The unit-period rate before any rounding. */
export function unitRateOf(input: AprInput): UnitRate {
  const dates = datesOf(input);
  const unit = input.unitPeriod ?? unitPeriodOf(dates);
  const [origin] = dates;
  if (origin === undefined) return { unit, unitRate: FIXED_ZERO };
  const amounts = [...timed(unit, origin, input.advances, 1), ...timed(unit, origin, input.payments, -1)];
  return { unit, unitRate: solveUnitPeriodRate(amounts) };
}

/** The yearly rates of a unit-period rate; null, no rate being high enough, gives the greatest that can be carried. */
function aprOfUnitRate(unitRate: Fixed | null, unit: UnitPeriod): Apr {
  if (unitRate === null) return { nominal: MAX_RATE, effective: MAX_RATE };
  const periods = periodsPerYear(unit);
  return {
    nominal: rateOfFixed(nominalFromPeriodic(unitRate, periods), APR_STEP, 'halfUp'),
    effective: rateOfFixed(effectiveFromPeriodic(unitRate, periods), APR_STEP, 'halfUp'),
  };
}

/** All dates of a transaction, ascending and each once. */
export function datesOf({ advances, payments }: AprInput): readonly Day[] {
  const dates = new Set<Day>();
  for (const { date, amountCents } of [...advances, ...payments]) {
    if (amountCents !== 0) dates.add(date);
  }
  return [...dates].sort((a, b) => a - b);
}

function timed(unit: UnitPeriod, origin: Day, amounts: readonly DatedAmount[], sign: 1 | -1): readonly TimedAmount[] {
  const moved = amounts.filter(({ amountCents }) => amountCents !== 0);
  const times = timings(
    unit,
    origin,
    moved.map(({ date }) => date),
  );
  return moved.map(({ amountCents }, position) => ({
    amountCents: cents(sign * amountCents),
    timing: must(times[position], 'every date has a timing'),
  }));
}

export interface Annuity {
  readonly periodicRate: Fixed;
  readonly periods: number;
  readonly presentValue: Fixed;
  /** What is left, or saved, after the last payment. */
  readonly futureValue: Fixed;
  readonly paymentAtPeriodStart: boolean;
}

/**
 * The level payment as a positive amount: `(pv + fv * v^n) * i / (1 - v^n)` with `v = 1 / (1 + i)`, a period earlier for
 * payments at the start of a period; `(pv + fv) / n` without interest.
 */
export function levelPayment(annuity: Annuity): Fixed {
  const { periodicRate, periods, presentValue, futureValue } = annuity;
  if (periodicRate === 0n) return fixedBits((presentValue + futureValue) / BigInt(periods));
  const growth = addFixed(FIXED_ONE, periodicRate);
  const discount = powerFixed(growth, -periods);
  const owed = addFixed(presentValue, multiplyFixed(futureValue, discount));
  const payment = divideFixed(multiplyFixed(owed, periodicRate), subtractFixed(FIXED_ONE, discount));
  return annuity.paymentAtPeriodStart ? divideFixed(payment, growth) : payment;
}

/** The interest in the `period`-th level payment (1 is the first) of a loan that is paid back at the end of each period. */
export function interestPart(loan: Pick<Annuity, 'periodicRate' | 'periods' | 'presentValue'>, period: number): Fixed {
  const payment = levelPayment({ ...loan, futureValue: FIXED_ZERO, paymentAtPeriodStart: false });
  const growth = addFixed(FIXED_ONE, loan.periodicRate);
  let balance = loan.presentValue;
  for (let paid = 1; paid < period; paid += 1) balance = subtractFixed(multiplyFixed(balance, growth), payment);
  return multiplyFixed(balance, loan.periodicRate);
}
