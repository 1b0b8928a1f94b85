import type { LoanState } from '../state.js';
import { moveDraft } from './moves.js';
import type { TransactionRecord } from './record.js';
import { type PersonFacts, type PersonState } from '../../borrower/index.js';
import type { CommandContext, DecideEnv } from '../../kernel/actor.js';
import { bodiesOf, type FactDraft } from '../../kernel/fact.js';

/** A payment on an instrument, and the loan that it is for. */
interface InstrumentPayment {
  readonly loanId: string;
  readonly transaction: TransactionRecord;
}

/**
 * Payments on an instrument for the loans of which its owner is the main borrower: they lie on the same shard. A
 * payment for somebody else's loan finds out on the day on which it would begin.
 */
function paymentsOn(env: DecideEnv, personId: string, instrumentId: string): readonly InstrumentPayment[] {
  const { rows } = env.list('loan', { parentId: personId, matches: (row) => row.parentId === personId, limit: Number.MAX_SAFE_INTEGER });
  return rows.flatMap(({ id }) => {
    const transactions = env.read<LoanState>('loan', id)?.transactions.values() ?? [];
    const used = [...transactions].filter(({ instrument }) => instrument?.id === instrumentId);
    return used.map((transaction) => ({ loanId: id, transaction }));
  });
}

/** Money on its way, which the instrument cannot be taken from. */
const isUnderWay = ({ transaction: { status } }: InstrumentPayment): boolean => status === 'initiated' || status === 'pending';

/** What is scheduled on an instrument ends with it. */
function cancelScheduled(payments: readonly InstrumentPayment[]): readonly FactDraft[] {
  return payments
    .filter(({ transaction: { status } }) => status === 'scheduled')
    .map(({ loanId, transaction }) => ({
      ...moveDraft(transaction, 'cancel', { cancelReason: 'instrumentInactive' }, null),
      target: { kind: 'loan', id: loanId },
    }));
}

/** Whether money is on its way that is taken from the instrument. */
export const isPaymentUnderWay = (env: DecideEnv, personId: string, instrumentId: string): boolean =>
  paymentsOn(env, personId, instrumentId).some(isUnderWay);

/** What ends with the instruments that facts of their borrower remove or make inactive. */
export const paymentsCanceled = (
  { id: personId, env, state }: CommandContext<PersonState>,
  facts: readonly FactDraft[],
): readonly FactDraft[] => instrumentsEnded(state, facts).flatMap((id) => cancelScheduled(paymentsOn(env, personId, id)));

function instrumentsEnded({ instruments }: PersonState, facts: readonly FactDraft[]): readonly string[] {
  const isActive = (id: string): boolean => instruments.find((known) => known.id === id)?.status !== 'inactive';
  const updated = bodiesOf<PersonFacts, 'InstrumentUpdated'>(facts, 'InstrumentUpdated').map(({ instrument }) => instrument);
  return [
    ...bodiesOf<PersonFacts, 'InstrumentRemoved'>(facts, 'InstrumentRemoved').map(({ id }) => id),
    ...updated.filter(({ id, status }) => status === 'inactive' && isActive(id)).map(({ id }) => id),
  ];
}
