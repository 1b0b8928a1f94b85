import typia from 'typia';
import type {
  ActionRequest,
  AdvanceReply,
  CreateAdvanceRequest,
  ListAdvancesQuery,
  ReplaceAdvancesRequest,
  ScheduleReply,
  UpdateAdvanceRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { syncQuery } from '../../routing/shared-queries.js';

const tags = ['Loan advances'];
const reply = typia.json.schemas<[AdvanceReply], '3.1'>();
const replies = typia.json.schemas<[AdvanceReply[]], '3.1'>();
const creation = {
  validate: typia.misc.createValidatePrune<CreateAdvanceRequest>(),
  schemas: typia.json.schemas<[CreateAdvanceRequest], '3.1'>(),
};

/** Payouts to the borrower after activation. */
export const advanceRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/advances',
    operation: 'listLoanAdvances',
    tags,
    permission: 'loan.advance:read',
    envelope: 'list',
    summary: 'List the advances of a loan, newest first',
    reply: replies,
    query: { validate: typia.misc.createValidatePrune<ListAdvancesQuery>(), schemas: typia.json.schemas<[ListAdvancesQuery], '3.1'>() },
    handle: (call) => call.read('advance.list', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/advances',
    operation: 'createLoanAdvance',
    tags,
    permission: 'loan.advance:create',
    summary: 'Create or schedule an advance',
    query: syncQuery,
    body: creation,
    reply,
    handle: (call) => call.command('advance.create', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/advances/preview',
    operation: 'previewLoanAdvance',
    tags,
    permission: 'loan.advance:read',
    summary: 'Preview the schedule after an advance',
    body: creation,
    reply: typia.json.schemas<[ScheduleReply], '3.1'>(),
    handle: (call) => call.command('advance.preview', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/advances/{advanceId}',
    operation: 'getLoanAdvance',
    tags,
    permission: 'loan.advance:read',
    summary: 'Get an advance',
    reply,
    handle: (call) => call.read('advance.get', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/loans/{loanId}/advances/{advanceId}',
    operation: 'updateLoanAdvance',
    tags,
    permission: 'loan.advance:update',
    summary: 'Update the status, the amount or the details of an advance',
    query: syncQuery,
    reply,
    body: {
      validate: typia.misc.createValidatePrune<UpdateAdvanceRequest>(),
      schemas: typia.json.schemas<[UpdateAdvanceRequest], '3.1'>(),
    },
    handle: (call) => call.command('advance.update', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/advances/{advanceId}/cancel',
    operation: 'cancelLoanAdvance',
    tags,
    permission: 'loan.advance:cancel',
    summary: 'Cancel an advance',
    query: syncQuery,
    reply,
    body: { validate: typia.misc.createValidatePrune<ActionRequest>(), schemas: typia.json.schemas<[ActionRequest], '3.1'>() },
    handle: (call) => call.command('advance.cancel', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/loans/{loanId}/advance-schedule',
    operation: 'replaceLoanAdvanceSchedule',
    tags,
    permission: 'loan.advance:update',
    summary: 'Replace the scheduled advances',
    query: syncQuery,
    reply: replies,
    body: {
      validate: typia.misc.createValidatePrune<ReplaceAdvancesRequest>(),
      schemas: typia.json.schemas<[ReplaceAdvancesRequest], '3.1'>(),
    },
    handle: (call) => call.command('advance.replaceSchedule', call.params.loanId),
  }),
];
