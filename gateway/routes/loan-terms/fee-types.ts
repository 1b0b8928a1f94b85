import typia from 'typia';
import type { FeeTypeCreateBody, FeeTypeUpdateBody, FeeTypeView } from '../../../actors/index.js';
import type { Route } from '../../routing/route.js';
import { pageQuery } from '../../routing/shared-queries.js';
import { declaredRoutes } from '../declared.js';

/** Kinds of dynamic fees of a loan type; deleting one deactivates it. */
export const feeTypeRoutes: readonly Route[] = declaredRoutes({
  type: 'feeType',
  name: 'FeeType',
  noun: 'fee type',
  path: '/loan-types/{loanTypeId}/fee-types',
  param: 'feeTypeId',
  tags: ['Fee types'],
  permissions: {
    list: 'loan.type:list',
    read: 'loan.type:list',
    create: 'loan.feetype:create',
    update: 'loan.feetype:update',
    delete: 'loan.feetype:update',
  },
  createStatus: 201,
  query: pageQuery,
  create: { validate: typia.misc.createValidatePrune<FeeTypeCreateBody>(), schemas: typia.json.schemas<[FeeTypeCreateBody], '3.1'>() },
  update: { validate: typia.misc.createValidatePrune<FeeTypeUpdateBody>(), schemas: typia.json.schemas<[FeeTypeUpdateBody], '3.1'>() },
  reply: typia.json.schemas<[FeeTypeView], '3.1'>(),
  listReply: typia.json.schemas<[FeeTypeView[]], '3.1'>(),
});
