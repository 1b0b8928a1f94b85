import type { CommandSpec, QuerySpec } from '../../kernel/actor.js';
import { requireMove, requirePerson } from '../context.js';
import type { LoanState } from '../state.js';
import { cancelRefund, createRefund, refundOf, refundsView, refundView, updateRefund } from './decide.js';

export const refundCommands: readonly CommandSpec<LoanState>[] = [createRefund, updateRefund, cancelRefund];

/** `GET L/refunds`, and one of them. */
export const refundQueries: readonly QuerySpec<LoanState>[] = [
  {
    kind: 'loan',
    type: 'refund.list',
    on: 'target',
    read({ state, request, env }) {
      requirePerson(state, request.params['personId'], env);
      requireMove(state, 'manageRefund');
      return refundsView(state, env);
    },
  },
  {
    kind: 'loan',
    type: 'refund.get',
    on: 'target',
    read({ state, request, env }) {
      requirePerson(state, request.params['personId'], env);
      return refundView(state, refundOf(state, request.params['refundId']));
    },
  },
];
