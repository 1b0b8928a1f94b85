export { type PayoutAtBankRequest, type ListPayoutsQuery, payoutCommands, payoutQueries } from './decide.js';
export type { PayoutReply } from './payouts.js';
export {
  openPayout,
  type OpenPayout,
  type OpenPayoutQuery,
  type PayoutsReported,
  type ReportedPayout,
  reportPayouts,
} from './statements.js';
export { dailyReimbursementAtBank, REIMBURSEMENT_FACTS, reimbursementsAtBank } from './reimbursements.js';
