export { type PayoutAtBankRequest, type ListPayoutsQuery, payoutCommands, payoutQueries } from './decide.js';
export type { MerchantReserveNow } from './merchant-reserve.js';
export type { PayoutReply } from './payouts.js';
export { merchantReserveWork, releaseReserve, type ReleaseReserveRequest } from './reserve-releases.js';
export { merchantRemittance, type RemittanceEntryView, type RemittanceQuery } from './remittance.js';
export {
  openPayout,
  type OpenPayout,
  type OpenPayoutQuery,
  type PayoutsReported,
  type ReportedPayout,
  reportPayouts,
} from './statements.js';
export { dailyReimbursementAtBank, REIMBURSEMENT_FACTS, reimbursementsAtBank } from './reimbursements.js';
