import typia from 'typia';
import type {
  CancelPromisePlanRequest,
  CreatePromisePlanRequest,
  ListAllPromisePlansQuery,
  ListPromisePlansQuery,
  PromisePlanView,
  UpdatePromisePlanRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';

const tags = ['Promise-to-pay plans'];
const reply = typia.json.schemas<[PromisePlanView], '3.1'>();
const listReply = typia.json.schemas<[PromisePlanView[]], '3.1'>();

/** Payments that borrowers have promised. */
export const promiseRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/promise-to-pay-plans',
    operation: 'listAllPromisePlans',
    tags,
    permission: 'promise.to.pay.plan:list',
    envelope: 'list',
    summary: 'List the promise-to-pay plans of the company',
    query: {
      validate: typia.misc.createValidatePrune<ListAllPromisePlansQuery>(),
      schemas: typia.json.schemas<[ListAllPromisePlansQuery], '3.1'>(),
    },
    reply: listReply,
    handle: (call) => call.read('promisePlan.listAll', null),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/promise-to-pay-plans',
    operation: 'listPromisePlans',
    tags,
    permission: 'promise.to.pay.plan:list',
    envelope: 'list',
    summary: 'List the promise-to-pay plans of a loan, newest first',
    query: {
      validate: typia.misc.createValidatePrune<ListPromisePlansQuery>(),
      schemas: typia.json.schemas<[ListPromisePlansQuery], '3.1'>(),
    },
    reply: listReply,
    handle: (call) => call.read('promisePlan.list', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/promise-to-pay-plans',
    operation: 'createPromisePlan',
    tags,
    permission: 'promise.to.pay.plan:create',
    summary: 'Create a promise-to-pay plan',
    reply,
    body: {
      validate: typia.misc.createValidatePrune<CreatePromisePlanRequest>(),
      schemas: typia.json.schemas<[CreatePromisePlanRequest], '3.1'>(),
    },
    handle: (call) => call.command('promisePlan.create', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/promise-to-pay-plans/{planId}',
    operation: 'getPromisePlan',
    tags,
    permission: 'promise.to.pay.plan:read',
    summary: 'Get a promise-to-pay plan',
    reply,
    handle: (call) => call.read('promisePlan.get', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/loans/{loanId}/promise-to-pay-plans/{planId}',
    operation: 'updatePromisePlan',
    tags,
    permission: 'promise.to.pay.plan:update',
    summary: 'Update the future payments of a promise-to-pay plan',
    reply,
    body: {
      validate: typia.misc.createValidatePrune<UpdatePromisePlanRequest>(),
      schemas: typia.json.schemas<[UpdatePromisePlanRequest], '3.1'>(),
    },
    handle: (call) => call.command('promisePlan.update', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/promise-to-pay-plans/{planId}/cancel',
    operation: 'cancelPromisePlan',
    tags,
    permission: 'promise.to.pay.plan:update',
    summary: 'Cancel a promise-to-pay plan',
    reply,
    body: {
      validate: typia.misc.createValidatePrune<CancelPromisePlanRequest>(),
      schemas: typia.json.schemas<[CancelPromisePlanRequest], '3.1'>(),
    },
    handle: (call) => call.command('promisePlan.cancel', call.params.loanId),
  }),
];
