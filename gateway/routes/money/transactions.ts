import typia from 'typia';
import type {
  AllocationView,
  BackdateTransactionRequest,
  CancelTransactionQuery,
  CancelTransactionRequest,
  PaymentQuery,
  CreateTransactionRequest,
  ListAllTransactionsQuery,
  ListReimbursementsQuery,
  ListTransactionsQuery,
  ReimburseRequest,
  RescheduleTransactionRequest,
  ReverseTransactionRequest,
  TransactionPreviewView,
  TransactionView,
  UpdateTransactionRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { syncQuery } from '../../routing/shared-queries.js';

const tags = ['Transactions'];
const filters = {
  validate: typia.misc.createValidatePrune<ListTransactionsQuery>(),
  schemas: typia.json.schemas<[ListTransactionsQuery], '3.1'>(),
};
const creation = {
  validate: typia.misc.createValidatePrune<CreateTransactionRequest>(),
  schemas: typia.json.schemas<[CreateTransactionRequest], '3.1'>(),
};
const paymentQuery = {
  validate: typia.misc.createValidatePrune<PaymentQuery>(),
  schemas: typia.json.schemas<[PaymentQuery], '3.1'>(),
};
const reply = typia.json.schemas<[TransactionView], '3.1'>();
const listReply = typia.json.schemas<[TransactionView[]], '3.1'>();

/** Payments and credits of loans. The permission of a creation depends on its kind, so the command checks it. */
export const transactionRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/transactions',
    operation: 'createTransaction',
    tags,
    permission: null,
    success: 201,
    summary: 'Create a payment, a down payment or a credit',
    description:
      'Needs the permission `transaction:create.onetimepayment`, `transaction:create.downpayment` or `transaction:create.servicecredit`; ' +
      'an external payment needs `transaction:create` and `payment.instrument:external`. In test mode the last four digits of a bank ' +
      'account make the payment fail: `99NN` is returned with the code RNN, `98NN` is settled and returned with RNN five business days ' +
      'later. A payment of more than twice the owed amount is refused with 422 and the payoff amount, unless `force=true`.',
    query: paymentQuery,
    body: creation,
    reply,
    handle: (call) => call.command('transaction.create', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/transactions/preview',
    operation: 'previewTransaction',
    tags,
    permission: null,
    summary: 'Preview the split of a payment',
    query: paymentQuery,
    body: creation,
    reply: typia.json.schemas<[TransactionPreviewView], '3.1'>(),
    handle: (call) => call.command('transaction.preview', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/transactions',
    operation: 'listTransactions',
    tags,
    permission: 'transaction:list',
    envelope: 'list',
    summary: 'List the transactions of a loan',
    query: filters,
    reply: listReply,
    handle: (call) => call.read('transaction.list', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/transactions',
    operation: 'listPersonTransactions',
    tags,
    permission: 'transaction:list',
    envelope: 'list',
    summary: 'List the transactions of all loans of a borrower',
    query: filters,
    reply: listReply,
    handle: (call) => call.read('transaction.listOfPerson', null),
  }),
  defineRoute({
    method: 'GET',
    path: '/transactions',
    operation: 'listAllTransactions',
    tags,
    permission: 'transaction:list',
    envelope: 'list',
    summary: 'List the transactions of the company',
    query: {
      validate: typia.misc.createValidatePrune<ListAllTransactionsQuery>(),
      schemas: typia.json.schemas<[ListAllTransactionsQuery], '3.1'>(),
    },
    reply: listReply,
    handle: (call) => call.read('transaction.listAll', null),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/transactions/{transactionId}',
    operation: 'getTransaction',
    tags,
    permission: 'transaction:read',
    summary: 'Get a transaction',
    reply,
    handle: (call) => call.read('transaction.get', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/transactions/{transactionId}/allocation',
    operation: 'getTransactionAllocation',
    tags,
    permission: 'transaction:read',
    summary: 'Get the split of a transaction',
    reply: typia.json.schemas<[AllocationView], '3.1'>(),
    handle: (call) => call.read('transaction.allocation', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/loans/{loanId}/transactions/{transactionId}',
    operation: 'updateTransaction',
    tags,
    permission: 'transaction:update',
    summary: 'Update a transaction; of an external one also the status and the amounts',
    description: 'In test mode `status=failed` with a `failureReason` makes an internal payment fail, as a return of its bank would.',
    query: paymentQuery,
    reply,
    body: {
      validate: typia.misc.createValidatePrune<UpdateTransactionRequest>(),
      schemas: typia.json.schemas<[UpdateTransactionRequest], '3.1'>(),
    },
    handle: (call) => call.command('transaction.update', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/transactions/{transactionId}/cancel',
    operation: 'cancelTransaction',
    tags,
    permission: 'transaction:cancel',
    summary: 'Cancel a scheduled transaction',
    reply,
    query: {
      validate: typia.misc.createValidatePrune<CancelTransactionQuery>(),
      schemas: typia.json.schemas<[CancelTransactionQuery], '3.1'>(),
    },
    body: {
      validate: typia.misc.createValidatePrune<CancelTransactionRequest>(),
      schemas: typia.json.schemas<[CancelTransactionRequest], '3.1'>(),
    },
    handle: (call) => call.command('transaction.cancel', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/transactions/{transactionId}/reverse',
    operation: 'reverseTransaction',
    tags,
    permission: 'transaction:reverse',
    summary: 'Reverse a succeeded payment or a credit',
    query: syncQuery,
    reply,
    body: {
      validate: typia.misc.createValidatePrune<ReverseTransactionRequest>(),
      schemas: typia.json.schemas<[ReverseTransactionRequest], '3.1'>(),
    },
    handle: (call) => call.command('transaction.reverse', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/transactions/{transactionId}/backdate',
    operation: 'backdateTransaction',
    tags,
    permission: 'transaction:backdate',
    summary: 'Move a succeeded transaction to an earlier day',
    query: syncQuery,
    reply,
    body: {
      validate: typia.misc.createValidatePrune<BackdateTransactionRequest>(),
      schemas: typia.json.schemas<[BackdateTransactionRequest], '3.1'>(),
    },
    handle: (call) => call.command('transaction.backdate', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/transactions/{transactionId}/reschedule',
    operation: 'rescheduleTransaction',
    tags,
    permission: 'transaction:reschedule',
    summary: 'Update the day, amount or payment method of a scheduled transaction',
    query: paymentQuery,
    reply,
    body: {
      validate: typia.misc.createValidatePrune<RescheduleTransactionRequest>(),
      schemas: typia.json.schemas<[RescheduleTransactionRequest], '3.1'>(),
    },
    handle: (call) => call.command('transaction.reschedule', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/reimburse',
    operation: 'reimburseLoan',
    tags,
    permission: 'loan:reimburse',
    summary: 'Reimburse overpaid money to the borrower',
    query: syncQuery,
    reply,
    body: { validate: typia.misc.createValidatePrune<ReimburseRequest>(), schemas: typia.json.schemas<[ReimburseRequest], '3.1'>() },
    handle: (call) => call.command('loan.reimburse', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/reimbursements',
    operation: 'listReimbursements',
    tags,
    permission: 'transaction:list',
    envelope: 'list',
    summary: 'List reimbursements, with the `owedAmount` beside `data`',
    reply: listReply,
    query: {
      validate: typia.misc.createValidatePrune<ListReimbursementsQuery>(),
      schemas: typia.json.schemas<[ListReimbursementsQuery], '3.1'>(),
    },
    handle: async (call) => {
      const list = await call.read('reimbursement.list', call.params.loanId);
      return { ...list, extra: { owedAmount: list.data.owedAmount } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/reimbursements/{transactionId}',
    operation: 'getReimbursement',
    tags,
    permission: 'transaction:read',
    summary: 'Get a reimbursement',
    reply,
    handle: (call) => call.read('reimbursement.get', call.params.loanId),
  }),
];
