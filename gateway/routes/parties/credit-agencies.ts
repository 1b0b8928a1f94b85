import typia from 'typia';
import type { CreditAgencyCreateBody, CreditAgencyListQuery, CreditAgencyUpdateBody, CreditAgencyView } from '../../../actors/index.js';
import type { Route } from '../../routing/route.js';
import { declaredRoutes } from '../declared.js';
import { withKeyFault } from '../../pgp/pgp.js';
import { withNewServiceKeyPair, withServiceKeyPair } from '../../runners/ssh-keys.js';

/** Credit agencies and how their files reach them. */
export const creditAgencyRoutes: readonly Route[] = declaredRoutes({
  type: 'creditAgency',
  name: 'CreditAgency',
  noun: 'credit agency',
  plural: { name: 'CreditAgencies', noun: 'credit agencies' },
  path: '/companies/{companyId}/credit-agencies',
  param: 'creditAgencyId',
  tags: ['Credit reporting'],
  permissions: {
    list: 'credit.agency:list',
    read: 'credit.agency:read',
    create: 'credit.agency:create',
    update: 'credit.agency:update',
    delete: 'credit.agency:delete',
  },
  createStatus: 200,
  deleteStatus: 204,
  query: {
    validate: typia.misc.createValidatePrune<CreditAgencyListQuery>(),
    schemas: typia.json.schemas<[CreditAgencyListQuery], '3.1'>(),
  },
  create: {
    validate: typia.misc.createValidatePrune<CreditAgencyCreateBody>(),
    schemas: typia.json.schemas<[CreditAgencyCreateBody], '3.1'>(),
  },
  update: {
    validate: typia.misc.createValidatePrune<CreditAgencyUpdateBody>(),
    schemas: typia.json.schemas<[CreditAgencyUpdateBody], '3.1'>(),
  },
  async commandBody(body) {
    const checked = await withKeyFault(body);
    return checked.copyKeysFrom === undefined ? withNewServiceKeyPair(checked) : checked;
  },
  updateBody: async (body, known) => withServiceKeyPair(await withKeyFault(body), known),
  reply: typia.json.schemas<[CreditAgencyView], '3.1'>(),
  listReply: typia.json.schemas<[CreditAgencyView[]], '3.1'>(),
});
