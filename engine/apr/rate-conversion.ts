import {
  addFixed,
  divideFixed,
  type Fixed,
  FIXED_ONE,
  fixedBits,
  powerFixed,
  rootFixed,
  subtractFixed,
  wholeFixed,
} from './fixed-point.js';

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
export function effectiveFromPeriodic(periodic: Fixed, periods: PeriodsPerYear): Fixed {
  const growth = rootFixed(addFixed(FIXED_ONE, periodic), periods.denominator);
  return subtractFixed(powerFixed(growth, periods.numerator), FIXED_ONE);
}

/** `(1 + nominal / n)^n - 1` */
export const effectiveFromNominal = (nominal: Fixed, periodsPerYear: number): Fixed =>
  effectiveFromPeriodic(divideFixed(nominal, wholeFixed(periodsPerYear)), wholePeriods(periodsPerYear));

/** `n * ((1 + effective)^(1 / n) - 1)` */
export function nominalFromEffective(effective: Fixed, periodsPerYear: number): Fixed {
  const periodic = subtractFixed(rootFixed(addFixed(FIXED_ONE, effective), periodsPerYear), FIXED_ONE);
  return nominalFromPeriodic(periodic, wholePeriods(periodsPerYear));
}
