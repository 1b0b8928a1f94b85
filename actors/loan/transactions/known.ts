import { cents, type PaymentState, positionOfPayment } from '../../../engine/index.js';
import { type RunningLedger, storedFacts } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import type { TransactionStatus } from './machine.js';
import { isPaidToBorrower, movedCents, type TransactionRecord, type TransactionTimestamps } from './record.js';
import { Transactions } from './transactions.js';

/** The times of statuses, later ones of a transaction's life behind earlier ones. */
const TIMES = [
  ['initiated', 'initiatedAt'],
  ['pending', 'pendingAt'],
  ['succeeded', 'succeededAt'],
  ['inDispute', 'inDisputeAt'],
  ['chargeback', 'chargebackAt'],
  ['failed', 'failedAt'],
  ['canceled', 'canceledAt'],
] as const satisfies readonly (readonly [TransactionStatus, keyof TransactionTimestamps])[];

/** A loan as it was known at a moment, in milliseconds of the company's clock. */
interface Known {
  /** With the facts of its ledger that were known. */
  readonly state: LoanState;
  readonly ledger: RunningLedger | null;
  readonly knownAt: number;
}

/**
 * The transactions of a loan as they were known at a moment. Amounts and effective days of those that the ledger counted then are its own.
 * Of the others the planned day is that of now.
 */
export function transactionsKnown(known: Known): Transactions {
  const { state, knownAt } = known;
  const records: TransactionRecord[] = [];
  for (const record of state.transactions.values()) {
    const { createdAt, updatedAt } = record.timestamps;
    if (createdAt <= knownAt) records.push(updatedAt <= knownAt ? record : before(record, known));
  }
  return Transactions.of(records);
}

/** The record before the changes that were recorded later. */
function before(record: TransactionRecord, known: Known): TransactionRecord {
  const payment = numberThen(record, known);
  const counted = known.ledger === null || payment === null ? undefined : paymentIn(known.ledger, payment);
  const status = statusAt(record, counted, known.knownAt);
  const { timestamps } = record;
  const times: readonly (number | null)[] = Object.values(timestamps);
  const seen = times.filter((at): at is number => at !== null && at <= known.knownAt);
  return {
    ...record,
    status,
    payment,
    actualCents: movedAt(record, status, counted),
    effective:
      counted === undefined
        ? { ...record.effective, day: record.originalEffectiveDay }
        : { ...record.effective, day: counted.day, seconds: counted.seconds },
    failureReason: status === 'failed' ? record.failureReason : null,
    cancelReason: status === 'canceled' ? record.cancelReason : null,
    timestamps: { ...timestamps, updatedAt: Math.max(timestamps.createdAt, ...seen) },
  };
}

/** Its number in the ledger; a payment that has failed or was taken back since has lost it, and is found by when it was counted. */
function numberThen(record: TransactionRecord, { state }: Known): number | null {
  if (record.payment !== null) return record.payment;
  const taken = new Set<number>();
  for (const { payment } of state.transactions.values()) if (payment !== null) taken.add(payment);
  for (const { fact, recordedAt } of storedFacts(state)) {
    if (fact.type !== 'payment' && fact.type !== 'reimbursed') continue;
    const isIts = recordedAt === record.timestamps.appliedAt && fact.amountCents === movedCents(record);
    if (isIts && !taken.has(fact.transaction)) return fact.transaction;
  }
  return null;
}

function paymentIn({ payments }: RunningLedger, payment: number): PaymentState | undefined {
  const at = positionOfPayment(payments, payment);
  return at < 0 ? undefined : payments.at(at);
}

/** What had moved of it; null before it did. */
function movedAt(
  record: TransactionRecord,
  status: TransactionStatus,
  counted: PaymentState | undefined,
): TransactionRecord['actualCents'] {
  if (counted !== undefined) return cents(counted.amountCents);
  const isToMove = status === 'scheduled' || (record.isExternal && status === 'pending');
  return isToMove && !isPaidToBorrower(record) ? null : record.actualCents;
}

function statusAt({ timestamps }: TransactionRecord, counted: PaymentState | undefined, knownAt: number): TransactionStatus {
  let status: TransactionStatus = 'scheduled';
  let since = -Infinity;
  for (const [entered, key] of TIMES) {
    const at = timestamps[key];
    if (at !== null && at <= knownAt && at >= since) [status, since] = [entered, at];
  }
  // A dispute that was won has set the time of its success again.
  const isUnderWay = status === 'scheduled' || status === 'initiated' || status === 'pending';
  return isUnderWay && counted?.isProcessing === false ? 'succeeded' : status;
}
