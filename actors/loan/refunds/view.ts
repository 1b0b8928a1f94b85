import type { EvolveEnv, QuerySpec } from '../../kernel/actor.js';
import { amount, dateText, dateTimeText, orNull, timeOfDay } from '../../wire.js';
import { requireMove, requirePerson } from '../context.js';
import { detailsView } from '../proceeds-details.js';
import type { LoanState } from '../state.js';
import { eligibleCents, leftCents, type LoanRefund, refundOf } from './refund.js';
import type { RefundReply, RefundsReply } from './types.js';

export const refundView = (state: LoanState, refund: LoanRefund): RefundReply => ({
  id: refund.id,
  status: refund.canceledAt === null ? 'applied' : 'canceled',
  refundDate: dateText(refund.effective.day),
  refundTimeOfDay: timeOfDay(refund.effective.seconds),
  refundAmount: amount(refund.amountCents),
  originalAmount: amount(refund.originalCents),
  isFullRefund: refund.canceledAt === null && leftCents(state) === 0,
  atFaultParty: refund.atFaultParty,
  billedAccount: refund.billedAccount ?? null,
  isRefundOriginationFee: refund.isRefundOriginationFee,
  isRefundLateFees: refund.isRefundLateFees,
  isRefundOtherFees: refund.isRefundOtherFees,
  refundDetails: detailsView(refund.details),
  caseId: refund.caseId,
  timestamps: {
    createdAt: dateTimeText(refund.createdAt),
    updatedAt: dateTimeText(refund.updatedAt),
    canceledAt: orNull(dateTimeText, refund.canceledAt),
  },
});

/** Newest first. */
const refundsView = (state: LoanState, env: EvolveEnv): RefundsReply => ({
  eligibleRefundAmount: amount(eligibleCents(state, env)),
  refunds: state.refunds.map((refund) => refundView(state, refund)).reverse(),
});

/** `GET L/refunds`, and one of them. */
export const refundQueries: readonly QuerySpec<LoanState>[] = [
  {
    kind: 'loan',
    type: 'refund.list',
    on: 'target',
    read({ state, request, env }) {
      requirePerson(state, request.params['personId'], env);
      requireMove(state, 'manageRefund');
      return refundsView(state, env);
    },
  },
  {
    kind: 'loan',
    type: 'refund.get',
    on: 'target',
    read({ state, request, env }) {
      requirePerson(state, request.params['personId'], env);
      return refundView(state, refundOf(state, request.params['refundId']));
    },
  },
];
