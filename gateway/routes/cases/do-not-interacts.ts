import typia from 'typia';
import type { DoNotInteractRequest, DoNotInteractView, ListPersonBlocksQuery } from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { pageQuery } from '../../routing/shared-queries.js';

const tags = ['Do Not Interact'];
const reply = typia.json.schemas<[DoNotInteractView], '3.1'>();
const listReply = typia.json.schemas<[DoNotInteractView[]], '3.1'>();
const body = {
  validate: typia.misc.createValidatePrune<DoNotInteractRequest>(),
  schemas: typia.json.schemas<[DoNotInteractRequest], '3.1'>(),
};

/** Blocks of outbound communication. */
export const doNotInteractRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/cases/{caseId}/do-not-interacts',
    operation: 'createDoNotInteract',
    summary: 'Block communication with a borrower',
    tags,
    permission: 'case:update',
    body,
    reply,
    handle: (call) => call.command('doNotInteract.create', call.params.caseId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/cases/{caseId}/do-not-interacts',
    operation: 'listDoNotInteracts',
    summary: 'List the blocks of a case',
    tags,
    permission: 'case:read',
    envelope: 'list',
    query: pageQuery,
    reply: listReply,
    handle: (call) => call.read('doNotInteract.list', call.params.caseId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/cases/{caseId}/do-not-interacts/{doNotInteractId}',
    operation: 'getDoNotInteract',
    summary: 'Get a block',
    tags,
    permission: 'case:read',
    reply,
    handle: (call) => call.read('doNotInteract.get', call.params.caseId),
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/cases/{caseId}/do-not-interacts/{doNotInteractId}',
    operation: 'updateDoNotInteract',
    summary: 'Update a block',
    tags,
    permission: 'case:update',
    body,
    reply,
    handle: (call) => call.command('doNotInteract.update', call.params.caseId),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/people/{personId}/cases/{caseId}/do-not-interacts/{doNotInteractId}',
    operation: 'deleteDoNotInteract',
    summary: 'Lift a block',
    tags,
    permission: 'case:update',
    handle: (call) => call.command('doNotInteract.delete', call.params.caseId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/do-not-interacts',
    operation: 'listPersonDoNotInteracts',
    summary: 'List all blocks of a borrower',
    tags,
    permission: 'case:read',
    envelope: 'list',
    reply: listReply,
    query: {
      validate: typia.misc.createValidatePrune<ListPersonBlocksQuery>(),
      schemas: typia.json.schemas<[ListPersonBlocksQuery], '3.1'>(),
    },
    handle: (call) => call.read('doNotInteract.listOfPerson', null),
  }),
];
