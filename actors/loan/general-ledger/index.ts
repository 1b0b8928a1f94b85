export { bookedLoan, type BookedLoanFacts } from './booked.js';
export {
  entriesOfLoan,
  generalLedgerQueries,
  type LoanBooksQuery,
  type LoanBooksReply,
  type LoanEntriesQuery,
  type LoanEntriesReply,
} from './queries.js';
