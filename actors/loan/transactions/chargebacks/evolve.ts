import { must } from '../../../../engine/index.js';
import type { EventDraft } from '../../../kernel/fact.js';
import { amount } from '../../../wire.js';
import { recordOf } from '../../context.js';
import type { LoanState } from '../../state.js';
import type { Applying } from '../../tell.js';
import { type ChargebackMove, statusAfter } from './machine.js';
import type { Chargeback, ChargebackDetails } from './record.js';

/** Applies the facts of chargebacks. */
export const APPLY_CHARGEBACKS: {
  readonly [Type in keyof ChargebackFacts]: (applying: Applying, body: ChargebackFacts[Type]) => void;
} = {
  ChargebackRecorded: recorded,
  ChargebackMoved: moved,
};

function recorded({ state, fact, emit }: Applying, body: ChargebackRecorded): void {
  const { id, transactionId, amountCents, partTransactionId, description, externalCaseNumber, reasonCode, category } = body;
  const { businessAt: at } = fact;
  const chargeback: Chargeback = {
    id,
    transactionId,
    amountCents,
    status: statusAfter('new', body.move),
    partTransactionId,
    description,
    externalCaseNumber,
    reasonCode,
    category,
    createdAt: at,
    updatedAt: at,
  };
  state.chargebacks = [...state.chargebacks, chargeback];
  tellMove(emit, state, body.move, chargeback);
}

function moved({ state, fact, emit }: Applying, { chargebackId, move, changes }: ChargebackMoved): void {
  const before = must(
    state.chargebacks.find(({ id }) => id === chargebackId),
    `${state.id} knows no chargeback ${chargebackId}`,
  );
  const after: Chargeback = { ...before, ...changes, status: statusAfter(before.status, move), updatedAt: fact.businessAt };
  state.chargebacks = state.chargebacks.map((chargeback) => (chargeback === before ? after : chargeback));
  tellMove(emit, state, move, after);
}

const EVENTS: Partial<Record<ChargebackMove, string>> = { lose: 'payment.chargeback', reverse: 'payment.chargeback.reversed' };

function tellMove(emit: Applying['emit'], state: LoanState, move: ChargebackMove, chargeback: Chargeback): void {
  const eventType = EVENTS[move];
  if (emit === null || eventType === undefined) return;
  emit(eventOf(state, eventType, chargeback));
}

function eventOf(state: LoanState, eventType: string, { id, transactionId, amountCents, reasonCode }: Chargeback): EventDraft {
  const { personId, externalId } = recordOf(state);
  return {
    eventType,
    objectType: 'transaction',
    objectId: transactionId,
    refs: { loanId: state.id, personId, transactionId },
    externalIds: { loanId: externalId, transactionId: state.transactions.get(transactionId)?.externalId ?? null },
    data: { transactionId, chargebackId: id, amount: amount(amountCents), reasonCode },
  };
}

/**
 * What happens to chargebacks. What follows for the payment and the ledger are facts of their own, in the same batch.
 */
export interface ChargebackFacts {
  readonly ChargebackRecorded: ChargebackRecorded;
  readonly ChargebackMoved: ChargebackMoved;
}

export interface ChargebackRecorded
  extends ChargebackDetails,
    Pick<Chargeback, 'id' | 'transactionId' | 'amountCents' | 'partTransactionId'> {
  readonly move: Extract<ChargebackMove, 'open' | 'lose'>;
  readonly caseId: string | null;
}

/** `changes`: the fields that change, with their new values. */
export interface ChargebackMoved {
  readonly chargebackId: string;
  readonly move: ChargebackMove;
  readonly changes: Partial<ChargebackDetails & Pick<Chargeback, 'amountCents' | 'partTransactionId'>>;
  readonly caseId: string | null;
}
