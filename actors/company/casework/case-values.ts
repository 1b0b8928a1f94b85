/** The words of cases that configuration names as well. */

export type CaseStatus = 'initiated' | 'processing' | 'completed' | 'canceled' | 'reopened';

export type CaseOutcome = 'approved' | 'denied' | 'partiallyApproved' | 'resolved' | 'withdrawn' | 'duplicate' | 'noResponse' | 'expired';

export type BaseCaseType = (typeof BASE_CASE_TYPES)[number];

export const BASE_CASE_TYPES = [
  'generic',
  'bankruptcy',
  'ceaseCommunication',
  'collection',
  'deceased',
  'disputeOfDebt',
  'federalEmergency',
  'identityTheft',
  'legalAction',
  'militaryDuty',
  'debtValidation',
  'oFACSanctionedIndividual',
  'disputeOfPurchase',
  'creditBureauDispute',
] as const;

/** What people call the base types: the names of a new company's case types. */
export const BASE_CASE_TYPE_NAMES: Readonly<Record<BaseCaseType, string>> = {
  generic: 'Generic',
  bankruptcy: 'Bankruptcy',
  ceaseCommunication: 'Cease communication',
  collection: 'Collection',
  deceased: 'Deceased',
  disputeOfDebt: 'Dispute of debt',
  federalEmergency: 'Federal emergency',
  identityTheft: 'Identity theft',
  legalAction: 'Legal action',
  militaryDuty: 'Military duty',
  debtValidation: 'Debt validation',
  oFACSanctionedIndividual: 'OFAC sanctioned individual',
  disputeOfPurchase: 'Dispute of purchase',
  creditBureauDispute: 'Credit bureau dispute',
};
