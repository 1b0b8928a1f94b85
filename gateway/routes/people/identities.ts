import typia from 'typia';
import type { AnyId, ArchivedQuery, IdentityCreateBody, IdentityUpdateBody, IdentityView } from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';

interface ArchiveQuery {
  readonly caseId?: AnyId;
}

const TAGS = ['Identities'];
const identityReply = typia.json.schemas<[IdentityView], '3.1'>();

/** Identities of a borrower. */
export const identityRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/identity',
    operation: 'getPrimaryIdentity',
    summary: 'Get the primary identity of a borrower',
    tags: TAGS,
    permission: 'identity:read',
    reply: identityReply,
    handle: (call) => call.read('identity.primary', call.params.personId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/identities',
    operation: 'listIdentities',
    summary: 'List the identities of a borrower',
    tags: TAGS,
    permission: 'identity:read',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<ArchivedQuery>(), schemas: typia.json.schemas<[ArchivedQuery], '3.1'>() },
    reply: typia.json.schemas<[IdentityView[]], '3.1'>(),
    handle: (call) => call.read('identity.list', call.params.personId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/identities',
    operation: 'createIdentity',
    summary: 'Add an identity',
    tags: TAGS,
    permission: 'identity:create',
    body: { validate: typia.misc.createValidatePrune<IdentityCreateBody>(), schemas: typia.json.schemas<[IdentityCreateBody], '3.1'>() },
    reply: identityReply,
    handle: (call) => call.command('identity.create', call.params.personId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/identities/{identityId}',
    operation: 'getIdentity',
    summary: 'Get an identity',
    tags: TAGS,
    permission: 'identity:read',
    reply: identityReply,
    handle: (call) => call.read('identity.get', call.params.personId),
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/identities/{identityId}',
    operation: 'updateIdentity',
    summary: 'Update an identity',
    tags: TAGS,
    permission: 'identity:update',
    body: { validate: typia.misc.createValidatePrune<IdentityUpdateBody>(), schemas: typia.json.schemas<[IdentityUpdateBody], '3.1'>() },
    reply: identityReply,
    handle: (call) => call.command('identity.update', call.params.personId),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/people/{personId}/identities/{identityId}',
    operation: 'archiveIdentity',
    summary: 'Archive an identity',
    tags: TAGS,
    permission: 'identity:delete',
    query: { validate: typia.misc.createValidatePrune<ArchiveQuery>(), schemas: typia.json.schemas<[ArchiveQuery], '3.1'>() },
    handle: (call) => call.command('identity.delete', call.params.personId),
  }),
];
