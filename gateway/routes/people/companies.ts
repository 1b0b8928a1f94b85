import typia from 'typia';
import type {
  AppDomainBody,
  AppDomainView,
  CompanyUpdateBody,
  CompanyView,
  LoanLabelCreateBody,
  LoanLabelListQuery,
  LoanLabelUpdateBody,
  LoanLabelView,
  PageQuery,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { pageQuery } from '../../routing/shared-queries.js';
import { declaredRoutes } from '../declared.js';
import { ownCompany } from '../own-company.js';

type LabelQuery = LoanLabelListQuery & PageQuery;

const TAGS = ['Companies'];
const companyReply = typia.json.schemas<[CompanyView], '3.1'>();

const domainPermissions = {
  list: 'company:read',
  read: 'company:read',
  create: 'company:update',
  update: 'company:update',
  delete: 'company:update',
};
const labelPermissions = {
  list: 'loan.label:list',
  read: 'loan.label:list',
  create: 'loan.label:create',
  update: 'loan.label:update',
  delete: 'loan.label:delete',
};

/** The company of the caller: its settings, front-end domains and loan labels. */
export const companyRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/companies',
    operation: 'listCompanies',
    summary: 'List the companies visible to the caller',
    tags: TAGS,
    permission: null,
    envelope: 'list',
    query: pageQuery,
    reply: typia.json.schemas<[CompanyView[]], '3.1'>(),
    handle: (call) => call.read('company.list', call.caller.company),
  }),
  defineRoute({
    method: 'GET',
    path: '/companies/{companyId}',
    operation: 'getCompany',
    summary: 'Get a company',
    tags: TAGS,
    permission: 'company:read',
    reply: companyReply,
    handle: (call) => call.read('company.get', ownCompany(call)),
  }),
  defineRoute({
    method: 'PUT',
    path: '/companies/{companyId}',
    operation: 'updateCompany',
    summary: 'Update the settings of a company',
    tags: TAGS,
    permission: 'company:update',
    body: { validate: typia.misc.createValidatePrune<CompanyUpdateBody>(), schemas: typia.json.schemas<[CompanyUpdateBody], '3.1'>() },
    reply: companyReply,
    handle: (call) => call.command('company.update', ownCompany(call)),
  }),
  ...declaredRoutes({
    type: 'appDomain',
    name: 'AppDomain',
    noun: 'front-end domain',
    path: '/companies/{companyId}/app-domains',
    param: 'appDomainId',
    tags: TAGS,
    permissions: domainPermissions,
    createStatus: 200,
    query: pageQuery,
    create: { validate: typia.misc.createValidatePrune<AppDomainBody>(), schemas: typia.json.schemas<[AppDomainBody], '3.1'>() },
    reply: typia.json.schemas<[AppDomainView], '3.1'>(),
    listReply: typia.json.schemas<[AppDomainView[]], '3.1'>(),
  }),
  ...declaredRoutes({
    type: 'loanLabel',
    name: 'LoanLabel',
    noun: 'loan label',
    path: '/companies/{companyId}/loan-labels',
    param: 'labelId',
    tags: ['Loan labels'],
    permissions: labelPermissions,
    createStatus: 200,
    query: { validate: typia.misc.createValidatePrune<LabelQuery>(), schemas: typia.json.schemas<[LabelQuery], '3.1'>() },
    create: {
      validate: typia.misc.createValidatePrune<LoanLabelCreateBody>(),
      schemas: typia.json.schemas<[LoanLabelCreateBody], '3.1'>(),
    },
    update: {
      validate: typia.misc.createValidatePrune<LoanLabelUpdateBody>(),
      schemas: typia.json.schemas<[LoanLabelUpdateBody], '3.1'>(),
    },
    reply: typia.json.schemas<[LoanLabelView], '3.1'>(),
    listReply: typia.json.schemas<[LoanLabelView[]], '3.1'>(),
  }),
];
