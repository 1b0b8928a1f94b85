import typia from 'typia';
import type {
  ActivityReply,
  BalanceHistoryReply,
  BalancesReply,
  DateText,
  GetBalancesQuery,
  InterestReply,
  LockStatusReply,
  ObligationsQuery,
  ObligationsReply,
  PayoffQuery,
  PayoffReply,
  PeriodReply,
  PeriodsQuery,
  RangeQuery,
  ScheduleReply,
  StatusChangeReply,
  PageQuery,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { counted } from '../../routing/counted.js';
import { pageQuery } from '../../routing/shared-queries.js';

interface ListActivity extends PageQuery {
  readonly from?: DateText;
  readonly to?: DateText;
  readonly types?: readonly string[];
}

const range = { validate: typia.misc.createValidatePrune<RangeQuery>(), schemas: typia.json.schemas<[RangeQuery], '3.1'>() };
const group = ['Loan ledger'];

/** What a loan's ledger tells: schedule, obligations, balances, history. */
export const loanReadRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/lock-status', operation: 'getLoanLockStatus', tags: group, permission: 'loan:read',
    summary: 'Whether the ledger of a loan is locked', reply: typia.json.schemas<[LockStatusReply], '3.1'>(),
    handle: (call) => call.read('loan.lockStatus', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/payoff', operation: 'getLoanPayoff', tags: group, permission: 'loan.payoff:read',
    summary: 'What pays the loan off on a day',
    query: { validate: typia.misc.createValidatePrune<PayoffQuery>(), schemas: typia.json.schemas<[PayoffQuery], '3.1'>() },
    reply: typia.json.schemas<[PayoffReply], '3.1'>(),
    handle: (call) => call.read('loan.payoff', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/activity', operation: 'listLoanActivity', tags: group, permission: 'loan:read',
    envelope: 'list', summary: 'Status, term and money changes, newest first',
    query: { validate: typia.misc.createValidatePrune<ListActivity>(), schemas: typia.json.schemas<[ListActivity], '3.1'>() },
    reply: typia.json.schemas<[ActivityReply[]], '3.1'>(),
    handle: (call) => call.read('loan.activity', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/status-history', operation: 'listLoanStatusHistory', tags: group,
    permission: 'loan:read', envelope: 'list', summary: 'Every status that the loan has had, newest first',
    query: pageQuery,
    reply: typia.json.schemas<[StatusChangeReply[]], '3.1'>(),
    handle: (call) => call.read('loan.statusHistory', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/expected-payments', operation: 'getExpectedPayments', tags: group,
    permission: 'loan:read', summary: 'The schedule in force', reply: typia.json.schemas<[ScheduleReply], '3.1'>(),
    handle: async (call) => counted(await call.read('loan.expectedPayments', call.params.loanId)),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/periods', operation: 'listLoanPeriods', tags: group, permission: 'loan:read',
    summary: 'The periods of a loan',
    query: { validate: typia.misc.createValidatePrune<PeriodsQuery>(), schemas: typia.json.schemas<[PeriodsQuery], '3.1'>() },
    reply: typia.json.schemas<[PeriodReply[]], '3.1'>(),
    handle: (call) => call.read('loan.periods', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/periods/{loanPeriodId}', operation: 'getLoanPeriod', tags: group,
    permission: 'loan:read', summary: 'A period of a loan', reply: typia.json.schemas<[PeriodReply], '3.1'>(),
    handle: (call) => call.read('loan.period', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/obligations', operation: 'listLoanObligations', tags: group, permission: 'loan:read',
    summary: 'What the borrower owes for each period, and how it was met',
    query: { validate: typia.misc.createValidatePrune<ObligationsQuery>(), schemas: typia.json.schemas<[ObligationsQuery], '3.1'>() },
    reply: typia.json.schemas<[ObligationsReply], '3.1'>(),
    handle: (call) => call.read('loan.obligations', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/balances', operation: 'getLoanBalances', tags: group, permission: 'loan.balance:read',
    summary: 'Balances, on a day and as known at a moment',
    query: { validate: typia.misc.createValidatePrune<GetBalancesQuery>(), schemas: typia.json.schemas<[GetBalancesQuery], '3.1'>() },
    reply: typia.json.schemas<[BalancesReply], '3.1'>(),
    handle: (call) => call.read('loan.balances', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/balances/history', operation: 'getLoanBalanceHistory', tags: group,
    permission: 'loan.balance:read', summary: 'Balances day by day, at most 366 days', query: range,
    reply: typia.json.schemas<[BalanceHistoryReply], '3.1'>(),
    handle: (call) => call.read('loan.balanceHistory', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/interest', operation: 'getLoanInterest', tags: group, permission: 'loan.balance:read',
    summary: 'Interest day by day', query: range, reply: typia.json.schemas<[InterestReply], '3.1'>(),
    handle: (call) => call.read('loan.interest', call.params.loanId),
  }),
];
