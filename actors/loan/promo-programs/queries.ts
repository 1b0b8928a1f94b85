import type { QuerySpec } from '../../kernel/actor.js';
import { requirePerson } from '../context.js';
import type { LoanState } from '../state.js';
import { drawOf } from '../draws/find.js';
import { promoProgramOf } from './find.js';
import type { ListPromoProgramsQuery, PromoProgramsReply } from './requests.js';
import { promoProgramView } from './view.js';

/** The draw of the path; null: the loan or line itself. */
const numberOf = (state: LoanState, drawId: string | undefined): number | null =>
  drawId === undefined ? null : drawOf(state, drawId).draw;

/** `GET L/promo-programs` and `GET D/promo-programs`, newest first, and one of them. */
export const promoProgramQueries: readonly QuerySpec<LoanState>[] = [
  {
    kind: 'loan',
    type: 'promoProgram.list',
    on: 'target',
    read({ state, query, request, env }): PromoProgramsReply {
      requirePerson(state, request.params['personId'], env);
      const { status = [] } = (query ?? {}) as ListPromoProgramsQuery;
      const draw = numberOf(state, request.params['drawId']);
      const wanted = state.promoPrograms.filter(
        (program) => program.draw === draw && (status.length === 0 || status.includes(program.status)),
      );
      return { promoPrograms: wanted.reverse().map((program) => promoProgramView(state, env, program)) };
    },
  },
  {
    kind: 'loan',
    type: 'promoProgram.get',
    on: 'target',
    read({ state, request, env }) {
      requirePerson(state, request.params['personId'], env);
      return promoProgramView(
        state,
        env,
        promoProgramOf(state, request.params['promoProgramId'], numberOf(state, request.params['drawId'])),
      );
    },
  },
];
