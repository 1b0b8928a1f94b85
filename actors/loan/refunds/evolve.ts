import { amount } from '../../wire.js';
import { loanEvent } from '../events.js';
import type { Applying } from '../tell.js';
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
    emit?.(loanEvent(state, 'loan.refunded', { refundId: made.id, transactionIds: [], amount: amount(made.amountCents) }));
  },
  RefundChanged({ state, fact, emit }, { refundId, changes }) {
    change(state, refundId, { ...changes, updatedAt: fact.businessAt });
    if (changes.amountCents === undefined) return;
    emit?.(loanEvent(state, 'loan.refunded', { refundId, transactionIds: [], amount: amount(changes.amountCents) }));
  },
  RefundTakenBack({ state, fact }, { refundId }) {
    change(state, refundId, { updatedAt: fact.businessAt, canceledAt: fact.businessAt });
  },
};

function change(state: Applying['state'], refundId: string, changes: Partial<LoanRefund>): void {
  state.refunds = state.refunds.map((refund) => (refund.id === refundId ? { ...refund, ...changes } : refund));
}

/** What the envelope gives a new refund is left out. */
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

/** Facts about refunds; what they do to the ledger is a ledger fact of its own, which follows. */
export interface RefundFacts {
  readonly RefundMade: RefundMade;
  readonly RefundChanged: RefundChanged;
  readonly RefundTakenBack: RefundTakenBack;
}
