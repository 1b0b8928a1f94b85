import { divide, type Fixed, FIXED_ONE, fixed, power, root } from './fixed-point.js';

/** A number of periods a year, which need not be whole: 52 weeks of 3, or 365 days of 255. */
export interface PeriodsPerYear {
  readonly numerator: number;
  readonly denominator: number;
}

export const wholePeriods = (count: number): PeriodsPerYear => ({ numerator: count, denominator: 1 });

/** `periods * i` */
export const nominalFromPeriodic = (periodic: Fixed, periods: PeriodsPerYear): Fixed =>
  ((periodic * BigInt(periods.numerator)) / BigInt(periods.denominator)) as Fixed;

/** `(1 + i)^periods - 1` */
export function effectiveFromPeriodic(periodic: Fixed, periods: PeriodsPerYear): Fixed {
  const growth = root((FIXED_ONE + periodic) as Fixed, periods.denominator);
  return (power(growth, periods.numerator) - FIXED_ONE) as Fixed;
}

/** `(1 + nominal / n)^n - 1` */
export const effectiveFromNominal = (nominal: Fixed, periodsPerYear: number): Fixed =>
  effectiveFromPeriodic(divide(nominal, fixed(periodsPerYear)), wholePeriods(periodsPerYear));

/** `n * ((1 + effective)^(1 / n) - 1)` */
export function nominalFromEffective(effective: Fixed, periodsPerYear: number): Fixed {
  const periodic = (root((FIXED_ONE + effective) as Fixed, periodsPerYear) - FIXED_ONE) as Fixed;
  return nominalFromPeriodic(periodic, wholePeriods(periodsPerYear));
}
