import typia from 'typia';
import type {
  ActionRequest,
  AddLoanPersonRequest,
  AttachLabelsRequest,
  ListLoanPeopleQuery,
  LoanPersonView,
  LoanView,
  UpdateLoanPersonRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';

const tags = ['People on loans'];
const action = { validate: typia.misc.createValidatePrune<ActionRequest>(), schemas: typia.json.schemas<[ActionRequest], '3.1'>() };
const reply = typia.json.schemas<[LoanPersonView], '3.1'>();
const loanReply = typia.json.schemas<[LoanView], '3.1'>();

/** People beside the main borrower, and labels. */
export const loanPeopleRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/people',
    operation: 'listLoanPeople',
    tags,
    permission: 'loan:read',
    envelope: 'list',
    summary: 'List the people on a loan beside its main borrower',
    query: { validate: typia.misc.createValidatePrune<ListLoanPeopleQuery>(), schemas: typia.json.schemas<[ListLoanPeopleQuery], '3.1'>() },
    reply: typia.json.schemas<[LoanPersonView[]], '3.1'>(),
    handle: (call) => call.read('loanPerson.list', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/people',
    operation: 'addLoanPerson',
    tags,
    permission: 'loan:update',
    success: 201,
    summary: 'Add a person to a loan',
    body: {
      validate: typia.misc.createValidatePrune<AddLoanPersonRequest>(),
      schemas: typia.json.schemas<[AddLoanPersonRequest], '3.1'>(),
    },
    reply,
    handle: (call) => call.command('loanPerson.add', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/people/{loanPersonId}',
    operation: 'getLoanPerson',
    tags,
    permission: 'loan:read',
    summary: 'Get a person on a loan',
    reply,
    handle: (call) => call.read('loanPerson.get', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/loans/{loanId}/people/{loanPersonId}',
    operation: 'updateLoanPerson',
    tags,
    permission: 'loan:update',
    summary: 'Update the relation of a person to a loan',
    body: {
      validate: typia.misc.createValidatePrune<UpdateLoanPersonRequest>(),
      schemas: typia.json.schemas<[UpdateLoanPersonRequest], '3.1'>(),
    },
    reply,
    handle: (call) => call.command('loanPerson.update', call.params.loanId),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/people/{personId}/loans/{loanId}/people/{loanPersonId}',
    operation: 'removeLoanPerson',
    tags,
    permission: 'loan:update',
    summary: 'Remove a person from a loan',
    body: action,
    handle: (call) => call.command('loanPerson.remove', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/labels',
    operation: 'attachLoanLabels',
    tags: ['Loan labels'],
    permission: 'loan.label:assign',
    summary: 'Add labels to a loan',
    body: { validate: typia.misc.createValidatePrune<AttachLabelsRequest>(), schemas: typia.json.schemas<[AttachLabelsRequest], '3.1'>() },
    reply: loanReply,
    handle: (call) => call.command('loan.attachLabels', call.params.loanId),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/people/{personId}/loans/{loanId}/labels/{labelId}',
    operation: 'detachLoanLabel',
    tags: ['Loan labels'],
    permission: 'loan.label:assign',
    summary: 'Remove a label from a loan',
    body: action,
    reply: loanReply,
    handle: (call) => call.command('loan.detachLabel', call.params.loanId),
  }),
];
