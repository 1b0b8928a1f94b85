import typia from 'typia';
import type {
  CollectionAgencyCreateBody,
  CollectionAgencyListQuery,
  CollectionAgencyUpdateBody,
  CollectionAgencyView,
  PartyWriteQuery,
} from '../../../actors/index.js';
import type { Route } from '../../routing/route.js';
import { declaredRoutes } from '../declared.js';

/** Companies that collect charged-off loans. */
export const collectionAgencyRoutes: readonly Route[] = declaredRoutes({
  type: 'collectionAgency',
  name: 'CollectionAgency',
  noun: 'collection agency',
  plural: { name: 'CollectionAgencies', noun: 'collection agencies' },
  path: '/companies/{companyId}/collection-agencies',
  param: 'agencyId',
  tags: ['Collection agencies'],
  permissions: {
    list: 'collection.agency:list',
    read: 'collection.agency:read',
    create: 'collection.agency:create',
    update: 'collection.agency:update',
    delete: 'collection.agency:delete',
  },
  createStatus: 200,
  deleteStatus: 204,
  query: {
    validate: typia.misc.createValidatePrune<CollectionAgencyListQuery>(),
    schemas: typia.json.schemas<[CollectionAgencyListQuery], '3.1'>(),
  },
  writeQuery: { validate: typia.misc.createValidatePrune<PartyWriteQuery>(), schemas: typia.json.schemas<[PartyWriteQuery], '3.1'>() },
  create: {
    validate: typia.misc.createValidatePrune<CollectionAgencyCreateBody>(),
    schemas: typia.json.schemas<[CollectionAgencyCreateBody], '3.1'>(),
  },
  update: {
    validate: typia.misc.createValidatePrune<CollectionAgencyUpdateBody>(),
    schemas: typia.json.schemas<[CollectionAgencyUpdateBody], '3.1'>(),
  },
  reply: typia.json.schemas<[CollectionAgencyView], '3.1'>(),
  listReply: typia.json.schemas<[CollectionAgencyView[]], '3.1'>(),
});
