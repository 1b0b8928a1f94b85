import type { QuerySpec } from '../../kernel/actor.js';
import { recordOf, requirePerson } from '../context.js';
import type { LoanState } from '../state.js';
import { loanView } from '../views/loan.js';

export interface GetLoanQuery {
  readonly includeAdditionalBorrowers?: boolean;
}

/** `GET L`. */
export const getLoan: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.get',
  on: 'target',
  read({ state, query, request, env }) {
    requirePerson(state, request.params['personId'], env);
    return loanView(state, env, query as GetLoanQuery);
  },
};

/** The zone whose days are the loan's. */
export const getLoanZone: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.zone',
  on: 'target',
  read: ({ state }) => recordOf(state).zone,
};
