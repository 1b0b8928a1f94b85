import { sum, ZERO } from '../../../engine/index.js';
import { type Fault, refuse } from '../../errors.js';
import { centsOf, millisecondsOf } from '../../wire.js';
import { refuseFaults } from './check-create.js';
import type { TransactionChanges } from './evolve.js';
import type { Split, TransactionDetails, TransactionRecord, TransactionTimestamps } from './record.js';
import type { TimestampsRequest, UpdateTransactionRequest } from './requests.js';

/** What the caller may change of every transaction. */
const COMMON: readonly (keyof UpdateTransactionRequest)[] = ['externalId', 'metaData', 'evidenceDocumentId', 'consentDocumentId', 'caseId'];

const CONTROL: ReadonlySet<string> = new Set(['previewMode']);

/** 409 for what only the caller of an external transaction may set. `besides`: what is allowed all the same. */
export function refuseInternal(request: UpdateTransactionRequest, besides: readonly string[]): void {
  const allowed = new Set<string>([...COMMON, ...besides]);
  const errors: Fault[] = Object.entries(request)
    .filter(([path, value]) => value !== undefined && !CONTROL.has(path) && !allowed.has(path))
    .map(([path]) => ({ path, expected: 'nothing', message: 'only an external transaction may have it set' }));
  if (errors.length > 0)
    refuse('invalidState', 'The service moves this money itself: the caller sets neither status nor amounts.', { errors });
}

/** Fields that are kept as they are sent. */
const KEPT = [
  'externalId',
  'isVirtual',
  'processingFeeType',
  'processorTransactionId',
  'processorReversalId',
  'processorReconciliationId',
  'avsResult',
  'failureReason',
  'processorFailureReason',
  'processorFailureDetails',
  'achReturnCode',
  'reversedByTransactionId',
  'reversedByTransactionExternalId',
  'parentTransactionId',
  'autopayPlanId',
  'autopayPaymentIds',
  'cancelReason',
  'enablePrepayments',
  'evidenceDocumentId',
  'consentDocumentId',
  'caseId',
  'metaData',
] as const satisfies readonly (keyof UpdateTransactionRequest & keyof TransactionDetails)[];

/** The record's new values, as far as the body gives them. */
export function changesOf(request: UpdateTransactionRequest, record: TransactionRecord): TransactionChanges {
  const kept: Record<string, unknown> = {};
  for (const field of KEPT) if (request[field] !== undefined) kept[field] = request[field];
  const { processingFeeAmount, scheduledAmount, actualAmount, timestamps } = request;
  const toldSplit = toldSplitOf(request, record);
  return {
    ...kept,
    ...(processingFeeAmount === undefined
      ? {}
      : { processingFeeCents: processingFeeAmount === null ? null : centsOf(processingFeeAmount) }),
    ...(scheduledAmount === undefined ? {} : { scheduledCents: centsOf(scheduledAmount) }),
    ...(actualAmount === undefined ? {} : { actualCents: centsOf(actualAmount) }),
    ...(toldSplit === null ? {} : { toldSplit }),
    ...(timestamps == null ? {} : { times: timesOf(timestamps) }),
  };
}

/** The four parts of money that the ledger does not count; they must make up the amount. */
function toldSplitOf(request: UpdateTransactionRequest, record: TransactionRecord): Split | null {
  const { paidPrincipalAmount, paidInterestAmount, paidFeesAmount, paidOverAmount, actualAmount } = request;
  const parts = { paidPrincipalAmount, paidInterestAmount, paidFeesAmount, paidOverAmount };
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  if (given.length === 0) return null;
  if (record.payment !== null) {
    refuse('invalidState', 'The transaction is applied: the waterfall has split it.', {
      errors: given.map(([path]) => ({ path, expected: 'nothing', message: 'the transaction is applied' })),
    });
  }
  const split: Split = {
    principalCents: orZero(paidPrincipalAmount),
    interestCents: orZero(paidInterestAmount),
    feesCents: orZero(paidFeesAmount),
    overCents: orZero(paidOverAmount),
  };
  const whole = actualAmount === undefined ? (record.actualCents ?? record.scheduledCents) : centsOf(actualAmount);
  if (sum(Object.values(split)) !== whole) {
    refuseFaults(
      given.map(([path]) => ({ path, expected: 'parts that sum to actualAmount', message: 'the parts do not sum to actualAmount' })),
    );
  }
  return split;
}

const orZero = (value: number | undefined): Split['overCents'] => (value === undefined ? ZERO : centsOf(value));

const TIMES = ['initiatedAt', 'pendingAt', 'succeededAt', 'failedAt', 'canceledAt', 'inDisputeAt', 'chargebackAt'] as const;

function timesOf(timestamps: TimestampsRequest): Partial<TransactionTimestamps> {
  const times: Partial<Record<(typeof TIMES)[number], number | null>> = {};
  for (const name of TIMES) {
    const text = timestamps[name];
    if (text !== undefined) times[name] = text === null ? null : millisecondsOf(text);
  }
  return times;
}
