import { type TransactionDetails, type TransactionRecord, withoutDigits } from './record.js';

/** What is mostly not there: facts and stored loans leave it out where it is null or false. */
export type SparseDetails = Omit<TransactionDetails, 'isExternal' | 'scheduledCents' | 'actualCents'>;

/** Details of a transaction of which nothing more is known. */
export const NO_DETAILS: SparseDetails = {
  externalId: null,
  isVirtual: false,
  toldSplit: null,
  enablePrepayments: null,
  draw: null,
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
  principalOnlyCents: null,
  retryAttempt: null,
  retryOriginalTransactionId: null,
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

/** What the envelope and the move give a record. */
export type Own = Pick<TransactionRecord, 'status' | 'createdBy' | 'createdStamp' | 'updatedStamp' | 'timestamps'>;
/** What a fact says of a new record: details that are not there are left out. */
export type Asked = Omit<TransactionRecord, keyof Own | keyof SparseDetails> & Partial<SparseDetails>;

/**
 * The record with every field in its place. Written out field by field: all records then have one shape, which a
 * spread of what was asked would not give them, and reading and copying them stays cheap.
 */
export const recordFrom = (asked: Asked, own: Own): TransactionRecord => ({
  id: asked.id,
  transactionType: asked.transactionType,
  status: own.status,
  instrument: asked.instrument === null ? null : withoutDigits(asked.instrument),
  currency: asked.currency,
  serviceCredit: asked.serviceCredit,
  reimbursement: asked.reimbursement,
  payment: asked.payment,
  effective: asked.effective,
  originalEffectiveDay: asked.originalEffectiveDay,
  scheduledDay: asked.scheduledDay,
  settlement: asked.settlement,
  hold: asked.hold,
  returnFeeCounter: asked.returnFeeCounter,
  toldDueOn: asked.toldDueOn,
  createdBy: own.createdBy,
  createdWhile: asked.createdWhile,
  createdStamp: own.createdStamp,
  updatedStamp: own.updatedStamp,
  timestamps: own.timestamps,
  isExternal: asked.isExternal,
  scheduledCents: asked.scheduledCents,
  actualCents: asked.actualCents,
  externalId: asked.externalId ?? null,
  isVirtual: asked.isVirtual ?? false,
  toldSplit: asked.toldSplit ?? null,
  enablePrepayments: asked.enablePrepayments ?? null,
  draw: asked.draw ?? null,
  evidenceDocumentId: asked.evidenceDocumentId ?? null,
  consentDocumentId: asked.consentDocumentId ?? null,
  caseId: asked.caseId ?? null,
  metaData: asked.metaData ?? null,
  parentTransactionId: asked.parentTransactionId ?? null,
  reversedByTransactionId: asked.reversedByTransactionId ?? null,
  reversedByTransactionExternalId: asked.reversedByTransactionExternalId ?? null,
  reversedTransactionId: asked.reversedTransactionId ?? null,
  autopayPlanId: asked.autopayPlanId ?? null,
  autopayPaymentIds: asked.autopayPaymentIds ?? null,
  principalOnlyCents: asked.principalOnlyCents ?? null,
  retryAttempt: asked.retryAttempt ?? null,
  retryOriginalTransactionId: asked.retryOriginalTransactionId ?? null,
  processorTransactionId: asked.processorTransactionId ?? null,
  processorReversalId: asked.processorReversalId ?? null,
  processorReconciliationId: asked.processorReconciliationId ?? null,
  processingFeeCents: asked.processingFeeCents ?? null,
  processingFeeType: asked.processingFeeType ?? null,
  achReturnCode: asked.achReturnCode ?? null,
  avsResult: asked.avsResult ?? null,
  failureReason: asked.failureReason ?? null,
  processorFailureReason: asked.processorFailureReason ?? null,
  processorFailureDetails: asked.processorFailureDetails ?? null,
  cancelReason: asked.cancelReason ?? null,
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
