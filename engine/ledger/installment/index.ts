export { advanceTo, nextActionDay } from './advance.js';
export { largestLateFeeCents, NEVER } from './late-fees.js';
export { computeByDay, type Cycle, type CycleChange, type CycleDays, type CycleFlow, cycleFrom, cycleOf } from './cycle.js';
export { cloneState, decodeState, encodeState, stateDigest } from './digest.js';
export { differences } from './differences.js';
export { estimateLevelCents } from './estimate-level.js';
export { changedSchedule } from './change-schedule.js';
export { allocationOf, computeLedger, interestByDay, type RecordedLedger, recordLedger, recordNext, recordSince } from './record.js';
export { endlessRule, firstRowAfter } from './period.js';
export { applyFact, canApply } from './fold.js';
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
export { daysOverdueOf, oldestOverdue } from './overdue.js';
export { owedCents } from './due.js';
export { balancesOf, NO_BLOCK, payoffOf } from './read-balances.js';
export { startLedger } from './start.js';
export * from './state.js';
