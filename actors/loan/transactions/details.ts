import type { TransactionDetails, TransactionRecord } from './record.js';

/** What is mostly not there: facts and stored loans leave it out where it is null or false. */
type SparseDetails = Omit<TransactionDetails, 'isExternal' | 'scheduledCents' | 'actualCents'>;

/** Details of a transaction of which nothing more is known. */
export const NO_DETAILS: SparseDetails = {
  externalId: null,
  isVirtual: false,
  toldSplit: null,
  enablePrepayments: null,
  evidenceDocumentId: null,
  consentDocumentId: null,
  caseId: null,
  metaData: null,
  parentTransactionId: null,
  reversedByTransactionId: null,
  reversedByTransactionExternalId: null,
  reversedTransactionId: null,
  autopayPlanId: null,
  autopayPaymentIds: null,
  processorTransactionId: null,
  processorReversalId: null,
  processorReconciliationId: null,
  processingFeeCents: null,
  processingFeeType: null,
  achReturnCode: null,
  avsResult: null,
  failureReason: null,
  processorFailureReason: null,
  processorFailureDetails: null,
  cancelReason: null,
};

const NAMES = Object.keys(NO_DETAILS) as readonly (keyof SparseDetails)[];

/** A record as it is stored: only the details that are there. */
export type StoredTransaction = Omit<TransactionRecord, keyof SparseDetails> & Partial<SparseDetails>;

export function packTransaction(record: TransactionRecord): StoredTransaction {
  const stored: Record<string, unknown> = { ...record };
  for (const name of NAMES) if (stored[name] === NO_DETAILS[name]) delete stored[name];
  return stored as unknown as StoredTransaction;
}

export const unpackTransaction = (stored: StoredTransaction): TransactionRecord => ({ ...NO_DETAILS, ...stored });

/** The details that are there. */
export function someDetails(details: Partial<SparseDetails>): Partial<SparseDetails> {
  const some: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(details)) if (value !== null && value !== undefined) some[name] = value;
  return some;
}
