/** What the ledger of lines uses from the ledger of installment loans in addition to `core`. All other modules import `index.ts`. */
export {
  chargeLateFeesIn,
  earliest,
  largestLateFeeIn,
  lateFeesNow,
  NEVER,
  nextEnforcementDay,
  nextLateFeeDay,
  nextSettingsDay,
  thresholdDay,
} from './late-fees.js';
export { blockOf, interestAndFeesOf, paidOf, sumOfBlocks } from './read-balances.js';
export { fixedView, type NextDue, overdueView } from './read-obligations.js';
export { type Compared, netDifferences } from './differences.js';
export { mixFee, mixObligation, mixPayment, mixBalancesByDueStatus, STATUS_NUMBERS } from './digest.js';
export { accountOfFee, accountOfOriginationFee, type Accounts, addAmount, changedLines, withCounterLine } from './derived-entry.js';
export { feeState, type NewFee } from './fees.js';
export {
  adoptDay,
  advanceFirstOpen,
  askForMore,
  closeObligation,
  fulfilByCapitalization,
  fulfilWithoutLateFees,
  meet,
  obligationChanged,
  toleratedWithoutLateFees,
} from './fulfil.js';
export { yearEndAfter } from './accrue.js';
export { NO_ORDERS } from './start.js';
export {
  capitalizing,
  enforcedToday,
  enforcementDay,
  followOverdue,
  hasDue,
  overdueCents,
  passEnforced,
} from './overdue.js';
export { assignCounted, type Counted, type WatchedPart } from './count-in-order.js';
export { paidOverCents, paidOverParts } from './paid-over.js';
export { keepAllocation } from './record.js';
export { checkThresholdsOf, moveStatus, replaceObligations, wholeObligation } from './status.js';
export { pauseObligations } from './one-step-facts.js';
export { idleDaysOf } from './growing-history.js';
