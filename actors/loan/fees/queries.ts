import { refuse } from '../../errors.js';
import { pageOf, type PageQuery } from '../../page.js';
import type { QueryContext, QuerySpec } from '../../kernel/actor.js';
import type { ListResult } from '../../wire.js';
import { requirePerson } from '../context.js';
import { drawOf } from '../draws/find.js';
import type { LoanState } from '../state.js';
import { feeReplies } from './view.js';
import type { FeeReply } from './view-types.js';

export interface ListFeesQuery extends PageQuery {
  readonly types?: readonly string[];
  readonly statuses?: readonly string[];
  readonly apiName?: string;
}

const listFees: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loanFee.list',
  on: 'target',
  read: (context) => feeList(context, () => true),
};

/** `GET D/fees`: those that one draw bears. */
export const listDrawFees: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'drawFee.list',
  on: 'target',
  read(context) {
    const { id } = drawOf(context.state, context.request.params['drawId']);
    return feeList(context, ({ drawId }) => drawId === id);
  },
};

function feeList({ state, env, query, request }: QueryContext<LoanState>, isAsked: (fee: FeeReply) => boolean): ListResult {
  requirePerson(state, request.params['personId'], env);
  const { types = [], statuses = [], apiName, ...page } = (query ?? {}) as ListFeesQuery;
  const fees = feeReplies(state, env).filter(
    (fee) =>
      isAsked(fee) &&
      (types.length === 0 || types.includes(fee.type)) &&
      (statuses.length === 0 || statuses.includes(fee.status)) &&
      (apiName === undefined || fee.dynamicFeeDetails?.apiName === apiName),
  );
  return pageOf(fees, page, (fee) => fee);
}

const getFee: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loanFee.get',
  on: 'target',
  read({ state, env, request }): FeeReply {
    requirePerson(state, request.params['personId'], env);
    const asked = request.params['feeId'] ?? '';
    const id = asked.startsWith('ext-') ? env.findExternal(env.tenant, 'loanFee', asked.slice(4)) : asked;
    return feeReplies(state, env).find((fee) => fee.id === id) ?? refuse('notFound', `The loan has no fee ${asked}.`);
  },
};

export const feeQueries: readonly QuerySpec<LoanState>[] = [listFees, getFee];
