import typia from 'typia';
import type { CancelRefundRequest, CreateRefundRequest, RefundReply, RefundsReply, UpdateRefundRequest } from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { syncQuery } from '../../routing/shared-queries.js';

const tags = ['Loan refunds'];
const reply = typia.json.schemas<[RefundReply], '3.1'>();

/** Refunds of what an installment loan has financed. */
export const refundRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/refunds',
    operation: 'listLoanRefunds',
    tags,
    permission: 'loan.refund:list',
    summary: 'Prior refunds, and what can still be refunded',
    reply: typia.json.schemas<[RefundsReply], '3.1'>(),
    handle: (call) => call.read('refund.list', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/refunds',
    operation: 'createLoanRefund',
    tags,
    permission: 'loan.refund:create',
    summary: 'Refund what the loan has financed',
    query: syncQuery,
    reply,
    body: { validate: typia.misc.createValidatePrune<CreateRefundRequest>(), schemas: typia.json.schemas<[CreateRefundRequest], '3.1'>() },
    handle: (call) => call.command('refund.create', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/refunds/{refundId}',
    operation: 'getLoanRefund',
    tags,
    permission: 'loan.refund:list',
    summary: 'One refund',
    reply,
    handle: (call) => call.read('refund.get', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/loans/{loanId}/refunds/{refundId}',
    operation: 'updateLoanRefund',
    tags,
    permission: 'loan.refund:create',
    summary: 'Change the amount, the date or the party of a refund',
    query: syncQuery,
    reply,
    body: { validate: typia.misc.createValidatePrune<UpdateRefundRequest>(), schemas: typia.json.schemas<[UpdateRefundRequest], '3.1'>() },
    handle: (call) => call.command('refund.update', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/refunds/{refundId}/cancel',
    operation: 'cancelLoanRefund',
    tags,
    permission: 'loan.refund:cancel',
    summary: 'Cancel a refund',
    query: syncQuery,
    reply,
    body: { validate: typia.misc.createValidatePrune<CancelRefundRequest>(), schemas: typia.json.schemas<[CancelRefundRequest], '3.1'>() },
    handle: (call) => call.command('refund.cancel', call.params.loanId),
  }),
];
