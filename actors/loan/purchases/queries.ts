import type { QueryContext, QuerySpec } from '../../kernel/actor.js';
import { matching, pageOf } from '../../list-order.js';
import type { ListResult } from '../../wire.js';
import { requirePerson } from '../context.js';
import { drawOf } from '../draws/draw.js';
import type { LoanState } from '../state.js';
import { disputeOf, type PurchaseDispute, purchaseOf } from './posting.js';
import type { ListDisputesQuery } from './requests.js';
import { disputeView, listed, purchaseView, timeline } from './view.js';

type Read = (context: QueryContext<LoanState>) => unknown;

/** A query that first checks that the person of the path is on the line. */
const query = (type: string, read: Read): QuerySpec<LoanState> => ({
  kind: 'loan',
  type,
  on: 'target',
  read(context) {
    requirePerson(context.state, context.request.params['personId'], context.env);
    return read(context);
  },
});

export const purchaseQueries: readonly QuerySpec<LoanState>[] = [
  query('purchase.list', (context) => listed(context, context.query ?? {})),
  query('purchase.listOfDraw', (context) => {
    const { state, request, query: asked } = context;
    const { draw } = drawOf(state, request.params['drawId']);
    return listed(context, asked ?? {}, draw);
  }),
  query('purchase.timeline', (context) => timeline(context, context.query ?? {})),
  query('purchase.get', ({ state, env, request }) => purchaseView(state, env, purchaseOf(state, request.params))),
  query('dispute.list', (context) => disputes(context, () => true)),
  query('dispute.listOfDraw', (context) => {
    const { draw } = drawOf(context.state, context.request.params['drawId']);
    const onDraw = new Set(context.state.purchases.all(draw).map(({ purchase }) => purchase));
    return disputes(context, ({ purchase }) => onDraw.has(purchase));
  }),
  query('dispute.listOfPurchase', (context) => {
    const { purchase } = purchaseOf(context.state, context.request.params);
    return disputes(context, (dispute) => dispute.purchase === purchase);
  }),
  query('dispute.get', ({ state, request }) => disputeView(state, disputeOf(state, request.params))),
];

/** Newest first. */
function disputes({ state, query: asked }: QueryContext<LoanState>, isWanted: (dispute: PurchaseDispute) => boolean): ListResult {
  const { statuses = [], ...page } = (asked ?? {}) as ListDisputesQuery;
  const newestFirst = state.disputes.filter(isWanted).reverse();
  const found = matching(newestFirst, ({ status }) => statuses.length === 0 || statuses.includes(status));
  return pageOf(
    found,
    page,
    (dispute) => disputeView(state, dispute),
    ({ externalId }) => externalId,
  );
}
