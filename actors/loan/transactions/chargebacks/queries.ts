import { pageOf } from '../../../list-order.js';
import type { QueryContext, QuerySpec } from '../../../kernel/actor.js';
import { requirePerson } from '../../context.js';
import type { LoanState } from '../../state.js';
import { transactionOf } from '../check.js';
import { chargebackOf } from './decide.js';
import { type Chargeback, chargebacksOf, chargebackView, type ListChargebacksQuery } from './record.js';

/** The chargebacks of one transaction, newest first, and one of them. */
export const chargebackQueries: readonly QuerySpec<LoanState>[] = [
  {
    kind: 'loan',
    type: 'chargeback.list',
    on: 'target',
    read: (context: QueryContext<LoanState, ListChargebacksQuery>) =>
      pageOf([...knownTo(context)].reverse(), context.query, chargebackView),
  },
  {
    kind: 'loan',
    type: 'chargeback.get',
    on: 'target',
    read: (context) => chargebackView(chargebackOf(knownTo(context), context.request.params['chargebackId'])),
  },
];

function knownTo({ state, request, env }: QueryContext<LoanState>): readonly Chargeback[] {
  requirePerson(state, request.params['personId'], env);
  return chargebacksOf(state.chargebacks, transactionOf(state, request.params['transactionId']).id);
}
