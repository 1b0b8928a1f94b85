import typia from 'typia';
import {
  type ListLoanInvestorsQuery,
  type LoanInvestorView,
  type LoanOwnerChangeView,
  type OperationView,
  type OwnerChangeBody,
  type OwnerChangeCreateBody,
  Refusal,
} from '../../../actors/index.js';
import { ask } from '../../answers.js';
import { type Call, defineRoute, type Reply, type Route } from '../../routing/route.js';
import { ownCompany } from '../own-company.js';

const TAGS = ['Loan investors'];
const CHANGES = '/companies/{companyId}/loan-owner-changes';
const query = {
  validate: typia.misc.createValidatePrune<ListLoanInvestorsQuery>(),
  schemas: typia.json.schemas<[ListLoanInvestorsQuery], '3.1'>(),
};
const reply = typia.json.schemas<[LoanInvestorView[]], '3.1'>();

/** What became of one loan of a change of many. */
interface OwnerChangeResult {
  readonly loanId: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly errorType: string | null;
  readonly errorMessage: string | null;
}

interface OwnerChangeReply extends LoanOwnerChangeView {
  readonly status: 'running' | 'succeeded' | 'partiallyFailed' | 'failed';
  readonly succeededCount: number;
  readonly failedCount: number;
  /** Of the loans that were named, each; of a query, those that have changed, and the first hundred that could not. */
  readonly results: readonly OwnerChangeResult[];
}

const changeReply = typia.json.schemas<[OwnerChangeReply], '3.1'>();

/** Who owns a loan, and changes of owners. */
export const ownerRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/investors',
    operation: 'listLoanInvestors',
    summary: 'List the owners of a loan on a day',
    description: 'With `includeHistory` those of all days, each with its part of what was outstanding when it became an owner.',
    tags: TAGS,
    permission: 'loan.investor:read',
    envelope: 'list',
    query,
    reply,
    handle: (call) => call.read('loanInvestor.list', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/companies/{companyId}/people/{personId}/loans/{loanId}/investors',
    operation: 'listLoanInvestorsOfCompany',
    summary: 'List the owners of a loan on a day',
    tags: TAGS,
    permission: 'loan.investor:read',
    envelope: 'list',
    query,
    reply,
    handle: (call) => {
      ownCompany(call);
      return call.read('loanInvestor.list', call.params.loanId);
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/loans/{loanId}/investors',
    operation: 'changeLoanInvestors',
    summary: 'Change the owners of a loan from a day on',
    description:
      'Replaces the owners of that day and of all later days, changes that were to come included. Payments are split by the shares of ' +
      'their effective date.',
    tags: TAGS,
    permission: 'loan.investor:update',
    success: 204,
    body: { validate: typia.misc.createValidatePrune<OwnerChangeBody>(), schemas: typia.json.schemas<[OwnerChangeBody], '3.1'>() },
    handle: (call) => call.command('loan.changeOwners', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: CHANGES,
    operation: 'createLoanOwnerChange',
    summary: 'Change the owners of many loans',
    tags: TAGS,
    permission: 'loan.investor:update',
    success: 201,
    body: {
      validate: typia.misc.createValidatePrune<OwnerChangeCreateBody>(),
      schemas: typia.json.schemas<[OwnerChangeCreateBody], '3.1'>(),
    },
    reply: typia.json.schemas<[LoanOwnerChangeView], '3.1'>(),
    handle: (call) => call.command('loanOwnerChange.create', ownCompany(call)),
  }),
  defineRoute({
    method: 'GET',
    path: `${CHANGES}/{ownerChangeId}`,
    operation: 'getLoanOwnerChange',
    summary: 'Get what became of a change of the owners of many loans',
    tags: TAGS,
    permission: 'loan.investor:read',
    reply: changeReply,
    handle: async (call): Promise<Reply> => {
      const { data } = await call.read('loanOwnerChange.get', ownCompany(call));
      return { data: await withResults(call, data) };
    },
  }),
];

/** The change with what became of its loans. Its operation is forgotten after a while, and then nothing of it is under way. */
async function withResults(call: Call<{ readonly ownerChangeId: string }>, change: LoanOwnerChangeView): Promise<OwnerChangeReply> {
  const operation = await operationOf(call, change.operationId);
  const { data: changed } = await call.read('loanOwnerChange.loans', null, { query: { ownerChangeId: change.id } });
  const done = new Set(changed.items);
  const failures = new Map((operation?.failures ?? []).map((failure) => [failure.id, failure]));
  const isRunning = operation?.status === 'running';
  const named = change.loanIds ?? [...done, ...failures.keys()];
  const results = named.map((loanId): OwnerChangeResult => {
    const failure = failures.get(loanId);
    if (done.has(loanId)) return { loanId, status: 'succeeded', errorType: null, errorMessage: null };
    if (failure !== undefined) return { loanId, status: 'failed', errorType: failure.errorType, errorMessage: failure.message };
    if (isRunning) return { loanId, status: 'pending', errorType: null, errorMessage: null };
    return { loanId, status: 'failed', ...whyNotChanged(loanId, operation) };
  });
  const succeededCount = changed.total ?? done.size;
  const failedCount =
    change.loanIds === null ? (operation?.counts?.failed ?? 0) : results.filter(({ status }) => status === 'failed').length;
  const ended = failedCount === 0 ? 'succeeded' : succeededCount === 0 ? 'failed' : 'partiallyFailed';
  return { ...change, status: isRunning ? 'running' : ended, succeededCount, failedCount, results };
}

/** Why a loan has not changed that the operation does not name among its failures. */
function whyNotChanged(loanId: string, operation: OperationView | null): Pick<OwnerChangeResult, 'errorType' | 'errorMessage'> {
  if (operation === null) return { errorType: null, errorMessage: 'The reason is no longer known: the operation was long ago.' };
  const { errorType, errorMessage, counts } = operation;
  const failures = operation.failures ?? [];
  if (errorType === 'canceled') return { errorType, errorMessage };
  if (failures.length < (counts?.failed ?? 0))
    return { errorType: null, errorMessage: `The operation has the reasons of the first ${failures.length} loans that failed.` };
  return { errorType: 'notFound', errorMessage: `There is no loan ${loanId}.` };
}

async function operationOf(call: Call, operationId: string): Promise<OperationView | null> {
  try {
    const { company, mode, permissions } = call.caller;
    return await ask(call.engine, { company, mode, permissions, type: 'operation.get', target: null, params: { operationId }, query: {} });
  } catch (cause) {
    if (cause instanceof Refusal && cause.errorType === 'notFound') return null;
    throw cause;
  }
}
