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

const query = {
  validate: typia.misc.createValidatePrune<ListPromoProgramsQuery>(),
  schemas: typia.json.schemas<[ListPromoProgramsQuery], '3.1'>(),
};
const list = typia.json.schemas<[PromoProgramsReply], '3.1'>();
const creation = {
  validate: typia.misc.createValidatePrune<CreatePromoProgramRequest>(),
  schemas: typia.json.schemas<[CreatePromoProgramRequest], '3.1'>(),
};
const change = {
  validate: typia.misc.createValidatePrune<UpdatePromoProgramRequest>(),
  schemas: typia.json.schemas<[UpdatePromoProgramRequest], '3.1'>(),
};
const cancellation = {
  validate: typia.misc.createValidatePrune<CancelPromoProgramRequest>(),
  schemas: typia.json.schemas<[CancelPromoProgramRequest], '3.1'>(),
};

interface Owner {
  readonly path: '/people/{personId}/loans/{loanId}/promo-programs' | '/people/{personId}/loans/{loanId}/draws/{drawId}/promo-programs';
  /** In the names of operations. */
  readonly name: '' | 'Draw';
  /** In summaries. */
  readonly noun: string;
}

/** The same operations on a loan or line, and on a draw. */
const routesOf = ({ path, name, noun }: Owner): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path,
    operation: `list${name}PromoPrograms`,
    tags,
    permission: 'loan.promoprogram:list',
    summary: `List the promo programs of ${noun}, newest first`,
    query,
    reply: list,
    handle: (call) => call.read('promoProgram.list', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path,
    operation: `create${name}PromoProgram`,
    tags,
    permission: 'loan.promoprogram:create',
    summary: `Add a promo program to ${noun}`,
    reply,
    body: creation,
    handle: (call) => call.command('promoProgram.create', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: `${path}/{promoProgramId}`,
    operation: `get${name}PromoProgram`,
    tags,
    permission: 'loan.promoprogram:list',
    summary: `Get a promo program of ${noun}`,
    reply,
    handle: (call) => call.read('promoProgram.get', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT',
    path: `${path}/{promoProgramId}`,
    operation: `update${name}PromoProgram`,
    tags,
    permission: 'loan.promoprogram:update',
    summary: `Update the end, the grace period or the disqualification of a promo program of ${noun}`,
    reply,
    body: change,
    handle: (call) => call.command('promoProgram.update', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: `${path}/{promoProgramId}/activate`,
    operation: `activate${name}PromoProgram`,
    tags,
    permission: 'loan.promoprogram:update',
    summary: `Start a pending promo program of ${noun}`,
    body: action,
    reply,
    handle: (call) => call.command('promoProgram.activate', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: `${path}/{promoProgramId}/cancel`,
    operation: `cancel${name}PromoProgram`,
    tags,
    permission: 'loan.promoprogram:cancel',
    summary: `Cancel a promo program of ${noun}`,
    reply,
    body: cancellation,
    handle: (call) => call.command('promoProgram.cancel', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: `${path}/{promoProgramId}/reactivate`,
    operation: `reactivate${name}PromoProgram`,
    tags,
    permission: 'loan.promoprogram:update',
    summary: `Restart a canceled promo program of ${noun}`,
    body: action,
    reply,
    handle: (call) => call.command('promoProgram.reactivate', call.params.loanId),
  }),
];

/** Promotions of a loan, a line of credit or one of its draws. */
export const promoProgramRoutes: readonly Route[] = [
  ...routesOf({ path: '/people/{personId}/loans/{loanId}/promo-programs', name: '', noun: 'a loan' }),
  ...routesOf({ path: '/people/{personId}/loans/{loanId}/draws/{drawId}/promo-programs', name: 'Draw', noun: 'a draw' }),
];
