export {
  type BookEntry,
  type Instalment,
  type InstalmentBook,
  isOpen,
  noParts,
  type Parts,
  PARTS,
  principalBalanceOf,
  sumOf,
} from './book.js';
export { continueInstalments, FROM_CHECKPOINTS, payoffCents } from './checkpoints.js';
export { computeInstalments } from './compute.js';
export { accruedBy, payableFor, stretchesFor } from './payable.js';
export { chargeViews, conflictOf, incomeToBook, type InstalmentView, instalmentViews, ratesSince } from './views.js';
export * from './terms.js';
