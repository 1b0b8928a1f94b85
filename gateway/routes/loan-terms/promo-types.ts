import typia from 'typia';
import type { PromoTypeCreateBody, PromoTypeUpdateBody, PromoTypeView } from '../../../actors/index.js';
import type { Route } from '../../routing/route.js';
import { pageQuery } from '../../routing/shared-queries.js';
import { declaredRoutes } from '../declared.js';

/** Kinds of promo programs of a loan type; one that is no longer offered is made inactive. */
export const promoTypeRoutes: readonly Route[] = declaredRoutes({
  type: 'promoType',
  name: 'PromoType',
  noun: 'promo type',
  path: '/loan-types/{loanTypeId}/promo-types',
  param: 'promoTypeId',
  tags: ['Promo types'],
  permissions: {
    list: 'loan.type:list',
    read: 'loan.type:list',
    create: 'loan.promotype:create',
    update: 'loan.promotype:update',
    delete: 'loan.promotype:update',
  },
  createStatus: 201,
  query: pageQuery,
  create: { validate: typia.misc.createValidatePrune<PromoTypeCreateBody>(), schemas: typia.json.schemas<[PromoTypeCreateBody], '3.1'>() },
  update: { validate: typia.misc.createValidatePrune<PromoTypeUpdateBody>(), schemas: typia.json.schemas<[PromoTypeUpdateBody], '3.1'>() },
  reply: typia.json.schemas<[PromoTypeView], '3.1'>(),
  listReply: typia.json.schemas<[PromoTypeView[]], '3.1'>(),
}).filter(({ method }) => method !== 'DELETE');
