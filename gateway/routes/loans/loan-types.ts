import typia from 'typia';
import type { LoanTypeCreateBody, LoanTypeGetQuery, LoanTypeListQuery, LoanTypeUpdateBody, LoanTypeView } from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { ownCompany } from '../own-company.js';

const TAGS = ['Loan types'];
const loanTypeReply = typia.json.schemas<[LoanTypeView], '3.1'>();
const getQuery = { validate: typia.misc.createValidatePrune<LoanTypeGetQuery>(), schemas: typia.json.schemas<[LoanTypeGetQuery], '3.1'>() };

/** Products of a lender. */
export const loanTypeRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/companies/{companyId}/loan-types',
    operation: 'listLoanTypes',
    summary: 'List loan types',
    tags: TAGS,
    permission: 'loan.type:list',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<LoanTypeListQuery>(), schemas: typia.json.schemas<[LoanTypeListQuery], '3.1'>() },
    reply: typia.json.schemas<[LoanTypeView[]], '3.1'>(),
    handle: (call) => call.read('loanType.list', ownCompany(call)),
  }),
  defineRoute({
    method: 'POST',
    path: '/companies/{companyId}/loan-types',
    operation: 'createLoanType',
    summary: 'Create a loan type',
    tags: TAGS,
    permission: 'loan.type:create',
    success: 201,
    body: { validate: typia.misc.createValidatePrune<LoanTypeCreateBody>(), schemas: typia.json.schemas<[LoanTypeCreateBody], '3.1'>() },
    reply: loanTypeReply,
    handle: (call) => call.command('loanType.create', ownCompany(call)),
  }),
  defineRoute({
    method: 'GET',
    path: '/companies/{companyId}/loan-types/{loanTypeId}',
    operation: 'getLoanTypeOfCompany',
    summary: 'Get a loan type',
    tags: TAGS,
    permission: 'loan.type:read',
    query: getQuery,
    reply: loanTypeReply,
    handle: (call) => call.read('loanType.get', ownCompany(call)),
  }),
  defineRoute({
    method: 'PUT',
    path: '/companies/{companyId}/loan-types/{loanTypeId}',
    operation: 'updateLoanType',
    summary: 'Update a loan type',
    tags: TAGS,
    description: 'Once loans exist, settings apply from the next day on, and never to past days.',
    permission: 'loan.type:update',
    body: { validate: typia.misc.createValidatePrune<LoanTypeUpdateBody>(), schemas: typia.json.schemas<[LoanTypeUpdateBody], '3.1'>() },
    reply: loanTypeReply,
    handle: (call) => call.command('loanType.update', ownCompany(call)),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/companies/{companyId}/loan-types/{loanTypeId}',
    operation: 'deactivateLoanType',
    summary: 'Deactivate a loan type',
    tags: TAGS,
    permission: 'loan.type:update',
    reply: loanTypeReply,
    handle: (call) => call.command('loanType.deactivate', ownCompany(call)),
  }),
  defineRoute({
    method: 'GET',
    path: '/loan-types/{loanTypeId}',
    operation: 'getLoanType',
    summary: 'Get a loan type by its id alone',
    tags: TAGS,
    permission: 'loan.type:read',
    query: getQuery,
    reply: loanTypeReply,
    handle: (call) => call.read('loanType.get', call.caller.company),
  }),
];
