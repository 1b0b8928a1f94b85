export { NO_BLOCK } from './balance-views.js';
export { NEVER } from './clock.js';
export type { CycleFlow } from './cycle.js';
export type { Accrual, Allocation, EntryComponent, EntryLine, EntrySource, LedgerEntry, LedgerEvent } from './entries.js';
export * from './facts.js';
export { type ComingFee, NO_COMING_FEES } from './fees.js';
export { accruedOf } from './interest.js';
export { interestByDay, interestOfEachDay } from './interest-by-day.js';
export { daysOverdueOf, oldestOverdue } from './overdue.js';
export { NEWEST_RULES } from './rules.js';
export * from './state.js';
export {
  type GuardContext,
  LEDGER_GUARDS,
  LEDGER_MOVES,
  type LedgerMove,
  ledgerStatusAfter,
  mayMoveLedger,
  positionOfPayment,
} from './status-moves.js';
export * from './terms.js';
export * from './views.js';
