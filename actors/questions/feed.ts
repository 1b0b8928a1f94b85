import type { ActorModule, CatalogRow, ListPage, QueryEnv, QuerySpec } from '../kernel/actor.js';
import type { ListResult } from '../wire.js';
import { type Cell, type View, type ViewedKind } from './view.js';
import { VIEWS } from './views.js';

/** What is asked for the views: all actors of a kind, or those that have changed. */
export interface FeedQuery {
  readonly limit: number;
  readonly seesPersonalData: boolean;
  /** All, the newest first. */
  readonly startingAfter?: string;
  /** Those that were recorded behind a stamp and, at that stamp, behind an id: the earliest first. */
  readonly since?: { readonly stamp: number; readonly id: string };
}

/** An actor as the views have it. */
export interface FeedItem {
  readonly id: string;
  readonly stamp: number;
  /** By view. */
  readonly rows: Readonly<Record<string, readonly (readonly Cell[])[]>>;
}

export const VIEWED_KINDS = ['person', 'loan', 'case', 'interaction'] as const satisfies readonly ViewedKind[];

export const feedQueryOf = (kind: ViewedKind): string => `views.${kind}`;

/** The service's own questions, which fill the views: no route leads here. `total` counts all actors of the kind. */
export const feedQueries = (kind: ViewedKind): ActorModule['queries'] => {
  const views = VIEWS.filter((view) => view.kind === kind);
  const spec: QuerySpec<never, FeedQuery> = {
    kind,
    type: feedQueryOf(kind),
    on: 'tenant',
    read({ query, env }): ListResult<FeedItem> {
      const asked = query;
      const page = pageOf(kind, asked, env);
      const { total } = env.listAll(kind, { limit: 1 });
      const items = page.rows.map((row) => itemOf(views, row, env, asked.seesPersonalData));
      return { items, total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
    },
  };
  return [spec];
};

function pageOf(kind: ViewedKind, { limit, since, startingAfter }: FeedQuery, env: QueryEnv): ListPage {
  if (since === undefined) return env.listAll(kind, { limit, ...(startingAfter === undefined ? {} : { startingAfter }) });
  const { stamp, id } = since;
  return env.listAll(kind, {
    limit,
    changedSince: stamp,
    matches: (row) => row.updatedStamp > stamp || (row.updatedStamp === stamp && row.id > id),
    sort: [
      { field: 'updatedAt', descending: false },
      { field: 'id', of: (row) => row.id, descending: false },
    ],
  });
}

function itemOf(views: readonly View[], { id, updatedStamp: stamp }: CatalogRow, env: QueryEnv, seesPersonalData: boolean): FeedItem {
  const [{ kind } = { kind: 'person' }] = views;
  const state = env.stateInPassing(kind, id);
  return {
    id,
    stamp,
    rows: Object.fromEntries(
      views.map((view) => [view.name, state === undefined ? [] : view.rowsOf(state, env, seesPersonalData)] as const),
    ),
  };
}
