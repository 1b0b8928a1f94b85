import typia from 'typia';
import type { CancelRefundRequest, CreateRefundRequest, RefundReply, RefundsReply, UpdateRefundRequest } from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { syncQuery } from '../../routing/shared-queries.js';

const tags = ['Loan refunds'];
const reply = typia.json.schemas<[RefundReply], '3.1'>();

/** Refunds of amounts that an installment loan has financed. */
export const refundRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/refunds',
    operation: 'listLoanRefunds',
    tags,
    permission: 'loan.refund:list',
    summary: 'List the refunds of a loan, and the amount that can still be refunded',
    reply: typia.json.schemas<[RefundsReply], '3.1'>(),
    handle: (call) => call.read('refund.list', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/refunds',
    operation: 'createLoanRefund',
    tags,
    permission: 'loan.refund:create',
    summary: 'Refund an amount that the loan has financed',
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
    summary: 'Get a refund',
    reply,
    handle: (call) => call.read('refund.get', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/loans/{loanId}/refunds/{refundId}',
    operation: 'updateLoanRefund',
    tags,
    permission: 'loan.refund:create',
    summary: 'Update the amount, the date or the party of a refund',
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
