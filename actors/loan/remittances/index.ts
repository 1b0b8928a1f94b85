export type { Remittance, RemittanceFacts } from './facts.js';
export { APPLY_REMITTANCES, remitPayments, remittanceQueries } from './remit.js';
