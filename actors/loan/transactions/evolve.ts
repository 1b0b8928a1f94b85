import { assert, must } from '../../../engine/index.js';
import type { Fact } from '../../kernel/fact.js';
import type { LoanState } from '../state.js';
import type { Applying } from '../tell.js';
import { noteAutopay } from '../autopay/evolve.js';
import { recordFrom } from './details.js';
import { reimbursementEvent, transactionEvent } from './events.js';
import type {
  NewTransaction,
  TransactionChanges,
  TransactionCreated,
  TransactionFacts,
  TransactionMoved,
  TransactionUpdated,
} from './facts.js';
import { statusAfter, type TransactionMove, type TransactionStatus } from './machine.js';
import { type TransactionRecord, type TransactionTimestamps, withoutDigits } from './record.js';

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

function created(applying: Applying, { move, transaction }: TransactionCreated): void {
  const { state, fact, emit } = applying;
  assert(!state.transactions.has(transaction.id), `the transaction ${transaction.id} exists`);
  const status = statusAfter('new', move);
  const record = newRecord(transaction, status, fact);
  state.transactions.put(record);
  if (record.transactionType === 'reimbursement') emit?.(reimbursementEvent(state, 'initiated', record));
  tellMove(applying, move, record);
}

function newRecord(transaction: NewTransaction, status: TransactionStatus, { by, stamp, businessAt }: Fact): TransactionRecord {
  const timestamps: Writable<TransactionTimestamps> = {
    createdAt: businessAt,
    updatedAt: businessAt,
    initiatedAt: null,
    pendingAt: null,
    succeededAt: null,
    failedAt: null,
    canceledAt: null,
    inDisputeAt: null,
    chargebackAt: null,
    appliedAt: transaction.payment === null ? null : businessAt,
  };
  const entered = STATUS_TIMES[status];
  if (entered !== undefined) timestamps[entered] = businessAt;
  return recordFrom(transaction, { status, createdBy: by, createdStamp: stamp, updatedStamp: stamp, timestamps });
}

function moved(applying: Applying, { transactionId, move, changes }: TransactionMoved): void {
  const { state, fact } = applying;
  const before = transactionOf(state, transactionId);
  const status = statusAfter(before.status, move);
  const record = changed(before, changes, fact, status);
  state.transactions.put(record);
  tellMove(applying, move, record);
  if (record.autopayPlanId !== null) noteAutopay(applying, move, record, before);
}

function updated({ state, fact }: Applying, { transactionId, changes }: TransactionUpdated): void {
  const before = transactionOf(state, transactionId);
  state.transactions.put(changed(before, changes, fact, before.status));
}

function changed(
  before: TransactionRecord,
  { times, ...changes }: TransactionChanges,
  fact: Fact,
  status: TransactionStatus,
): TransactionRecord {
  const timestamps: Writable<TransactionTimestamps> = { ...before.timestamps };
  const entered = status === before.status ? undefined : STATUS_TIMES[status];
  if (entered !== undefined) timestamps[entered] = fact.businessAt;
  timestamps.updatedAt = fact.businessAt;
  if (before.payment === null && changes.payment != null) timestamps.appliedAt = fact.businessAt;
  Object.assign(timestamps, times);
  const record: Writable<TransactionRecord> = { ...before };
  record.status = status;
  record.updatedStamp = fact.stamp;
  record.timestamps = timestamps;
  Object.assign(record, changes);
  if (changes.instrument) record.instrument = withoutDigits(changes.instrument);
  return record;
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

function tellMove({ state, emit }: Applying, move: TransactionMove, record: TransactionRecord): void {
  if (emit === null) return;
  const event = transactionEvent(state, move, record);
  if (event !== null) emit(event);
  if (move === 'succeed' && record.transactionType === 'reimbursement') emit(reimbursementEvent(state, 'processed', record));
}

const transactionOf = (state: LoanState, id: string): TransactionRecord =>
  must(state.transactions.get(id), `${state.id} knows no transaction ${id}`);
