import typia from 'typia';
import type {
  AmortizeReply,
  AmortizeRequest,
  CancelFeeRequest,
  ChangeFeeRequest,
  ChangeOriginationFeeRequest,
  ChargeFeeRequest,
  FeeReply,
  LoanView,
  PageQuery,
  ReamortizeLoanRequest,
  ReplayLoanRequest,
  SchedulePreviewReply,
  SchedulePreviewRequest,
  ScheduleReply,
  ValidateLoanReply,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { syncQuery } from '../../routing/shared-queries.js';

interface ListFees extends PageQuery {
  readonly types?: readonly FeeReply['type'][];
  readonly statuses?: readonly FeeReply['status'][];
  readonly apiName?: string;
}

const fees = ['Loan fees'];
const terms = ['Loan terms'];

/** Fees, and what computes a schedule (loan-terms 6, loans.md 1.5, money.md 10). */
export const loanTermRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/fees', operation: 'listLoanFees', tags: fees, permission: 'loan.fee:list',
    envelope: 'list', summary: 'The fees of a loan, newest first',
    query: { validate: typia.misc.createValidatePrune<ListFees>(), schemas: typia.json.schemas<[ListFees], '3.1'>() },
    reply: typia.json.schemas<[FeeReply[]], '3.1'>(),
    handle: (call) => call.read('loanFee.list', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/fees', operation: 'chargeLoanFee', tags: fees, permission: 'loan.fee:create',
    summary: 'Charge a dynamic fee', query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<ChargeFeeRequest>(), schemas: typia.json.schemas<[ChargeFeeRequest], '3.1'>() },
    reply: typia.json.schemas<[FeeReply[]], '3.1'>(),
    handle: (call) => call.command('loanFee.charge', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/fees/{feeId}', operation: 'getLoanFee', tags: fees, permission: 'loan.fee:list',
    summary: 'A fee of a loan', reply: typia.json.schemas<[FeeReply], '3.1'>(),
    handle: (call) => call.read('loanFee.get', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT', path: '/people/{personId}/loans/{loanId}/fees/{feeId}', operation: 'changeLoanFee', tags: fees, permission: 'loan.fee:update',
    summary: 'Change the amount of a dynamic fee', query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<ChangeFeeRequest>(), schemas: typia.json.schemas<[ChangeFeeRequest], '3.1'>() },
    reply: typia.json.schemas<[FeeReply], '3.1'>(),
    handle: (call) => call.command('loanFee.change', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT', path: '/people/{personId}/loans/{loanId}/fees/origination', operation: 'changeLoanOriginationFee', tags: fees,
    permission: 'loan.fee:update', success: 204, envelope: 'empty', summary: 'Lower the origination fee', query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<ChangeOriginationFeeRequest>(), schemas: typia.json.schemas<[ChangeOriginationFeeRequest], '3.1'>() },
    handle: (call) => call.command('loanFee.changeOrigination', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT', path: '/people/{personId}/loans/{loanId}/fees/{feeId}/cancel', operation: 'cancelLoanFee', tags: fees,
    permission: 'loan.fee:cancel', summary: 'Cancel (waive) a dynamic fee', query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<CancelFeeRequest>(), schemas: typia.json.schemas<[CancelFeeRequest], '3.1'>() },
    reply: typia.json.schemas<[FeeReply], '3.1'>(),
    handle: (call) => call.command('loanFee.cancel', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/schedule-preview', operation: 'previewLoanSchedule', tags: terms,
    permission: 'loan:read', summary: 'A schedule from changed terms; the loan stays as it is',
    body: { validate: typia.misc.createValidatePrune<SchedulePreviewRequest>(), schemas: typia.json.schemas<[SchedulePreviewRequest], '3.1'>() },
    reply: typia.json.schemas<[SchedulePreviewReply], '3.1'>(),
    handle: (call) => call.read('loan.schedulePreview', call.params.loanId, { query: call.body }),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/validate', operation: 'validateLoan', tags: terms, permission: 'loan:read',
    summary: 'Check rates and amounts; nothing changes', reply: typia.json.schemas<[ValidateLoanReply], '3.1'>(),
    handle: (call) => call.read('loan.validate', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/replay', operation: 'replayLoan', tags: terms, permission: 'loan:replay',
    summary: 'Compute the days from a date on again, under today’s configuration', query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<ReplayLoanRequest>(), schemas: typia.json.schemas<[ReplayLoanRequest], '3.1'>() },
    reply: typia.json.schemas<[LoanView], '3.1'>(),
    handle: (call) => call.command('loan.replay', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/reamortize', operation: 'reamortizeLoan', tags: terms,
    permission: 'loan:reamortize', summary: 'Make the schedule anew from a due date to come', query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<ReamortizeLoanRequest>(), schemas: typia.json.schemas<[ReamortizeLoanRequest], '3.1'>() },
    reply: typia.json.schemas<[ScheduleReply], '3.1'>(),
    handle: (call) => call.command('loan.reamortize', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/utilities/amortize', operation: 'amortize', tags: ['Utilities'], permission: null,
    summary: 'Amortization calculator',
    body: { validate: typia.misc.createValidatePrune<AmortizeRequest>(), schemas: typia.json.schemas<[AmortizeRequest], '3.1'>() },
    reply: typia.json.schemas<[AmortizeReply], '3.1'>(),
    handle: (call) => call.read('utility.amortize', null, { query: call.body }),
  }),
];
