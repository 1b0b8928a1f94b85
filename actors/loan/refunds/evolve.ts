import type { EventDraft } from '../../kernel/fact.js';
import { amount } from '../../wire.js';
import { loanEvent, occurredAt } from '../events.js';
import type { Applying } from '../applying.js';
import type { LoanRefund } from './refund.js';

/** Applies the facts of refunds. */
export const APPLY_REFUNDS: {
  readonly [Type in keyof RefundFacts]: (applying: Applying, body: RefundFacts[Type]) => void;
} = {
  RefundMade({ state, fact, emit }, { refund }) {
    const { businessAt } = fact;
    const made: LoanRefund = {
      ...refund,
      originalCents: refund.amountCents,
      createdAt: businessAt,
      updatedAt: businessAt,
      canceledAt: null,
    };
    state.refunds = [...state.refunds, made];
    emit?.({ ...refunded(state, made), occurredAt: occurredAt(state, made.effective, fact) });
  },
  RefundChanged({ state, fact, emit }, { refundId, changes }) {
    change(state, refundId, { ...changes, updatedAt: fact.businessAt });
    const changed = state.refunds.find(({ id }) => id === refundId);
    if (changed !== undefined && (changes.amountCents !== undefined || changes.billedAccount !== undefined))
      emit?.(refunded(state, changed));
  },
  RefundTakenBack({ state, fact }, { refundId }) {
    change(state, refundId, { updatedAt: fact.businessAt, canceledAt: fact.businessAt });
  },
};

/** It says which party is billed, to which account, and the amount. */
const refunded = (state: Applying['state'], { id, amountCents, atFaultParty, billedAccount = null }: LoanRefund): EventDraft =>
  loanEvent(state, 'loan.refunded', { refundId: id, transactionIds: [], amount: amount(amountCents), atFaultParty, billedAccount });

function change(state: Applying['state'], refundId: string, changes: Partial<LoanRefund>): void {
  state.refunds = state.refunds.map((refund) => (refund.id === refundId ? { ...refund, ...changes } : refund));
}

/** A new refund without the fields that follow from the fact's envelope. */
export interface RefundMade {
  readonly refund: Omit<LoanRefund, 'createdAt' | 'updatedAt' | 'canceledAt' | 'originalCents'>;
}

export interface RefundChanged {
  readonly refundId: string;
  readonly changes: Partial<Omit<LoanRefund, 'id' | 'createdAt' | 'updatedAt' | 'canceledAt' | 'originalCents'>>;
}

export interface RefundTakenBack {
  readonly refundId: string;
  readonly caseId: string | null;
}

/** Facts about refunds. A change of the ledger is a fact of its own, which follows. */
export interface RefundFacts {
  readonly RefundMade: RefundMade;
  readonly RefundChanged: RefundChanged;
  readonly RefundTakenBack: RefundTakenBack;
}
