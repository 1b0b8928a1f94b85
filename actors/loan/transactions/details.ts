import type { TransactionDetails, TransactionRecord } from './record.js';

/** What is mostly not there: facts and stored loans leave it out where it is null or false. */
type SparseDetails = Omit<TransactionDetails, 'isExternal' | 'scheduledCents' | 'actualCents'>;

/** Details of a transaction of which nothing more is known. */
const NO_DETAILS: SparseDetails = {
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

/** A record as it is stored: only the details that are there. */
export type StoredTransaction = Omit<TransactionRecord, keyof SparseDetails> & Partial<SparseDetails>;

export function packTransaction(record: TransactionRecord): StoredTransaction {
  const stored: Record<string, unknown> = {};
  for (const name in record) {
    const value = record[name as keyof TransactionRecord];
    if (!(name in NO_DETAILS) || value !== NO_DETAILS[name as keyof SparseDetails]) stored[name] = value;
  }
  return stored as unknown as StoredTransaction;
}

/** What the envelope and the move give a record. */
type Own = Pick<TransactionRecord, 'status' | 'createdBy' | 'createdStamp' | 'updatedStamp' | 'timestamps'>;
type Asked = Omit<StoredTransaction, keyof Own>;

export const unpackTransaction = (stored: StoredTransaction): TransactionRecord => recordFrom(stored, stored);

/**
 * The record with every field in its place. Written out field by field: all records then have one shape, which a
 * spread of what is stored would not give them, and reading and copying them stays cheap.
 */
export const recordFrom = (stored: Asked, own: Own): TransactionRecord => ({
  id: stored.id,
  transactionType: stored.transactionType,
  status: own.status,
  instrument: stored.instrument,
  currency: stored.currency,
  serviceCredit: stored.serviceCredit,
  reimbursement: stored.reimbursement,
  payment: stored.payment,
  effective: stored.effective,
  originalEffectiveDay: stored.originalEffectiveDay,
  scheduledDay: stored.scheduledDay,
  settlement: stored.settlement,
  hold: stored.hold,
  returnFeeCounter: stored.returnFeeCounter,
  toldDueOn: stored.toldDueOn,
  createdBy: own.createdBy,
  createdWhile: stored.createdWhile,
  createdStamp: own.createdStamp,
  updatedStamp: own.updatedStamp,
  timestamps: own.timestamps,
  isExternal: stored.isExternal,
  scheduledCents: stored.scheduledCents,
  actualCents: stored.actualCents,
  externalId: stored.externalId ?? null,
  isVirtual: stored.isVirtual ?? false,
  toldSplit: stored.toldSplit ?? null,
  enablePrepayments: stored.enablePrepayments ?? null,
  evidenceDocumentId: stored.evidenceDocumentId ?? null,
  consentDocumentId: stored.consentDocumentId ?? null,
  caseId: stored.caseId ?? null,
  metaData: stored.metaData ?? null,
  parentTransactionId: stored.parentTransactionId ?? null,
  reversedByTransactionId: stored.reversedByTransactionId ?? null,
  reversedByTransactionExternalId: stored.reversedByTransactionExternalId ?? null,
  reversedTransactionId: stored.reversedTransactionId ?? null,
  autopayPlanId: stored.autopayPlanId ?? null,
  autopayPaymentIds: stored.autopayPaymentIds ?? null,
  processorTransactionId: stored.processorTransactionId ?? null,
  processorReversalId: stored.processorReversalId ?? null,
  processorReconciliationId: stored.processorReconciliationId ?? null,
  processingFeeCents: stored.processingFeeCents ?? null,
  processingFeeType: stored.processingFeeType ?? null,
  achReturnCode: stored.achReturnCode ?? null,
  avsResult: stored.avsResult ?? null,
  failureReason: stored.failureReason ?? null,
  processorFailureReason: stored.processorFailureReason ?? null,
  processorFailureDetails: stored.processorFailureDetails ?? null,
  cancelReason: stored.cancelReason ?? null,
});

/** The details that are there. */
export function someDetails(details: Partial<SparseDetails>): Partial<SparseDetails> {
  const some: Record<string, unknown> = {};
  for (const name in details) {
    const value = details[name as keyof SparseDetails];
    if (value !== null && value !== undefined) some[name] = value;
  }
  return some;
}
