export {
  type ScheduledEntry,
  type Installment,
  type ScheduledLedger,
  isOpen,
  noParts,
  type Parts,
  PARTS,
  principalBalanceOf,
  sumOf,
} from './ledger.js';
export { continueInstallments, FROM_CHECKPOINTS, payoffCents } from './checkpoints.js';
export { computeInstallments } from './compute.js';
export { accruedBy, payableFor, stretchesFor } from './payable.js';
export { chargeViews, conflictOf, incomeToRecord, type ScheduledView, installmentViews, paidOfCharges, ratesSince } from './views.js';
export * from './terms.js';
