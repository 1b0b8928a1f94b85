export type {
  Allocation,
  EntryLine,
  LedgerEntry,
  LedgerEvent,
} from './entries.js';
export { inOrder as factsInOrder } from './retroactive-adjustment.js';
export * from './facts.js';
export { accruedOf } from './interest.js';
export {
  type GuardContext,
  LEDGER_GUARDS,
  LEDGER_MOVES,
  type LedgerMove,
  ledgerStatusAfter,
  mayMoveLedger,
  positionOfPayment,
} from './status-moves.js';
export { NEWEST_RULES } from './rules.js';
export * from './terms.js';
export * from './views.js';
export * from './state.js';
