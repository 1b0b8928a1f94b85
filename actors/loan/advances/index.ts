import { matching, pageOf } from '../../list-order.js';
import type { QuerySpec } from '../../kernel/actor.js';
import { requirePerson } from '../context.js';
import type { LoanState } from '../state.js';
import { advanceOf } from './check.js';
import type { ListAdvancesQuery } from './requests.js';
import { advanceView } from './decide.js';

export { advanceCommands } from './decide.js';

/** `GET L/advances`, newest first, and one of them. */
export const advanceQueries: readonly QuerySpec<LoanState>[] = [
  {
    kind: 'loan',
    type: 'advance.list',
    on: 'target',
    read({ state, request, env, query }) {
      requirePerson(state, request.params['personId'], env);
      const { statuses = [], ...page } = (query ?? {}) as ListAdvancesQuery;
      const found = matching(state.advances.toReversed(), ({ status }) => statuses.length === 0 || statuses.includes(status));
      return pageOf(found, page, advanceView, ({ externalId }) => externalId);
    },
  },
  {
    kind: 'loan',
    type: 'advance.get',
    on: 'target',
    read({ state, request, env }) {
      requirePerson(state, request.params['personId'], env);
      return advanceView(advanceOf(state, request.params['advanceId']));
    },
  },
];
