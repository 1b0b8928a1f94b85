import typia from 'typia';
import type {
  AutopayPaymentView,
  AutopayView,
  CancelAutopayPaymentRequest,
  CancelAutopayQuery,
  CreateAutopayRequest,
  ListAutopayPaymentsQuery,
  ListAutopayPlansQuery,
  RescheduleAutopayPaymentRequest,
  UpdateAutopayRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { syncQuery } from '../../routing/shared-queries.js';

const tags = ['Autopay'];
const path = '/people/{personId}/loans/{loanId}/autopay';
const reply = typia.json.schemas<[AutopayView], '3.1'>();

/** Automatic payments of loans. */
export const autopayRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path,
    operation: 'createAutopay',
    tags,
    permission: 'autopay:create',
    summary: 'Create an autopay plan',
    query: syncQuery,
    reply,
    body: {
      validate: typia.misc.createValidatePrune<CreateAutopayRequest>(),
      schemas: typia.json.schemas<[CreateAutopayRequest], '3.1'>(),
    },
    handle: (call) => call.command('autopay.create', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path,
    operation: 'getAutopay',
    tags,
    permission: 'autopay:read',
    summary: 'Get the autopay plan in force',
    reply,
    handle: (call) => call.read('autopay.get', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT',
    path,
    operation: 'updateAutopay',
    tags,
    permission: 'autopay:update',
    summary: 'Update the payment instrument of autopay',
    reply,
    body: {
      validate: typia.misc.createValidatePrune<UpdateAutopayRequest>(),
      schemas: typia.json.schemas<[UpdateAutopayRequest], '3.1'>(),
    },
    handle: (call) => call.command('autopay.update', call.params.loanId),
  }),
  defineRoute({
    method: 'DELETE',
    path,
    operation: 'cancelAutopay',
    tags,
    permission: 'autopay:cancel',
    summary: 'Cancel autopay',
    reply,
    query: { validate: typia.misc.createValidatePrune<CancelAutopayQuery>(), schemas: typia.json.schemas<[CancelAutopayQuery], '3.1'>() },
    handle: (call) => call.command('autopay.cancel', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: `${path}/history`,
    operation: 'listAutopayHistory',
    tags,
    permission: 'autopay:read',
    envelope: 'list',
    summary: 'List past autopay plans, newest first',
    query: {
      validate: typia.misc.createValidatePrune<ListAutopayPlansQuery>(),
      schemas: typia.json.schemas<[ListAutopayPlansQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[AutopayView[]], '3.1'>(),
    handle: (call) => call.read('autopay.history', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: `${path}/expected-payments`,
    operation: 'listAutopayPayments',
    tags,
    permission: 'autopay:read',
    envelope: 'list',
    summary: 'List the payments of autopay, by date',
    description: 'Without `status` only future payments.',
    query: {
      validate: typia.misc.createValidatePrune<ListAutopayPaymentsQuery>(),
      schemas: typia.json.schemas<[ListAutopayPaymentsQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[AutopayPaymentView[]], '3.1'>(),
    handle: (call) => call.read('autopay.expectedPayments', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: `${path}/expected-payments/{autopayPaymentId}/reschedule`,
    operation: 'rescheduleAutopayPayment',
    tags,
    permission: 'autopay:update',
    summary: 'Move a payment of autopay',
    reply,
    body: {
      validate: typia.misc.createValidatePrune<RescheduleAutopayPaymentRequest>(),
      schemas: typia.json.schemas<[RescheduleAutopayPaymentRequest], '3.1'>(),
    },
    handle: (call) => call.command('autopay.reschedulePayment', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: `${path}/expected-payments/{autopayPaymentId}/cancel`,
    operation: 'cancelAutopayPayment',
    tags,
    permission: 'autopay:update',
    summary: 'Skip a payment of autopay',
    reply,
    body: {
      validate: typia.misc.createValidatePrune<CancelAutopayPaymentRequest>(),
      schemas: typia.json.schemas<[CancelAutopayPaymentRequest], '3.1'>(),
    },
    handle: (call) => call.command('autopay.cancelPayment', call.params.loanId),
  }),
];
