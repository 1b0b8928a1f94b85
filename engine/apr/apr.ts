import { must } from '../assert.js';
import type { Day } from '../calendar/index.js';
import { type Cents, cents, type Rate } from '../money/index.js';
import { type Fixed, FIXED_ZERO, MAX_RATE, rateOfFixed } from './fixed-point.js';
import { effectiveFromPeriodic, nominalFromPeriodic } from './rate-conversion.js';
import { solveUnitPeriodRate, type TimedAmount } from './solver.js';
import { timings } from './timing.js';
import { periodsPerYear, type UnitPeriod, unitPeriodOf } from './unit-period.js';

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
