import typia from 'typia';
import type { ReconciliationListQuery, BankReconciliationView, ResolveReconciliationRequest } from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';

const TAGS = ['Reconciliation'];
const LIST = '/reconciliations';
const ONE = '/reconciliations/{reconciliationId}';
const reply = typia.json.schemas<[BankReconciliationView], '3.1'>();

/** What the days of processors came to. */
export const reconciliationRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: LIST,
    operation: 'listReconciliations',
    summary: 'List the daily reconciliations of payment processors',
    tags: TAGS,
    permission: 'reconciliation:list',
    envelope: 'list',
    query: {
      validate: typia.misc.createValidatePrune<ReconciliationListQuery>(),
      schemas: typia.json.schemas<[ReconciliationListQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[BankReconciliationView[]], '3.1'>(),
    handle: (call) => call.read('reconciliation.list', null),
  }),
  defineRoute({
    method: 'GET',
    path: ONE,
    operation: 'getReconciliation',
    summary: 'Get a daily reconciliation with its differences',
    tags: TAGS,
    permission: 'reconciliation:list',
    reply,
    handle: (call) => call.read('reconciliation.get', call.params.reconciliationId),
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/resolve`,
    operation: 'resolveReconciliation',
    summary: 'Close a difference of a reconciliation',
    tags: TAGS,
    permission: 'reconciliation:update',
    body: {
      validate: typia.misc.createValidatePrune<ResolveReconciliationRequest>(),
      schemas: typia.json.schemas<[ResolveReconciliationRequest], '3.1'>(),
    },
    reply,
    handle: (call) => call.command('reconciliation.resolve', call.params.reconciliationId),
  }),
];
