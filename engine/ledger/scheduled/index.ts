export {
  type BookEntry,
  type Instalment,
  type InstalmentBook,
  isOpen,
  noParts,
  PARTS,
  type Parts,
  principalBalanceOf,
  sumOf,
} from './book.js';
export { continueInstalments, FROM_CHECKPOINTS } from './checkpoints.js';
export { computeInstalments } from './compute.js';
export { accruedBy, payableFor, stretchesFor } from './payable.js';
export { conflictOf } from './conflict.js';
export { incomeToBook } from './income.js';
export { payoffCents } from './payoff.js';
export { ratesSince } from './rates.js';
export * from './terms.js';
export * from './views.js';
