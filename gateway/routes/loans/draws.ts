import typia from 'typia';
import type {
  ActionRequest,
  ActivationReply,
  AmortizeDrawRequest,
  BalancesReply,
  CancelDrawRequest,
  ChangeOriginationFeeRequest,
  ChargeFeeRequest,
  ChangeDrawLimitRequest,
  ChangeLineLimitRequest,
  CloseDrawRequest,
  CreateDrawRequest,
  CreditLimitQuery,
  CreditLimitReply,
  DrawView,
  FeeReply,
  ForceQuery,
  GetBalancesQuery,
  ListDrawsQuery,
  ListFeesQuery,
  LoanView,
  ObligationsQuery,
  ObligationsReply,
  PreviewDrawRequest,
  ScheduleReply,
  UpdateDrawQuery,
  UpdateDrawRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { counted } from '../../routing/counted.js';
import { syncQuery } from '../../routing/shared-queries.js';

const tags = ['Draws'];
const reply = typia.json.schemas<[DrawView], '3.1'>();
const forced = { validate: typia.misc.createValidatePrune<ForceQuery>(), schemas: typia.json.schemas<[ForceQuery], '3.1'>() };

const fees = typia.json.schemas<[FeeReply[]], '3.1'>();
const rows = typia.json.schemas<[Pick<ScheduleReply, 'schedule'>], '3.1'>();
const limit = typia.json.schemas<[CreditLimitReply], '3.1'>();
const onDay = { validate: typia.misc.createValidatePrune<CreditLimitQuery>(), schemas: typia.json.schemas<[CreditLimitQuery], '3.1'>() };

/** What is drawn on a line of credit (loans.md 8). */
export const drawRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/draws', operation: 'listDraws', tags, permission: 'loan.draw:read',
    envelope: 'list', summary: 'The draws of a line of credit, newest first', reply: typia.json.schemas<[DrawView[]], '3.1'>(),
    query: { validate: typia.misc.createValidatePrune<ListDrawsQuery>(), schemas: typia.json.schemas<[ListDrawsQuery], '3.1'>() },
    handle: (call) => call.read('draw.list', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/draws', operation: 'createDraw', tags, permission: 'loan.draw:create',
    summary: 'Create a draw', reply,
    body: { validate: typia.misc.createValidatePrune<CreateDrawRequest>(), schemas: typia.json.schemas<[CreateDrawRequest], '3.1'>() },
    handle: (call) => call.command('draw.create', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/draws/{drawId}', operation: 'getDraw', tags, permission: 'loan.draw:read',
    summary: 'Get a draw', reply,
    handle: (call) => call.read('draw.get', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT', path: '/people/{personId}/loans/{loanId}/draws/{drawId}', operation: 'updateDraw', tags, permission: 'loan.draw:update',
    summary: 'Update a draw', reply,
    description: 'Partial: absent fields stay, null clears. Everything while `pending`; names and labels afterwards.',
    query: { validate: typia.misc.createValidatePrune<UpdateDrawQuery>(), schemas: typia.json.schemas<[UpdateDrawQuery], '3.1'>() },
    body: { validate: typia.misc.createValidatePrune<UpdateDrawRequest>(), schemas: typia.json.schemas<[UpdateDrawRequest], '3.1'>() },
    handle: (call) => call.command('draw.update', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/draws/{drawId}/activate', operation: 'activateDraw', tags,
    permission: 'loan.draw:activate', summary: 'Activate an originated draw',
    body: { validate: typia.misc.createValidatePrune<ActionRequest>(), schemas: typia.json.schemas<[ActionRequest], '3.1'>() },
    reply: typia.json.schemas<[ActivationReply], '3.1'>(),
    handle: (call) => call.command('draw.activate', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/draws/{drawId}/cancel', operation: 'cancelDraw', tags,
    permission: 'loan.draw:cancel', summary: 'Cancel a draw as if it had never been', query: forced, reply,
    body: { validate: typia.misc.createValidatePrune<CancelDrawRequest>(), schemas: typia.json.schemas<[CancelDrawRequest], '3.1'>() },
    handle: (call) => call.command('draw.cancel', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/draws/{drawId}/close', operation: 'closeDraw', tags,
    permission: 'loan.draw:close', summary: 'Close a draw to further purchases', reply,
    body: { validate: typia.misc.createValidatePrune<CloseDrawRequest>(), schemas: typia.json.schemas<[CloseDrawRequest], '3.1'>() },
    handle: (call) => call.command('draw.close', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/draws/{drawId}/balances', operation: 'getDrawBalances', tags, permission: 'loan.balance:read',
    summary: 'The balances of a draw', reply: typia.json.schemas<[BalancesReply], '3.1'>(),
    query: { validate: typia.misc.createValidatePrune<GetBalancesQuery>(), schemas: typia.json.schemas<[GetBalancesQuery], '3.1'>() },
    handle: (call) => call.read('draw.balances', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/draws/{drawId}/obligations', operation: 'listDrawObligations', tags,
    permission: 'loan.draw:read', summary: 'What a draw brings to the obligations of its line', reply: typia.json.schemas<[ObligationsReply], '3.1'>(),
    query: { validate: typia.misc.createValidatePrune<ObligationsQuery>(), schemas: typia.json.schemas<[ObligationsQuery], '3.1'>() },
    handle: (call) => call.read('draw.obligations', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/draws/{drawId}/expected-payments', operation: 'getDrawExpectedPayments', tags,
    permission: 'loan.draw:read', summary: 'What is expected of a draw', reply: typia.json.schemas<[ScheduleReply], '3.1'>(),
    handle: async (call) => counted(await call.read('draw.expectedPayments', call.params.loanId)),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/draws/{drawId}/credit-limit', operation: 'getDrawCreditLimit', tags,
    permission: 'loan.draw:read', summary: 'The limit of a draw on a day', query: onDay, reply: limit,
    handle: (call) => call.read('draw.limit', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/draws/{drawId}/credit-limit', operation: 'changeDrawCreditLimit', tags,
    permission: 'loan:creditlimit.update', summary: 'Change the limit of a draw', reply,
    body: { validate: typia.misc.createValidatePrune<ChangeDrawLimitRequest>(), schemas: typia.json.schemas<[ChangeDrawLimitRequest], '3.1'>() },
    handle: (call) => call.command('draw.changeLimit', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/credit-limit', operation: 'getCreditLimit', tags: ['Loans'],
    permission: 'loan:read', summary: 'The limit of a line of credit on a day', query: onDay, reply: limit,
    handle: (call) => call.read('line.limit', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/credit-limit', operation: 'changeCreditLimit', tags: ['Loans'],
    permission: 'loan:creditlimit.update', summary: 'Change the limit of a line of credit', reply: typia.json.schemas<[LoanView], '3.1'>(),
    body: { validate: typia.misc.createValidatePrune<ChangeLineLimitRequest>(), schemas: typia.json.schemas<[ChangeLineLimitRequest], '3.1'>() },
    handle: (call) => call.command('line.changeLimit', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/draws/{drawId}/fees', operation: 'listDrawFees', tags, permission: 'loan.fee:list',
    envelope: 'list', summary: 'The fees of a draw, newest first', reply: fees,
    query: { validate: typia.misc.createValidatePrune<ListFeesQuery>(), schemas: typia.json.schemas<[ListFeesQuery], '3.1'>() },
    handle: (call) => call.read('drawFee.list', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/draws/{drawId}/fees', operation: 'chargeDrawFee', tags, permission: 'loan.fee:create',
    summary: 'Charge a dynamic fee on a draw', query: syncQuery, reply: fees,
    body: { validate: typia.misc.createValidatePrune<ChargeFeeRequest>(), schemas: typia.json.schemas<[ChargeFeeRequest], '3.1'>() },
    handle: (call) => call.command('drawFee.charge', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT', path: '/people/{personId}/loans/{loanId}/draws/{drawId}/fees/draw', operation: 'changeDrawFee', tags,
    permission: 'loan.fee:update', summary: 'Lower the draw fee', query: syncQuery, success: 204,
    body: { validate: typia.misc.createValidatePrune<ChangeOriginationFeeRequest>(), schemas: typia.json.schemas<[ChangeOriginationFeeRequest], '3.1'>() },
    handle: (call) => call.command('drawFee.change', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/draws/{drawId}/amortize', operation: 'amortizeDraw', tags,
    permission: 'loan.draw:amortize', summary: 'Pay a draw off in rows on the due dates of its line', query: syncQuery, reply: rows,
    body: { validate: typia.misc.createValidatePrune<AmortizeDrawRequest>(), schemas: typia.json.schemas<[AmortizeDrawRequest], '3.1'>() },
    handle: (call) => call.command('draw.amortize', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/amortize-preview', operation: 'previewDraw', tags: ['Loans'],
    permission: 'loan.draw:read', summary: 'The rows that a new amortized draw would bring; nothing changes', reply: rows,
    body: { validate: typia.misc.createValidatePrune<PreviewDrawRequest>(), schemas: typia.json.schemas<[PreviewDrawRequest], '3.1'>() },
    handle: (call) => call.command('line.amortizePreview', call.params.loanId),
  }),
];
