import { assert, must } from '../../../engine/index.js';
import type { EventDraft, Fact } from '../../kernel/fact.js';
import { amount, dateText } from '../../wire.js';
import { noteAutopay } from '../autopay/evolve.js';
import { loanEvent, occurredAt, namesOfTransaction } from '../events.js';
import type { LoanState } from '../state.js';
import type { Applying } from '../applying.js';
import { type NewTransaction, recordFrom } from './new-record.js';
import { statusAfter, type TransactionMove, type TransactionStatus } from './machine.js';
import { movedCents, type TransactionDetails, type TransactionRecord, type TransactionTimestamps, withoutDigits } from './record.js';

/** Applies the facts of transactions. A change of the ledger is a fact of its own, which follows. */
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
  if (emit === null) return;
  const at = occurredAt(state, record.effective, fact);
  if (record.transactionType === 'reimbursement') emit({ ...reimbursementEvent(state, 'initiated', record), occurredAt: at });
  emitMove({ ...applying, emit: (event) => emit({ ...event, occurredAt: at }) }, move, record);
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
  emitMove(applying, move, record);
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

function emitMove({ state, emit }: Applying, move: TransactionMove, record: TransactionRecord): void {
  if (emit === null) return;
  const event = transactionEvent(state, move, record);
  if (event !== null) emit(event);
  if (move === 'succeed' && record.transactionType === 'reimbursement') emit(reimbursementEvent(state, 'processed', record));
}

const transactionOf = (state: LoanState, id: string): TransactionRecord =>
  must(state.transactions.get(id), `${state.id} knows no transaction ${id}`);

/**
 * Facts of transactions. If one changes what the ledger counts, a ledger fact follows in the same batch, so that both are recorded or
 * neither.
 */
export interface TransactionFacts {
  readonly TransactionCreated: TransactionCreated;
  readonly TransactionMoved: TransactionMoved;
  readonly TransactionUpdated: TransactionUpdated;
}

export interface TransactionCreated {
  /** `schedule`, `initiate`, `post`, `succeed` or `fail`. */
  readonly move: TransactionMove;
  /** Status, times and author follow from the move and the envelope. */
  readonly transaction: NewTransaction;
  readonly caseId: string | null;
}

export interface TransactionMoved {
  readonly transactionId: string;
  readonly move: TransactionMove;
  readonly changes: TransactionChanges;
  readonly caseId: string | null;
}

export interface TransactionUpdated {
  readonly transactionId: string;
  readonly changes: TransactionChanges;
  readonly caseId: string | null;
}

/** The fields that change, with their new values, including times that the caller set. */
export type TransactionChanges = Partial<
  TransactionDetails &
    Pick<TransactionRecord, 'instrument' | 'payment' | 'effective' | 'scheduledDay' | 'settlement' | 'hold' | 'toldDueOn'>
> & { readonly times?: Partial<TransactionTimestamps> };

/** The event of each move. Cancellations and backdates have no event of their own. */
const MOVE_EVENTS: Partial<Record<TransactionMove, string>> = {
  schedule: 'payment.scheduled',
  reschedule: 'payment.rescheduled',
  initiate: 'payment.initiated',
  handOver: 'payment.pending',
  post: 'payment.pending',
  succeed: 'payment.succeeded',
  fail: 'payment.failed',
  reverse: 'payment.reversed',
  fallDue: 'payment.due.today',
  expireHold: 'payment.hold.days.expired',
  chargeBack: 'payment.chargeback',
  reverseChargeback: 'payment.chargeback.reversed',
};

const CHARGEBACK_MOVES: ReadonlySet<TransactionMove> = new Set<TransactionMove>(['chargeBack', 'reverseChargeback']);

/** The event of a move; null if it has none. */
function transactionEvent(state: LoanState, move: TransactionMove, record: TransactionRecord): EventDraft | null {
  const eventType = MOVE_EVENTS[move];
  if (eventType === undefined || record.transactionType === 'chargeback') return null;
  // A chargeback with an object of its own has events of its own.
  if (CHARGEBACK_MOVES.has(move) && state.chargebacks.some(({ transactionId }) => transactionId === record.id)) return null;
  return {
    eventType,
    objectType: 'transaction',
    objectId: record.id,
    ...namesOfTransaction(state, record),
    data: CHARGEBACK_MOVES.has(move) ? chargebackData(record) : paymentData(record),
  };
}

/** The event of the loan when a reimbursement was initiated, and when it has arrived. */
function reimbursementEvent(state: LoanState, step: 'initiated' | 'processed', record: TransactionRecord): EventDraft {
  return loanEvent(state, `loan.reimbursement.${step}`, {
    refundId: record.id,
    amount: amount(movedCents(record)),
    instrumentId: record.instrument?.id ?? null,
  });
}

function paymentData(record: TransactionRecord): EventDraft['data'] {
  return {
    transactionId: record.id,
    type: record.transactionType,
    amount: amount(movedCents(record)),
    status: record.status,
    scheduledDate: dateText(record.scheduledDay),
    effectiveDate: dateText(record.effective.day),
    isExternal: record.isExternal,
    paymentInstrumentId: record.instrument?.id ?? null,
    failureReason: record.failureReason,
    failureCode: record.achReturnCode,
  };
}

/** The event data of a chargeback of a whole payment; a chargeback of a part is an object of its own. */
function chargebackData(record: TransactionRecord): EventDraft['data'] {
  return { transactionId: record.id, chargebackId: null, amount: amount(movedCents(record)), reasonCode: record.achReturnCode };
}
