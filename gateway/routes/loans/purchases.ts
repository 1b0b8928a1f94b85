import typia from 'typia';
import type {
  ActionRequest,
  CreatePurchaseQuery,
  CreatePurchaseRequest,
  ListPurchasesQuery,
  PurchaseReply,
  PurchaseTimelineQuery,
  UpdatePurchaseRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { syncQuery } from '../../routing/shared-queries.js';

const tags = ['Purchases'];
const reply = typia.json.schemas<[PurchaseReply], '3.1'>();
const replies = typia.json.schemas<[PurchaseReply[]], '3.1'>();
const list = { validate: typia.misc.createValidatePrune<ListPurchasesQuery>(), schemas: typia.json.schemas<[ListPurchasesQuery], '3.1'>() };

/** Purchases on the draws of a line of credit. */
export const purchaseRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/purchases',
    operation: 'listLinePurchases',
    tags,
    permission: 'purchase:read',
    envelope: 'list',
    summary: 'List the purchases of a line of credit, newest first by default',
    query: list,
    reply: replies,
    handle: (call) => call.read('purchase.list', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/purchases/timeline',
    operation: 'getPurchaseTimeline',
    tags,
    permission: 'purchase:read',
    envelope: 'list',
    summary: 'List the purchases of a line in the order of chosen timestamps',
    reply: replies,
    query: {
      validate: typia.misc.createValidatePrune<PurchaseTimelineQuery>(),
      schemas: typia.json.schemas<[PurchaseTimelineQuery], '3.1'>(),
    },
    handle: (call) => call.read('purchase.timeline', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/draws/{drawId}/purchases',
    operation: 'listDrawPurchases',
    tags,
    permission: 'purchase:read',
    envelope: 'list',
    summary: 'List the purchases of a draw',
    query: list,
    reply: replies,
    handle: (call) => call.read('purchase.listOfDraw', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/draws/{drawId}/purchases',
    operation: 'createPurchase',
    tags,
    permission: 'purchase:create',
    summary: 'Record a purchase, a refund, cash back or an authorization',
    reply,
    query: { validate: typia.misc.createValidatePrune<CreatePurchaseQuery>(), schemas: typia.json.schemas<[CreatePurchaseQuery], '3.1'>() },
    body: {
      validate: typia.misc.createValidatePrune<CreatePurchaseRequest>(),
      schemas: typia.json.schemas<[CreatePurchaseRequest], '3.1'>(),
    },
    handle: (call) => call.command('purchase.create', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/draws/{drawId}/purchases/{purchaseId}',
    operation: 'getPurchase',
    tags,
    permission: 'purchase:read',
    summary: 'Get a purchase',
    reply,
    handle: (call) => call.read('purchase.get', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/loans/{loanId}/draws/{drawId}/purchases/{purchaseId}',
    operation: 'updatePurchase',
    tags,
    permission: 'purchase:update',
    summary: 'Update the status, the amount or the details of a purchase',
    query: syncQuery,
    reply,
    body: {
      validate: typia.misc.createValidatePrune<UpdatePurchaseRequest>(),
      schemas: typia.json.schemas<[UpdatePurchaseRequest], '3.1'>(),
    },
    handle: (call) => call.command('purchase.update', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/draws/{drawId}/purchases/{purchaseId}/cancel',
    operation: 'cancelPurchase',
    tags,
    permission: 'purchase:update',
    summary: 'Cancel a purchase; a settled one is voided in the ledger',
    query: syncQuery,
    reply,
    body: { validate: typia.misc.createValidatePrune<ActionRequest>(), schemas: typia.json.schemas<[ActionRequest], '3.1'>() },
    handle: (call) => call.command('purchase.cancel', call.params.loanId),
  }),
];
