import typia from 'typia';
import type { MerchantCreateBody, MerchantListQuery, MerchantUpdateBody, MerchantView, PartyWriteQuery } from '../../../actors/index.js';
import type { Route } from '../../routing/route.js';
import { declaredRoutes } from '../declared.js';

/** Merchants of loans and purchases. */
export const merchantRoutes: readonly Route[] = declaredRoutes({
  type: 'merchant',
  name: 'Merchant',
  noun: 'merchant',
  path: '/companies/{companyId}/merchants',
  param: 'merchantId',
  tags: ['Merchants'],
  permissions: {
    list: 'merchant:list',
    read: 'merchant:read',
    create: 'merchant:create',
    update: 'merchant:update',
    delete: 'merchant:delete',
  },
  createStatus: 200,
  deleteStatus: 204,
  query: { validate: typia.misc.createValidatePrune<MerchantListQuery>(), schemas: typia.json.schemas<[MerchantListQuery], '3.1'>() },
  writeQuery: { validate: typia.misc.createValidatePrune<PartyWriteQuery>(), schemas: typia.json.schemas<[PartyWriteQuery], '3.1'>() },
  create: { validate: typia.misc.createValidatePrune<MerchantCreateBody>(), schemas: typia.json.schemas<[MerchantCreateBody], '3.1'>() },
  update: { validate: typia.misc.createValidatePrune<MerchantUpdateBody>(), schemas: typia.json.schemas<[MerchantUpdateBody], '3.1'>() },
  reply: typia.json.schemas<[MerchantView], '3.1'>(),
  listReply: typia.json.schemas<[MerchantView[]], '3.1'>(),
});
