import type { ActorModule, CatalogRow, ListPage, QueryEnv, QuerySpec } from '../kernel/actor.js';
import { LIMITS } from '../kernel/limits.js';
import type { ListResult } from '../wire.js';
import { subjectOf } from './subjects.js';
import { type Cell, type View, type ViewedKind } from './view.js';
import { VIEWS } from './views.js';

/**
 * What is asked for views of a kind: all its actors, or those that have changed. The parameter `shard` names a shard whose engine is asked,
 * and answers with all that it has.
 */
export interface FeedQuery {
  readonly limit: number;
  /** Names of the views whose rows are wanted. */
  readonly views: readonly string[];
  readonly seesPersonalData: boolean;
  /** All, the newest first. */
  readonly startingAfter?: string;
  /** Those that were recorded behind a stamp and, at that stamp, behind an id: the earliest first. */
  readonly since?: { readonly stamp: number; readonly id: string };
}

/** A subject as the views have it. */
export interface FeedItem {
  readonly id: string;
  readonly stamp: number;
  /** For each view that was asked for, in its order. */
  readonly rows: readonly (readonly (readonly Cell[])[])[];
}

export const feedQueryOf = (kind: ViewedKind): string => `views.${kind}`;

/** The service's own questions, which fill the views: no route leads here. `total` counts all actors of the kind that the engine has. */
export const feedQueries = (kind: ViewedKind): ActorModule['queries'] => {
  const spec: QuerySpec<never, FeedQuery> = {
    kind,
    type: feedQueryOf(kind),
    on: 'tenant',
    ofShard: ({ params }) => Number(params['shard']),
    read({ query, env }): ListResult<FeedItem> {
      const page = pageOf(kind, query, env);
      const { total } = env.listAll(kind, { limit: 1 });
      const items = itemsOf(page.rows, env, query);
      return { items, total, hasMore: page.hasMore || items.length < page.rows.length, hasPrevious: page.hasPrevious };
    },
  };
  return [spec];
};

/** Those of the first rows: of one at least, and of as many as a time slice lasts. The others are on the next page. */
function itemsOf(rows: readonly CatalogRow[], env: QueryEnv, { views: names, seesPersonalData }: FeedQuery): readonly FeedItem[] {
  const views = VIEWS.filter(({ name }) => names.includes(name));
  const until = performance.now() + LIMITS.sliceMs;
  const items: FeedItem[] = [];
  for (const row of rows) {
    items.push(itemOf(views, row, env, seesPersonalData));
    if (performance.now() >= until) break;
  }
  return items;
}

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
  const [{ kind } = { kind: 'person' as const }] = views;
  const subject = subjectOf(kind, id, env);
  if (subject === undefined) return { id, stamp, rows: views.map(() => []) };
  return { id, stamp, rows: views.map((view) => view.rowsOf(subject, seesPersonalData)) };
}
