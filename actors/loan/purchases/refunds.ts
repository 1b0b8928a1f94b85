import type { EvolveEnv } from '../../kernel/actor.js';
import { recordOf, statusOf } from '../context.js';
import type { LoanState } from '../state.js';
import { recordFrom } from '../transactions/new-record.js';
import type { TransactionRecord } from '../transactions/record.js';
import type { PurchaseRecord } from './posting.js';
import { type RefundSplit, refundSplitOf } from './refund-split.js';

/**
 * The payments that the service makes of refunds above a draw's non-due principal, in the order of recording. They are not stored: a replay
 * may change their amounts, also to zero.
 */
export function refundTransactions(state: LoanState, env: EvolveEnv): readonly TransactionRecord[] {
  return state.purchases.refunds().flatMap((purchase) => {
    const split = refundSplitOf(state, env, purchase);
    const { refundTransactionId: id } = purchase;
    return id === null || split === null || split.paymentCents === 0 ? [] : [recordIn(state, { id, purchase, split })];
  });
}

/** Whether an id is that of such a payment, also if its amount is zero now. */
export const isOfRefund = ({ purchases }: LoanState, id: string | undefined): boolean =>
  id !== undefined && purchases.refunds().some(({ refundTransactionId }) => refundTransactionId === id);

interface Made {
  readonly id: string;
  readonly purchase: PurchaseRecord;
  readonly split: RefundSplit;
}

function recordIn(state: LoanState, { id, purchase, split: { paymentCents } }: Made): TransactionRecord {
  const { effective, createdStamp, createdAt, createdBy, caseId } = purchase;
  return recordFrom(
    {
      id,
      transactionType: 'refund',
      isExternal: false,
      scheduledCents: paymentCents,
      actualCents: paymentCents,
      instrument: null,
      currency: recordOf(state).currency,
      serviceCredit: null,
      reimbursement: null,
      payment: purchase.refundPayment,
      effective,
      originalEffectiveDay: effective.day,
      scheduledDay: effective.day,
      settlement: null,
      hold: null,
      returnFeeCounter: null,
      toldDueOn: null,
      createdWhile: statusOf(state),
      draw: purchase.draw,
      caseId,
    },
    {
      status: 'succeeded',
      createdBy,
      createdStamp,
      updatedStamp: createdStamp,
      timestamps: {
        createdAt,
        updatedAt: purchase.updatedAt,
        initiatedAt: null,
        pendingAt: null,
        succeededAt: purchase.settledAt,
        failedAt: null,
        canceledAt: null,
        inDisputeAt: null,
        chargebackAt: null,
        appliedAt: purchase.settledAt,
      },
    },
  );
}
