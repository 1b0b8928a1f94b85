import typia, { type tags } from 'typia';
import type {
  ActionRequest,
  CancelPaymentPlanRequest,
  ChangeDueDatesRequest,
  ChangeLoanTermsRequest,
  CreatePaymentPlanRequest,
  DeferDueDateRequest,
  DeferScheduleRequest,
  ModificationFeeReply,
  ModifiedScheduleReply,
  PaymentPlanReply,
  PlannedScheduleReply,
  ScheduleModificationReply,
  PageQuery,
} from '../../../actors/index.js';
import { counted, defineRoute, type Route } from '../../routing/route.js';
import { pageQuery, syncQuery } from '../../routing/shared-queries.js';

interface ListModifications extends PageQuery {
  readonly types?: readonly (string & tags.MaxLength<100>)[];
}

const group = ['Loan schedule'];
const plans = ['Payment plans'];
const schedule = typia.json.schemas<[ModifiedScheduleReply], '3.1'>();
const plan = typia.json.schemas<[PlannedScheduleReply], '3.1'>();

/** Modifications of the schedule, and payment plans. */
export const loanModificationRoutes: readonly Route[] = [
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/loans/{loanId}/expected-payments',
    operation: 'changeLoanDueDates',
    tags: group,
    permission: 'loan:duedates.change',
    summary: 'Change the frequency and the due days of payments',
    query: syncQuery,
    body: {
      validate: typia.misc.createValidatePrune<ChangeDueDatesRequest>(),
      schemas: typia.json.schemas<[ChangeDueDatesRequest], '3.1'>(),
    },
    reply: schedule,
    handle: async (call) => counted(await call.command('loan.changeDueDates', call.params.loanId)),
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/loans/{loanId}/expected-payments/defer-due-date',
    operation: 'deferLoanDueDate',
    tags: group,
    permission: 'loan:duedate.defer',
    summary: 'Move one payment to a later due date or after the last',
    query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<DeferDueDateRequest>(), schemas: typia.json.schemas<[DeferDueDateRequest], '3.1'>() },
    reply: schedule,
    handle: async (call) => counted(await call.command('loan.deferDueDate', call.params.loanId)),
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/loans/{loanId}/expected-payments/defer-schedule',
    operation: 'deferLoanSchedule',
    tags: group,
    permission: 'loan:schedule.defer',
    summary: 'Defer all due dates by a number of days',
    query: syncQuery,
    body: {
      validate: typia.misc.createValidatePrune<DeferScheduleRequest>(),
      schemas: typia.json.schemas<[DeferScheduleRequest], '3.1'>(),
    },
    reply: schedule,
    handle: async (call) => counted(await call.command('loan.deferSchedule', call.params.loanId)),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/defer-remaining-balances',
    operation: 'deferLoanRemainingBalances',
    tags: group,
    permission: 'loan:defer.remaining.balances',
    summary: 'Capitalize the overdue amounts of a line of credit',
    query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<ActionRequest>(), schemas: typia.json.schemas<[ActionRequest], '3.1'>() },
    reply: schedule,
    handle: (call) => call.command('loan.deferRemainingBalances', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/change-loan-terms',
    operation: 'changeLoanTerms',
    tags: group,
    permission: 'loan:paymentplan.create',
    summary: 'Restructure the amount, duration or frequency of a loan',
    query: syncQuery,
    body: {
      validate: typia.misc.createValidatePrune<ChangeLoanTermsRequest>(),
      schemas: typia.json.schemas<[ChangeLoanTermsRequest], '3.1'>(),
    },
    reply: schedule,
    handle: async (call) => counted(await call.command('loan.changeTerms', call.params.loanId)),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/schedule-modifications',
    operation: 'listLoanScheduleModifications',
    tags: group,
    permission: 'loan:read',
    envelope: 'list',
    summary: 'List the modifications of the schedule, newest first',
    query: { validate: typia.misc.createValidatePrune<ListModifications>(), schemas: typia.json.schemas<[ListModifications], '3.1'>() },
    reply: typia.json.schemas<[ScheduleModificationReply[]], '3.1'>(),
    handle: (call) => call.read('loan.scheduleModifications', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/modification-fees',
    operation: 'listLoanModificationFees',
    tags: group,
    permission: 'loan:read',
    summary: 'List what each modification would charge today',
    reply: typia.json.schemas<[ModificationFeeReply[]], '3.1'>(),
    handle: (call) => call.read('loan.modificationFees', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/custom-payment-plans',
    operation: 'listPaymentPlans',
    tags: plans,
    permission: 'loan:paymentplan.list',
    envelope: 'list',
    summary: 'List the payment plans of a loan, newest first',
    query: pageQuery,
    reply: typia.json.schemas<[PaymentPlanReply[]], '3.1'>(),
    handle: (call) => call.read('paymentPlan.list', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/custom-payment-plans',
    operation: 'createPaymentPlan',
    tags: plans,
    permission: 'loan:paymentplan.create',
    summary: 'Create a payment plan for a loan',
    query: syncQuery,
    body: {
      validate: typia.misc.createValidatePrune<CreatePaymentPlanRequest>(),
      schemas: typia.json.schemas<[CreatePaymentPlanRequest], '3.1'>(),
    },
    reply: plan,
    handle: (call) => call.command('paymentPlan.create', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/custom-payment-plans/{paymentPlanId}',
    operation: 'getPaymentPlan',
    tags: plans,
    permission: 'loan:paymentplan.list',
    summary: 'Get a payment plan',
    reply: typia.json.schemas<[PaymentPlanReply], '3.1'>(),
    handle: (call) => call.read('paymentPlan.get', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/custom-payment-plans/{paymentPlanId}/cancel',
    operation: 'cancelPaymentPlan',
    tags: plans,
    permission: 'loan:paymentplan.cancel',
    summary: 'Cancel a payment plan and restore the schedule before it',
    query: syncQuery,
    body: {
      validate: typia.misc.createValidatePrune<CancelPaymentPlanRequest>(),
      schemas: typia.json.schemas<[CancelPaymentPlanRequest], '3.1'>(),
    },
    reply: plan,
    handle: (call) => call.command('paymentPlan.cancel', call.params.loanId),
  }),
];
