export { advanceTo as advanceLine, nextLineActionDay } from './advance.js';
export { amortizeDraw } from './amortized.js';
export * from './average-daily-balance.js';
export { cloneLine } from './clone.js';
export { availableCredit, type Credit, creditOf, takenCents } from './credit.js';
export * from './cycle.js';
export { lineDifferences } from './differences.js';
export { lineDigest } from './digest.js';
export * from './facts.js';
export { applyLineFact, canApplyLine, computeLine } from './fold.js';
export { largestLineLateFeeCents } from './late-fees.js';
export * from './minimum-payment.js';
export { drawOwedCents, lineOwedCents } from './owed.js';
export { lowersBalance } from './purchase.js';
export { lineBalancesOf } from './read-balances.js';
export {
  lineObligationsOf,
  lineOverdueOf,
  linePeriodsOf,
  openObligation as openLineObligation,
} from './read-obligations.js';
export { lineAllocationOf, lineInterestByDay, type RecordedLine, recordLine, recordLineNext, recordLineSince } from './record.js';
export { linePayoffOf } from './read-payoff.js';
export { lineScheduleOf } from './read-schedule.js';
export { isPaidOff as isDrawPaidOff } from './settle.js';
export { runningPeriod } from './roll-periods.js';
export { startLine } from './start.js';
export * from './state.js';
export * from './terms.js';
export * from './views.js';
export * from './watcher.js';
