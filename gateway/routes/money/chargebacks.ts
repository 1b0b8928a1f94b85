import typia from 'typia';
import type { ChargebackView, CreateChargebackRequest, ListChargebacksQuery, UpdateChargebackRequest } from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { syncQuery } from '../../routing/shared-queries.js';

const tags = ['Chargebacks'];
const path = '/people/{personId}/loans/{loanId}/transactions/{transactionId}/chargebacks';
const reply = typia.json.schemas<[ChargebackView], '3.1'>();

/** Chargebacks of payments. */
export const chargebackRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path,
    operation: 'listChargebacks',
    tags,
    permission: 'transaction.chargeback:list',
    envelope: 'list',
    summary: 'List the chargebacks of a transaction, newest first',
    query: {
      validate: typia.misc.createValidatePrune<ListChargebacksQuery>(),
      schemas: typia.json.schemas<[ListChargebacksQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[ChargebackView[]], '3.1'>(),
    handle: (call) => call.read('chargeback.list', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path,
    operation: 'createChargeback',
    tags,
    permission: 'transaction.chargeback:create',
    success: 201,
    summary: 'Record a chargeback',
    description: 'With `open` the payment is disputed; with `lost` it is voided in the ledger.',
    query: syncQuery,
    reply,
    body: {
      validate: typia.misc.createValidatePrune<CreateChargebackRequest>(),
      schemas: typia.json.schemas<[CreateChargebackRequest], '3.1'>(),
    },
    handle: (call) => call.command('chargeback.create', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: `${path}/{chargebackId}`,
    operation: 'getChargeback',
    tags,
    permission: 'transaction.chargeback:read',
    summary: 'Get a chargeback',
    reply,
    handle: (call) => call.read('chargeback.get', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT',
    path: `${path}/{chargebackId}`,
    operation: 'updateChargeback',
    tags,
    permission: 'transaction.chargeback:update',
    summary: 'Update the status or the details of a chargeback',
    query: syncQuery,
    reply,
    body: {
      validate: typia.misc.createValidatePrune<UpdateChargebackRequest>(),
      schemas: typia.json.schemas<[UpdateChargebackRequest], '3.1'>(),
    },
    handle: (call) => call.command('chargeback.update', call.params.loanId),
  }),
];
