export type { RecordedRemittanceStatus, Remittance, RemittanceFacts, RemittanceStatusChanged } from './facts.js';
export { APPLY_REMITTANCES, noteRemittance, remitPayments, remittanceQueries } from './remit.js';
