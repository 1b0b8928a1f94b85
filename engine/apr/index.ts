export {
  aprOfSchedule,
  type DatedAmount,
  datesOf,
  effectiveFromNominal,
  interestPart,
  levelPayment,
  nominalFromEffective,
  nominalFromPeriodic,
  periodsPerYear,
  type UnitPeriod,
  unitPeriodOf,
  type UnitRate,
  unitRateOf,
} from './apr.js';
export * from './fixed-point.js';
export { solveUnitPeriodRate, type TimedAmount, timings } from './solver.js';
export * from './xirr.js';
