import type { EvolveEnv, QueryContext, QuerySpec } from '../../kernel/actor.js';
import { pageOf } from '../../list-order.js';
import type { ListResult } from '../../wire.js';
import { recordOf, requirePerson, statusOf } from '../context.js';
import { drawOf } from '../draws/draw.js';
import type { LoanState } from '../state.js';
import { recordFrom } from '../transactions/check-create.js';
import type { TransactionRecord } from '../transactions/record.js';
import { disputeOf, type PurchaseDispute, purchaseOf, type PurchaseRecord } from './posting.js';
import { type RefundSplit, refundSplitOf } from './refund-split.js';
import type { ListDisputesQuery } from './requests.js';
import { disputeView, listed, purchaseView, timeline } from './view.js';

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

type Read = (context: QueryContext<LoanState>) => unknown;

/** A query that first checks that the person of the path is on the line. */
const query = (type: string, read: Read): QuerySpec<LoanState> => ({
  kind: 'loan',
  type,
  on: 'target',
  read(context) {
    requirePerson(context.state, context.request.params['personId'], context.env);
    return read(context);
  },
});

export const purchaseQueries: readonly QuerySpec<LoanState>[] = [
  query('purchase.list', (context) => listed(context, context.query ?? {})),
  query('purchase.listOfDraw', (context) => {
    const { state, request, query: asked } = context;
    const { draw } = drawOf(state, request.params['drawId']);
    return listed(context, asked ?? {}, draw);
  }),
  query('purchase.timeline', (context) => timeline(context, context.query ?? {})),
  query('purchase.get', ({ state, env, request }) => purchaseView(state, env, purchaseOf(state, request.params))),
  query('dispute.list', (context) => disputes(context, () => true)),
  query('dispute.listOfDraw', (context) => {
    const { draw } = drawOf(context.state, context.request.params['drawId']);
    const onDraw = new Set(context.state.purchases.all(draw).map(({ purchase }) => purchase));
    return disputes(context, ({ purchase }) => onDraw.has(purchase));
  }),
  query('dispute.listOfPurchase', (context) => {
    const { purchase } = purchaseOf(context.state, context.request.params);
    return disputes(context, (dispute) => dispute.purchase === purchase);
  }),
  query('dispute.get', ({ state, request }) => disputeView(state, disputeOf(state, request.params))),
];

/** Newest first. */
function disputes({ state, query: asked }: QueryContext<LoanState>, isWanted: (dispute: PurchaseDispute) => boolean): ListResult {
  const { statuses = [], ...page } = (asked ?? {}) as ListDisputesQuery;
  const found = state.disputes
    .filter((dispute) => isWanted(dispute) && (statuses.length === 0 || statuses.includes(dispute.status)))
    .reverse();
  return pageOf(
    found,
    page,
    (dispute) => disputeView(state, dispute),
    ({ externalId }) => externalId,
  );
}
