import { must } from '../../../engine/index.js';
import { DEFAULT_LIMIT, type PageQuery } from '../../list-order.js';
import type { ListResult } from '../../wire.js';
import type { ListRequest, QueryEnv } from '../actor.js';

/** What a list of actors asks the list index for. */
interface Asked extends PageQuery, Pick<ListRequest, 'parentId' | 'mayLeaveParent' | 'matches' | 'sort'> {}

/** A page of the actors of a kind whose rows match. Only those of the page are opened. */
export function listedActors<State>(
  env: QueryEnv,
  kind: string,
  { limit = DEFAULT_LIMIT, ...asked }: Asked,
  view: (state: State) => unknown,
): ListResult {
  const page = env.list(kind, { ...asked, limit });
  const items = page.rows.map(({ id }) => view(must(env.stateOf<State>(kind, id), id)));
  return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
}
