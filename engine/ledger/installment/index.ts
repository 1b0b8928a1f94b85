export { advanceTo, nextActionDay } from './advance.js';
export { changedSchedule } from './change-schedule.js';
export { computeByDay, type Cycle, type CycleChange, cycleFrom, cycleOf } from './cycle.js';
export { cloneState, decodeState, encodeState, stateDigest } from './digest.js';
export { owedCents } from './due.js';
export { estimateLevelCents } from './estimate-level.js';
export { arrange, arrangeSince } from './arrange.js';
export { applyFact, canApply } from './fold.js';
export { largestLateFeeCents } from './late-fees.js';
export { endlessRule, firstRowAfter } from './period.js';
export { balancesOf, payoffOf } from './read-balances.js';
export {
  comingPeriod,
  lastFallenDue,
  nextDueDay,
  obligationsOf,
  overdueOf,
  periodsOf,
  projectedRows,
  scheduleOf,
} from './read-obligations.js';
export { allocationOf, computeLedger, differences, type RecordedLedger, recordLedger, recordNext, recordSince } from './compute.js';
export { plainDayOf } from './plain-day.js';
export { startLedger } from './start.js';
export * from './state.js';
