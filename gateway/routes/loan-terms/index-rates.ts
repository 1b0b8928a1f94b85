import typia from 'typia';
import type {
  IndexRateCreateBody,
  IndexRateListQuery,
  IndexRateUpdateBody,
  IndexRateView,
  IndexRateWriteQuery,
} from '../../../actors/index.js';
import type { Route } from '../../routing/route.js';
import { declaredRoutes } from '../declared.js';

/** The values of a loan type's index, to which spread rates are added. */
export const indexRateRoutes: readonly Route[] = declaredRoutes({
  type: 'indexRate',
  name: 'IndexRate',
  noun: 'index rate',
  path: '/loan-types/{loanTypeId}/index-rates',
  param: 'indexRateId',
  tags: ['Index rates'],
  permissions: {
    list: 'indexrates:list',
    read: 'indexrates:read',
    create: 'indexrates:create',
    update: 'indexrates:update',
    delete: 'indexrates:delete',
  },
  createStatus: 201,
  query: { validate: typia.misc.createValidatePrune<IndexRateListQuery>(), schemas: typia.json.schemas<[IndexRateListQuery], '3.1'>() },
  create: { validate: typia.misc.createValidatePrune<IndexRateCreateBody>(), schemas: typia.json.schemas<[IndexRateCreateBody], '3.1'>() },
  update: { validate: typia.misc.createValidatePrune<IndexRateUpdateBody>(), schemas: typia.json.schemas<[IndexRateUpdateBody], '3.1'>() },
  writeQuery: {
    validate: typia.misc.createValidatePrune<IndexRateWriteQuery>(),
    schemas: typia.json.schemas<[IndexRateWriteQuery], '3.1'>(),
  },
  reply: typia.json.schemas<[IndexRateView], '3.1'>(),
  listReply: typia.json.schemas<[IndexRateView[]], '3.1'>(),
});
