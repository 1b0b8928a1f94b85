export type { AccountingAsOf } from './positions.js';
export {
  type AccountingBalancesOfLoan,
  type AccountingBalancesQuery,
  type AccountingEntriesOfLoan,
  type AccountingFact,
  type AccountingItemsOfLoan,
  type AccountingItemsQuery,
  type AccountingEntriesQuery,
  accountingQueries,
} from './queries.js';
