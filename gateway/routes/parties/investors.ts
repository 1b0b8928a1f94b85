import typia from 'typia';
import type { InvestorCreateBody, InvestorListQuery, InvestorUpdateBody, InvestorView, PartyWriteQuery } from '../../../actors/index.js';
import type { Route } from '../../routing/route.js';
import { declaredRoutes } from '../declared.js';

/** Institutions that own loans. */
export const investorRoutes: readonly Route[] = declaredRoutes({
  type: 'investor',
  name: 'Investor',
  noun: 'investor',
  path: '/companies/{companyId}/investors',
  param: 'investorId',
  tags: ['Investors'],
  permissions: {
    list: 'investor:list',
    read: 'investor:read',
    create: 'investor:create',
    update: 'investor:update',
    delete: 'investor:delete',
  },
  createStatus: 201,
  deleteStatus: 204,
  query: { validate: typia.misc.createValidatePrune<InvestorListQuery>(), schemas: typia.json.schemas<[InvestorListQuery], '3.1'>() },
  writeQuery: { validate: typia.misc.createValidatePrune<PartyWriteQuery>(), schemas: typia.json.schemas<[PartyWriteQuery], '3.1'>() },
  create: { validate: typia.misc.createValidatePrune<InvestorCreateBody>(), schemas: typia.json.schemas<[InvestorCreateBody], '3.1'>() },
  update: { validate: typia.misc.createValidatePrune<InvestorUpdateBody>(), schemas: typia.json.schemas<[InvestorUpdateBody], '3.1'>() },
  reply: typia.json.schemas<[InvestorView], '3.1'>(),
  listReply: typia.json.schemas<[InvestorView[]], '3.1'>(),
});
