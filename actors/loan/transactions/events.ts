import type { Cents } from '../../../engine/index.js';
import type { EventDraft } from '../../kernel/fact.js';
import { amount, dateText } from '../../wire.js';
import { recordOf } from '../context.js';
import { loanEvent } from '../events.js';
import type { LoanState } from '../state.js';
import type { TransactionMove } from './machine.js';
import type { TransactionRecord } from './record.js';

/** The event of each move (money 11, platform 3). A cancellation and a backdate have none of their own. */
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

/** The event that a move of a transaction makes; null when it makes none. */
export function transactionEvent(state: LoanState, move: TransactionMove, record: TransactionRecord): EventDraft | null {
  const eventType = MOVE_EVENTS[move];
  if (eventType === undefined || record.transactionType === 'chargeback') return null;
  // A chargeback that has an object of its own tells of itself.
  if (CHARGEBACK_MOVES.has(move) && state.chargebacks.some(({ transactionId }) => transactionId === record.id)) return null;
  const { personId, externalId } = recordOf(state);
  return {
    eventType,
    objectType: 'transaction',
    objectId: record.id,
    refs: { loanId: state.id, personId, transactionId: record.id },
    externalIds: { loanId: externalId, transactionId: record.externalId },
    data: CHARGEBACK_MOVES.has(move) ? chargebackData(record) : paymentData(record),
  };
}

/** What a reimbursement tells of its loan (loans 7): that it has begun, and that it has arrived. */
export function reimbursementEvent(state: LoanState, step: 'initiated' | 'processed', record: TransactionRecord): EventDraft {
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

/** The chargeback as a whole: parts of it are objects of their own. */
function chargebackData(record: TransactionRecord): EventDraft['data'] {
  return { transactionId: record.id, chargebackId: null, amount: amount(movedCents(record)), reasonCode: record.achReturnCode };
}

const movedCents = (record: TransactionRecord): Cents => record.actualCents ?? record.scheduledCents;
