import typia from 'typia';
import type {
  ActionRequest,
  CancelPromoProgramRequest,
  CreatePromoProgramRequest,
  ListPromoProgramsQuery,
  PromoProgramReply,
  PromoProgramsReply,
  UpdatePromoProgramRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';

const tags = ['Promo programs'];
const action = { validate: typia.misc.createValidatePrune<ActionRequest>(), schemas: typia.json.schemas<[ActionRequest], '3.1'>() };
const reply = typia.json.schemas<[PromoProgramReply], '3.1'>();

/** What a borrower may earn on a loan (loan-terms 10). */
export const promoProgramRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/promo-programs', operation: 'listPromoPrograms', tags,
    permission: 'loan.promoprogram:list', summary: 'Promo programs of a loan, newest first',
    query: { validate: typia.misc.createValidatePrune<ListPromoProgramsQuery>(), schemas: typia.json.schemas<[ListPromoProgramsQuery], '3.1'>() },
    reply: typia.json.schemas<[PromoProgramsReply], '3.1'>(),
    handle: (call) => call.read('promoProgram.list', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/promo-programs', operation: 'createPromoProgram', tags,
    permission: 'loan.promoprogram:create', summary: 'Give a loan a promo program', reply,
    body: { validate: typia.misc.createValidatePrune<CreatePromoProgramRequest>(), schemas: typia.json.schemas<[CreatePromoProgramRequest], '3.1'>() },
    handle: (call) => call.command('promoProgram.create', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/promo-programs/{promoProgramId}', operation: 'getPromoProgram', tags,
    permission: 'loan.promoprogram:list', summary: 'One promo program', reply,
    handle: (call) => call.read('promoProgram.get', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT', path: '/people/{personId}/loans/{loanId}/promo-programs/{promoProgramId}', operation: 'updatePromoProgram', tags,
    permission: 'loan.promoprogram:update', summary: 'Change the end, the grace or the disqualification of a promo program', reply,
    body: { validate: typia.misc.createValidatePrune<UpdatePromoProgramRequest>(), schemas: typia.json.schemas<[UpdatePromoProgramRequest], '3.1'>() },
    handle: (call) => call.command('promoProgram.update', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/promo-programs/{promoProgramId}/activate', operation: 'activatePromoProgram', tags,
    permission: 'loan.promoprogram:update', summary: 'Start a pending promo program', body: action, reply,
    handle: (call) => call.command('promoProgram.activate', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/promo-programs/{promoProgramId}/cancel', operation: 'cancelPromoProgram', tags,
    permission: 'loan.promoprogram:cancel', summary: 'Cancel a promo program', reply,
    body: { validate: typia.misc.createValidatePrune<CancelPromoProgramRequest>(), schemas: typia.json.schemas<[CancelPromoProgramRequest], '3.1'>() },
    handle: (call) => call.command('promoProgram.cancel', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/promo-programs/{promoProgramId}/reactivate', operation: 'reactivatePromoProgram', tags,
    permission: 'loan.promoprogram:update', summary: 'Start a canceled promo program again', body: action, reply,
    handle: (call) => call.command('promoProgram.reactivate', call.params.loanId),
  }),
];
