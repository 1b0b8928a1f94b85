import { namesOf } from '../../../engine/index.js';
import { type TransactionDetails, type TransactionRecord, withoutDigits } from './record.js';

/** Details that most transactions do not have: facts and snapshots omit them if they are null or false. */
export type SparseDetails = Omit<TransactionDetails, 'isExternal' | 'scheduledCents' | 'actualCents'>;

/** A transaction without details. */
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

/** Fields of a record that follow from the envelope and the move. */
export type Own = Pick<TransactionRecord, 'status' | 'createdBy' | 'createdStamp' | 'updatedStamp' | 'timestamps'>;

/** A new record in its fact; details that it does not have are omitted. */
export type NewTransaction = Omit<TransactionRecord, keyof Own | keyof SparseDetails> & Partial<SparseDetails>;

/**
 * The record with all its fields. It is written field by field, not by a spread, so that all records have one shape, and reading and
 * copying them stays cheap.
 */
export const recordFrom = (asked: NewTransaction, own: Own): TransactionRecord => ({
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

/** The details that are neither null nor undefined. */
export function someDetails(details: Partial<SparseDetails>): Partial<SparseDetails> {
  const some: Record<string, unknown> = {};
  for (const name of namesOf(details)) {
    const value = details[name];
    if (value !== null && value !== undefined) some[name] = value;
  }
  return some;
}
