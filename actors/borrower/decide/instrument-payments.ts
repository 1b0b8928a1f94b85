import type { LoanState } from '../../loan/state.js';
import { moveDraft } from '../../loan/transactions/moves.js';
import type { TransactionRecord } from '../../loan/transactions/record.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';

/** A payment on an instrument, and the loan that it is for. */
export interface InstrumentPayment {
  readonly loanId: string;
  readonly transaction: TransactionRecord;
}

/**
 * Payments on an instrument for the loans of which its owner is the main borrower: they lie on the same shard. A
 * payment for somebody else's loan finds out on the day on which it would begin.
 */
export function paymentsOn(env: DecideEnv, personId: string, instrumentId: string): readonly InstrumentPayment[] {
  const { rows } = env.list('loan', { parentId: personId, matches: (row) => row.parentId === personId, limit: Number.MAX_SAFE_INTEGER });
  return rows.flatMap(({ id }) => {
    const transactions = env.read<LoanState>('loan', id)?.transactions.values() ?? [];
    const used = [...transactions].filter(({ instrument }) => instrument?.id === instrumentId);
    return used.map((transaction) => ({ loanId: id, transaction }));
  });
}

/** Money on its way, which the instrument cannot be taken from. */
export const isUnderWay = ({ transaction: { status } }: InstrumentPayment): boolean => status === 'initiated' || status === 'pending';

/** What is scheduled on an instrument ends with it (parties 1.8). */
export function cancelScheduled(payments: readonly InstrumentPayment[]): readonly FactDraft[] {
  return payments
    .filter(({ transaction: { status } }) => status === 'scheduled')
    .map(({ loanId, transaction }) => ({
      ...moveDraft(transaction, 'cancel', { cancelReason: 'instrumentInactive' }, null),
      target: { kind: 'loan', id: loanId },
    }));
}
