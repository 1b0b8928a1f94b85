export type { AccountingBalances } from './balances.js';
export {
  type AccountingBalancesOfLoan,
  type AccountingBalancesQuery,
  type AccountingEntriesOfLoan,
  type AccountingFact,
  type AccountingEntriesQuery,
  accountingQueries,
} from './queries.js';
