import typia from 'typia';
import type { RepresentativeBody, RepresentativeListQuery, RepresentativeView, RepresentativeWriteQuery } from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';

const TAGS = ['Legal representatives'];
const LIST = '/people/{personId}/legal-representatives';
const ONE = '/people/{personId}/legal-representatives/{legalRepresentativeId}';
const reply = typia.json.schemas<[RepresentativeView], '3.1'>();
const query = {
  validate: typia.misc.createValidatePrune<RepresentativeWriteQuery>(),
  schemas: typia.json.schemas<[RepresentativeWriteQuery], '3.1'>(),
};
const body = { validate: typia.misc.createValidatePrune<RepresentativeBody>(), schemas: typia.json.schemas<[RepresentativeBody], '3.1'>() };

/** People who represent a borrower legally. */
export const legalRepresentativeRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: LIST,
    operation: 'createLegalRepresentative',
    summary: 'Add a legal representative',
    tags: TAGS,
    permission: 'legalrepresentative:create',
    query,
    body,
    reply,
    handle: (call) => call.command('legalRepresentative.create', call.params.personId),
  }),
  defineRoute({
    method: 'GET',
    path: LIST,
    operation: 'listLegalRepresentatives',
    summary: 'List the legal representatives of a borrower, newest first',
    tags: TAGS,
    permission: 'legalrepresentative:read',
    envelope: 'list',
    query: {
      validate: typia.misc.createValidatePrune<RepresentativeListQuery>(),
      schemas: typia.json.schemas<[RepresentativeListQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[RepresentativeView[]], '3.1'>(),
    handle: (call) => call.read('legalRepresentative.list', call.params.personId),
  }),
  defineRoute({
    method: 'GET',
    path: ONE,
    operation: 'getLegalRepresentative',
    summary: 'Get a legal representative',
    tags: TAGS,
    permission: 'legalrepresentative:read',
    reply,
    handle: (call) => call.read('legalRepresentative.get', call.params.personId),
  }),
  defineRoute({
    method: 'PUT',
    path: ONE,
    operation: 'updateLegalRepresentative',
    summary: 'Update a legal representative',
    tags: TAGS,
    permission: 'legalrepresentative:update',
    query,
    body,
    reply,
    handle: (call) => call.command('legalRepresentative.update', call.params.personId),
  }),
  defineRoute({
    method: 'DELETE',
    path: ONE,
    operation: 'archiveLegalRepresentative',
    summary: 'Archive a legal representative',
    tags: TAGS,
    permission: 'legalrepresentative:delete',
    handle: (call) => call.command('legalRepresentative.delete', call.params.personId),
  }),
];
