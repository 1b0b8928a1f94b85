export { advanceTo as advanceLine, nextLineActionDay } from './advance.js';
export { amortizeDraw } from './amortized.js';
export {
  averageBalanceCents,
  averageDailyBalance,
  type BalanceChange,
  interestOnAverage,
  lineDifferences,
} from './average-daily-balance.js';
export { cloneLine, lineBalancesOf, linePayoffOf, lineScheduleOf } from './read-schedule.js';
export { availableCredit, type Credit, creditOf, takenCents } from './credit.js';
export {
  lineAllocationOf,
  type LineCycle,
  type LineCycleChange,
  type LineCycleFlow,
  lineCycleFrom,
  lineCycleOf,
  lineInterestDays,
  type RecordedLine,
  recordLine,
  recordLineNext,
  recordLineSince,
} from './cycle.js';
export { lineDigest } from './digest.js';
export { plainDayOfLine } from './plain-day.js';
export * from './facts.js';
export { arrangeLine, arrangeLineSince } from './arrange.js';
export { applyLineFact, canApplyLine, computeLine } from './fold.js';
export { largestLineLateFeeCents } from './fees.js';
export { startLine } from './start.js';
export * from './minimum-payment.js';
export { type MinimumPaymentWarning, minimumPaymentWarningOf } from './minimum-payment-warning.js';
export { type RepaidBalance, repaidByMinimum, type RepaidLine, threeYearPaymentCents } from './repayment-estimate.js';
export { drawOwedCents, lineOwedCents } from './owed.js';
export { isPaidOff as isDrawPaidOff, lowersBalance } from './purchase.js';
export {
  lineObligationsOf,
  lineOverdueOf,
  linePeriodsOf,
  openObligation as openLineObligation,
  openObligationWithLateFees as openLineObligationWithLateFees,
} from './read-obligations.js';
export { runningPeriod } from './periods.js';
export type {
  DrawState,
  LineEntry,
  LineEntryType,
  LineFee,
  LineLedgerEvent,
  LineObligation,
  LinePeriod,
  LineState,
} from './state.js';
export * from './terms.js';
export * from './views.js';
