import typia from 'typia';
import type {
  ActionRequest,
  ActivationReply,
  CancelDrawRequest,
  CloseDrawRequest,
  CreateDrawRequest,
  DrawView,
  ForceQuery,
  ListDrawsQuery,
  UpdateDrawQuery,
  UpdateDrawRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';

const tags = ['Draws'];
const reply = typia.json.schemas<[DrawView], '3.1'>();
const forced = { validate: typia.misc.createValidatePrune<ForceQuery>(), schemas: typia.json.schemas<[ForceQuery], '3.1'>() };

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
];
