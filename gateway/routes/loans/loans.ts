import typia from 'typia';
import type {
  CreateLoanRequest,
  GetLoanQuery,
  ListLoansQuery,
  ListPersonLoansQuery,
  LoanView,
  UpdateLoanQuery,
  UpdateLoanRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';

interface CreateLoanOptions {
  /** Whether the address is checked by the address verifier. Default true. */
  readonly validate?: boolean;
}

const loanReply = typia.json.schemas<[LoanView], '3.1'>();
const loansReply = typia.json.schemas<[LoanView[]], '3.1'>();
const group = ['Loans'];

/** Loans. */
export const loanRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/loans',
    operation: 'listLoans',
    tags: group,
    permission: 'loan:list',
    envelope: 'list',
    summary: 'List the loans of the company',
    query: { validate: typia.misc.createValidatePrune<ListLoansQuery>(), schemas: typia.json.schemas<[ListLoansQuery], '3.1'>() },
    reply: loansReply,
    handle: (call) => call.read('loan.list', null),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans',
    operation: 'listPersonLoans',
    tags: group,
    permission: 'loan:list',
    envelope: 'list',
    summary: 'List the loans of a borrower, also those on which it is another person',
    query: {
      validate: typia.misc.createValidatePrune<ListPersonLoansQuery>(),
      schemas: typia.json.schemas<[ListPersonLoansQuery], '3.1'>(),
    },
    reply: loansReply,
    handle: (call) => call.read('loan.listOfPerson', null),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans',
    operation: 'createLoan',
    tags: group,
    permission: 'loan:create',
    summary: 'Create a loan',
    query: { validate: typia.misc.createValidatePrune<CreateLoanOptions>(), schemas: typia.json.schemas<[CreateLoanOptions], '3.1'>() },
    body: { validate: typia.misc.createValidatePrune<CreateLoanRequest>(), schemas: typia.json.schemas<[CreateLoanRequest], '3.1'>() },
    reply: loanReply,
    handle: (call) => call.command('loan.create', call.params.personId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}',
    operation: 'getLoan',
    tags: group,
    permission: 'loan:read',
    summary: 'Get a loan',
    query: { validate: typia.misc.createValidatePrune<GetLoanQuery>(), schemas: typia.json.schemas<[GetLoanQuery], '3.1'>() },
    reply: loanReply,
    handle: (call) => call.read('loan.get', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/loans/{loanId}',
    operation: 'updateLoan',
    tags: group,
    permission: 'loan:update',
    summary: 'Update a loan',
    description:
      'Absent fields stay, and null clears. While `pending` all fields can be changed; from `originated` on `atOrigination` is read-only.',
    query: { validate: typia.misc.createValidatePrune<UpdateLoanQuery>(), schemas: typia.json.schemas<[UpdateLoanQuery], '3.1'>() },
    body: { validate: typia.misc.createValidatePrune<UpdateLoanRequest>(), schemas: typia.json.schemas<[UpdateLoanRequest], '3.1'>() },
    reply: loanReply,
    handle: (call) => call.command('loan.update', call.params.loanId),
  }),
];
