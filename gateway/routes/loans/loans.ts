import typia, { type tags } from 'typia';
import type {
  AnyId,
  CreateLoanRequest,
  DateText,
  DateTimeText,
  GetLoanQuery,
  LoanView,
  UpdateLoanQuery,
  UpdateLoanRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';

type Limit = number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<100>;
type Words = readonly (string & tags.MaxLength<100>)[];

interface Page {
  readonly limit?: Limit;
  readonly startingAfter?: AnyId;
  readonly endingBefore?: AnyId;
}

interface ListLoans extends Page {
  readonly fields?: 'all' | 'idsOnly';
  readonly statuses?: Words;
  /** Whether the loan type is managed by the service operator; null filters nothing. */
  readonly managedByService?: boolean | null;
  readonly includeAdditionalBorrowers?: boolean;
  readonly labels?: Words;
  readonly loanTypeId?: AnyId;
  readonly dueDate?: DateText;
  readonly sortBy?: Words;
  readonly createdAtAfter?: DateTimeText;
  readonly createdAtBefore?: DateTimeText;
  readonly updatedAtAfter?: DateTimeText;
  readonly updatedAtBefore?: DateTimeText;
  readonly originatedAtAfter?: DateTimeText;
  readonly originatedAtBefore?: DateTimeText;
  readonly activatedAtAfter?: DateTimeText;
  readonly activatedAtBefore?: DateTimeText;
}

interface ListPersonLoans extends Page {
  readonly status?: Words;
  readonly loanTypeId?: AnyId;
  readonly includeAdditionalBorrowers?: boolean;
  readonly chargeOffBalance?: 'all' | 'hasBalance' | 'zeroBalance';
}

interface CreateLoanOptions {
  /** Whether the address is checked by the address verifier. Default true. */
  readonly validate?: boolean;
}

const loanReply = typia.json.schemas<[LoanView], '3.1'>();
const loansReply = typia.json.schemas<[LoanView[]], '3.1'>();
const group = ['Loans'];

/** Making, listing, reading and changing loans (loans.md 1). */
export const loanRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET', path: '/loans', operation: 'listLoans', tags: group, permission: 'loan:list', envelope: 'list',
    summary: 'List the loans of the company',
    query: { validate: typia.misc.createValidatePrune<ListLoans>(), schemas: typia.json.schemas<[ListLoans], '3.1'>() },
    reply: loansReply,
    handle: (call) => call.read('loan.list', null),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans', operation: 'listPersonLoans', tags: group, permission: 'loan:list', envelope: 'list',
    summary: 'List the loans of a borrower, and those on which the borrower is another person',
    query: { validate: typia.misc.createValidatePrune<ListPersonLoans>(), schemas: typia.json.schemas<[ListPersonLoans], '3.1'>() },
    reply: loansReply,
    handle: (call) => call.read('loan.listOfPerson', null),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans', operation: 'createLoan', tags: group, permission: 'loan:create',
    summary: 'Create a loan',
    query: { validate: typia.misc.createValidatePrune<CreateLoanOptions>(), schemas: typia.json.schemas<[CreateLoanOptions], '3.1'>() },
    body: { validate: typia.misc.createValidatePrune<CreateLoanRequest>(), schemas: typia.json.schemas<[CreateLoanRequest], '3.1'>() },
    reply: loanReply,
    handle: (call) => call.command('loan.create', call.params.personId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}', operation: 'getLoan', tags: group, permission: 'loan:read',
    summary: 'Get a loan',
    query: { validate: typia.misc.createValidatePrune<GetLoanQuery>(), schemas: typia.json.schemas<[GetLoanQuery], '3.1'>() },
    reply: loanReply,
    handle: (call) => call.read('loan.get', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT', path: '/people/{personId}/loans/{loanId}', operation: 'updateLoan', tags: group, permission: 'loan:update',
    summary: 'Update a loan',
    description: 'Partial: absent fields stay, null clears. Every attribute while `pending`; `atOrigination` is read-only from `originated` on.',
    query: { validate: typia.misc.createValidatePrune<UpdateLoanQuery>(), schemas: typia.json.schemas<[UpdateLoanQuery], '3.1'>() },
    body: { validate: typia.misc.createValidatePrune<UpdateLoanRequest>(), schemas: typia.json.schemas<[UpdateLoanRequest], '3.1'>() },
    reply: loanReply,
    handle: (call) => call.command('loan.update', call.params.loanId),
  }),
];
