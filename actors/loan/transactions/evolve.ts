import { assert, must } from '../../../engine/index.js';
import type { LoanState } from '../state.js';
import type { Applying } from '../tell.js';
import { NO_DETAILS } from './details.js';
import { reimbursementEvent, transactionEvent } from './events.js';
import type { TransactionChanges, TransactionCreated, TransactionFacts, TransactionMoved, TransactionUpdated } from './facts.js';
import { statusAfter, type TransactionMove, type TransactionStatus } from './machine.js';
import type { TransactionRecord, TransactionTimestamps } from './record.js';

/** Applies the facts of transactions. What they do to the ledger is a ledger fact of its own, which follows. */
export const APPLY_TRANSACTIONS: {
  readonly [Type in keyof TransactionFacts]: (applying: Applying, body: TransactionFacts[Type]) => void;
} = {
  TransactionCreated: created,
  TransactionMoved: moved,
  TransactionUpdated: updated,
};

const STATUS_TIMES: Partial<Record<TransactionStatus, keyof TransactionTimestamps>> = {
  initiated: 'initiatedAt',
  pending: 'pendingAt',
  succeeded: 'succeededAt',
  failed: 'failedAt',
  canceled: 'canceledAt',
  inDispute: 'inDisputeAt',
  chargeback: 'chargebackAt',
};

const NO_TIMES = {
  initiatedAt: null,
  pendingAt: null,
  succeededAt: null,
  failedAt: null,
  canceledAt: null,
  inDisputeAt: null,
  chargebackAt: null,
};

function created(applying: Applying, { move, transaction }: TransactionCreated): void {
  const { state, fact, emit } = applying;
  assert(!state.transactions.has(transaction.id), `the transaction ${transaction.id} exists`);
  const status = statusAfter('new', move);
  const record: TransactionRecord = {
    ...NO_DETAILS,
    ...transaction,
    status,
    createdBy: fact.by,
    createdStamp: fact.stamp,
    updatedStamp: fact.stamp,
    timestamps: {
      ...NO_TIMES,
      createdAt: fact.businessAt,
      updatedAt: fact.businessAt,
      appliedAt: transaction.payment === null ? null : fact.businessAt,
      ...timeOf(status, fact.businessAt),
    },
  };
  state.transactions.put(record);
  if (record.transactionType === 'reimbursement') emit?.(reimbursementEvent(state, 'initiated', record));
  tellMove(applying, move, record);
}

function moved(applying: Applying, { transactionId, move, changes }: TransactionMoved): void {
  const { state, fact } = applying;
  const before = transactionOf(state, transactionId);
  const status = statusAfter(before.status, move);
  const entered = status === before.status ? {} : timeOf(status, fact.businessAt);
  const record = changed(applying, { ...before, status, timestamps: { ...before.timestamps, ...entered } }, changes);
  state.transactions.put(record);
  tellMove(applying, move, record);
}

function updated(applying: Applying, { transactionId, changes }: TransactionUpdated): void {
  applying.state.transactions.put(changed(applying, transactionOf(applying.state, transactionId), changes));
}

function changed({ fact }: Applying, record: TransactionRecord, { times, ...changes }: TransactionChanges): TransactionRecord {
  const isApplied = record.payment === null && changes.payment != null;
  return {
    ...record,
    ...changes,
    updatedStamp: fact.stamp,
    timestamps: {
      ...record.timestamps,
      updatedAt: fact.businessAt,
      ...(isApplied ? { appliedAt: fact.businessAt } : {}),
      ...times,
    },
  };
}

function timeOf(status: TransactionStatus, at: number): Partial<TransactionTimestamps> {
  const key = STATUS_TIMES[status];
  return key === undefined ? {} : { [key]: at };
}

function tellMove({ state, emit }: Applying, move: TransactionMove, record: TransactionRecord): void {
  if (emit === null) return;
  const event = transactionEvent(state, move, record);
  if (event !== null) emit(event);
  if (move === 'succeed' && record.transactionType === 'reimbursement') emit(reimbursementEvent(state, 'processed', record));
}

const transactionOf = (state: LoanState, id: string): TransactionRecord =>
  must(state.transactions.get(id), `${state.id} knows no transaction ${id}`);
