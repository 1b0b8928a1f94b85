import typia from 'typia';
import type {
  ActionRequest,
  CreateDisputeRequest,
  ListDisputesQuery,
  PurchaseDisputeReply,
  UpdateDisputeRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { syncQuery } from '../../routing/shared-queries.js';

const tags = ['Purchase disputes'];
const reply = typia.json.schemas<[PurchaseDisputeReply], '3.1'>();
const replies = typia.json.schemas<[PurchaseDisputeReply[]], '3.1'>();
const list = { validate: typia.misc.createValidatePrune<ListDisputesQuery>(), schemas: typia.json.schemas<[ListDisputesQuery], '3.1'>() };

/** Disputes over purchases. */
export const disputeRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/disputes',
    operation: 'listLineDisputes',
    tags,
    permission: 'purchase.dispute:read',
    envelope: 'list',
    summary: 'List the purchase disputes of a line of credit, newest first',
    query: list,
    reply: replies,
    handle: (call) => call.read('dispute.list', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/draws/{drawId}/disputes',
    operation: 'listDrawDisputes',
    tags,
    permission: 'purchase.dispute:read',
    envelope: 'list',
    summary: 'List the purchase disputes of a draw',
    query: list,
    reply: replies,
    handle: (call) => call.read('dispute.listOfDraw', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/draws/{drawId}/purchases/{purchaseId}/disputes',
    operation: 'listPurchaseDisputes',
    tags,
    permission: 'purchase.dispute:read',
    envelope: 'list',
    summary: 'List the disputes of a purchase',
    query: list,
    reply: replies,
    handle: (call) => call.read('dispute.listOfPurchase', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/draws/{drawId}/purchases/{purchaseId}/disputes',
    operation: 'createPurchaseDispute',
    tags,
    permission: 'purchase.dispute:create',
    summary: 'Open a dispute and refund its amount provisionally',
    query: syncQuery,
    reply,
    body: {
      validate: typia.misc.createValidatePrune<CreateDisputeRequest>(),
      schemas: typia.json.schemas<[CreateDisputeRequest], '3.1'>(),
    },
    handle: (call) => call.command('dispute.create', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/draws/{drawId}/purchases/{purchaseId}/disputes/{purchaseDisputeId}',
    operation: 'getPurchaseDispute',
    tags,
    permission: 'purchase.dispute:read',
    summary: 'Get a dispute',
    reply,
    handle: (call) => call.read('dispute.get', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/loans/{loanId}/draws/{drawId}/purchases/{purchaseId}/disputes/{purchaseDisputeId}',
    operation: 'updatePurchaseDispute',
    tags,
    permission: 'purchase.dispute:update',
    summary: 'Submit a dispute, or record its outcome',
    query: syncQuery,
    reply,
    body: {
      validate: typia.misc.createValidatePrune<UpdateDisputeRequest>(),
      schemas: typia.json.schemas<[UpdateDisputeRequest], '3.1'>(),
    },
    handle: (call) => call.command('dispute.update', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/draws/{drawId}/purchases/{purchaseId}/disputes/{purchaseDisputeId}/cancel',
    operation: 'cancelPurchaseDispute',
    tags,
    permission: 'purchase.dispute:update',
    summary: 'Withdraw a dispute that has not been submitted',
    query: syncQuery,
    reply,
    body: { validate: typia.misc.createValidatePrune<ActionRequest>(), schemas: typia.json.schemas<[ActionRequest], '3.1'>() },
    handle: (call) => call.command('dispute.cancel', call.params.loanId),
  }),
];
