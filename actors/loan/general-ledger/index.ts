export { bookedLoan, type BookedLoanFacts } from './booked.js';
export {
  generalLedgerQueries,
  type LoanBalancesQuery,
  type LoanBalancesReply,
  type LoanEntriesQuery,
  type LoanEntriesReply,
} from './queries.js';
