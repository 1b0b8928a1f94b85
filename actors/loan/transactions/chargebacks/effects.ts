import { type Cents, cents, must } from '../../../../engine/index.js';
import type { CommandContext } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { activationOf } from '../../context.js';
import type { LoanState } from '../../state.js';
import type { NewTransaction, TransactionCreated, TransactionUpdated } from '../evolve.js';
import { chargebackReversedDraft, chargedBackDraft, countDraft, nextPaymentNumber, type Recording, voidDraft } from '../ledger-facts.js';
import { moveBetween, type TransactionStatus } from '../machine.js';
import { countAgain, moveDraft, takeOut } from '../moves.js';
import { someDetails } from '../details.js';
import type { TransactionRecord } from '../record.js';
import type { ChargebackMove } from './machine.js';
import { type Chargeback, lostCents } from './record.js';

/** A payment, its chargebacks as they are now, and the one that has made them so with its move. */
export interface Disputed {
  readonly record: TransactionRecord;
  readonly after: readonly Chargeback[];
  readonly move: ChargebackMove;
  readonly chargeback: Chargeback;
}

/**
 * What a payment is once its chargebacks are these: in dispute while one is open, charged back when nothing of it is left,
 * else succeeded with what is left. The ledger counts what is left, from the payment's own effective time; where the
 * loan type has an order for charge-backs, all of the payment, and what comes back to life from now on.
 */
export function paymentAfter({ state }: CommandContext<LoanState>, disputed: Disputed, recording: Recording): readonly FactDraft[] {
  const { record, after } = disputed;
  const actualCents = record.actualCents ?? record.scheduledCents;
  const leftCents = cents(actualCents - lostCents(after));
  const status = leftCents === 0 ? 'chargeback' : after.some((chargeback) => chargeback.status === 'open') ? 'inDispute' : 'succeeded';
  if (isOwedAgain(state)) return owedAgain(state, disputed, status, recording);
  if (status === 'chargeback') return record.status === status ? [] : takeOut(record, 'chargeBack', {}, recording);
  if (record.status === 'chargeback') return countAgain(state, record, {}, recording, leftCents);
  const recount = recountOf(state, record, leftCents, recording);
  const changes = recount === null ? {} : { payment: recount.payment };
  const move = status === record.status ? null : must(moveBetween(record.status, status), `a way from ${record.status} to ${status}`);
  if (move !== null) return [moveDraft(record, move, changes, recording.caseId), ...(recount?.facts ?? [])];
  if (recount === null) return [];
  const body: TransactionUpdated = { transactionId: record.id, changes, caseId: recording.caseId };
  return [{ type: 'TransactionUpdated', body }, ...recount.facts];
}

/** Whether charge-backs of the loan have an order in which they bring back what was paid. */
const isOwedAgain = ({ servicing }: LoanState): boolean => (servicing?.contract.terms.keeping?.chargebackOrder ?? null) !== null;

/** The payment stays as it was; what it had met is owed again once a chargeback is lost, until that is reversed. */
function owedAgain(
  state: LoanState,
  { record, move, chargeback }: Disputed,
  status: TransactionStatus,
  recording: Recording,
): readonly FactDraft[] {
  const known = state.chargebacks.findIndex(({ id }) => id === chargeback.id);
  const number = known === -1 ? state.chargebacks.length : known;
  const payment = must(record.payment ?? undefined, 'the ledger counts what can be disputed');
  const moved =
    status === record.status
      ? []
      : [moveDraft(record, must(moveBetween(record.status, status), `a way from ${record.status} to ${status}`), {}, recording.caseId)];
  if (move === 'lose') return [...moved, chargedBackDraft({ chargeback: number, payment, amountCents: chargeback.amountCents }, recording)];
  return move === 'reverse' ? [...moved, chargebackReversedDraft(number, recording)] : moved;
}

interface Recount {
  readonly payment: number;
  readonly facts: readonly FactDraft[];
}

/** Takes the money out and counts what is left of it. Null when the ledger counts just that. */
function recountOf(state: LoanState, record: TransactionRecord, leftCents: Cents, recording: Recording): Recount | null {
  if (record.payment === null || countedCents(state, record.payment) === leftCents) return null;
  const payment = nextPaymentNumber(state, 1);
  return {
    payment,
    facts: [voidDraft(record.payment, recording), countDraft(state, { ...record, actualCents: leftCents }, payment, 'settled', recording)],
  };
}

function countedCents(state: LoanState, payment: number): Cents {
  const counted = must(activationOf(state), `${state.id} has no ledger`).facts.at(payment - 1)?.fact;
  if (counted?.type !== 'payment') throw new TypeError(`${state.id} counts no payment ${payment}`);
  return counted.amountCents;
}

/** The record of the part that went back: the ledger counts what is left of the payment instead. */
export function partCreated(id: string, record: TransactionRecord, amountCents: Cents, { at, today, caseId }: Recording): FactDraft {
  const transaction: NewTransaction = {
    id,
    transactionType: 'chargeback',
    isExternal: record.isExternal,
    scheduledCents: amountCents,
    actualCents: amountCents,
    instrument: record.instrument,
    currency: record.currency,
    serviceCredit: null,
    payment: null,
    effective: at,
    originalEffectiveDay: today,
    scheduledDay: today,
    settlement: null,
    hold: null,
    toldDueOn: null,
    reimbursement: null,
    returnFeeCounter: null,
    createdWhile: record.createdWhile,
    parentTransactionId: record.id,
    ...someDetails({ caseId }),
  };
  const body: TransactionCreated = { move: 'succeed', transaction, caseId };
  return { type: 'TransactionCreated', body };
}

/** The part has come back: its record says so. */
export function partWithdrawn(state: LoanState, { partTransactionId }: Chargeback, { caseId }: Recording): readonly FactDraft[] {
  if (partTransactionId === null) return [];
  const part = must(state.transactions.get(partTransactionId), `${state.id} knows no transaction ${partTransactionId}`);
  return [moveDraft(part, 'fail', {}, caseId)];
}
