import type { ActorModule, CatalogRow, ListPage, QueryEnv, QuerySpec } from '../kernel/actor.js';
import { TimeBudget } from '../kernel/shard/scheduler.js';
import { type AsOf, LoansAsOf } from '../loan/index.js';
import type { RowsPiece } from './ports.js';
import { RowsText } from './rows-text.js';
import { loanThen, type Period, subjectOf } from './subjects.js';
import type { Shown, View, ViewedKind } from './view.js';
import { borrowers, VIEWS } from './views.js';

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
  /** Of views of the past: the columns that are wanted, by view. */
  readonly columns?: Readonly<Record<string, readonly string[]>>;
  /** Those that were recorded behind a stamp and, at that stamp, behind an id: the earliest first. */
  readonly since?: { readonly stamp: number; readonly id: string };
}

/** Rows of some actors, in the order that was asked for. */
export interface FeedPage {
  /** For the tables of the views that were asked for, in the order of their declarations. */
  readonly piece: RowsPiece;
  /** The last actor; null: there was none. */
  readonly last: { readonly id: string; readonly stamp: number } | null;
  readonly hasMore: boolean;
  /** Actors that were found, with those of later pages. */
  readonly found: number;
  /** All actors of the kind that the engine has; null of the past. */
  readonly total: number | null;
}

export const feedQueryOf = (kind: ViewedKind): string => `views.${kind}`;

/** The service's own questions, which fill the views: no route leads here. */
export const feedQueries = (kind: ViewedKind): ActorModule['queries'] => {
  const spec: QuerySpec<never, FeedQuery> = {
    kind,
    type: feedQueryOf(kind),
    on: 'tenant',
    ofShard: ({ params }) => Number(params['shard']),
    read({ query, env }): FeedPage {
      const page = pageOf(kind, query, env);
      const { total } = env.listAll(kind, { limit: 1 });
      return feedPage(page, query, total, ({ id }) => subjectOf(kind, id, env));
    },
  };
  return kind === 'loan' ? [spec, pastQuery] : [spec];
};

/** The first actors: one at least, and as many as a time slice lasts. The others are on the next page. */
function feedPage(
  { rows, hasMore, total: found }: ListPage,
  query: FeedQuery,
  total: number | null,
  subject: (row: CatalogRow) => unknown,
): FeedPage {
  const time = new TimeBudget();
  const views = viewsNamed(query.views);
  const text = new RowsText(views.length);
  let last: FeedPage['last'] = null;
  for (const row of rows) {
    if (last !== null && time.isSpent) break;
    text.add(row.id, rowsOf(views, subject(row), query));
    last = { id: row.id, stamp: row.updatedStamp };
  }
  return { piece: text.print(), last, hasMore: hasMore || text.actorCount < rows.length, found, total };
}

/** Loans as of a day, as they were known at a moment. */
export interface PastQuery extends Omit<FeedQuery, 'since'> {
  readonly asOf: AsOf;
  /** Of transactions; absent: all. */
  readonly period?: Period;
}

export const PAST_QUERY = 'views.loanThen';

/**
 * One of the service's own, too. A loan that was not there has no rows.
 */
const pastQuery: QuerySpec<never, PastQuery> = {
  kind: 'loan',
  type: PAST_QUERY,
  on: 'tenant',
  ofShard: ({ params }) => Number(params['shard']),
  read({ query, env }): FeedPage {
    const loans = new LoansAsOf(env, query.asOf);
    return feedPage(pageOf('loan', query, env), query, null, ({ id }) => loanThen(id, env, loans, query.period ?? null));
  },
};

/** `v_borrowers` is of the past alone: there it spares the pages of borrowers. */
const viewsNamed = (names: readonly string[]): readonly View[] => [...VIEWS, borrowers].filter(({ name }) => names.includes(name));

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

const rowsOf = (views: readonly View[], subject: unknown, { seesPersonalData, columns }: FeedQuery): ReturnType<View['rowsOf']>[] =>
  views.map((view) => {
    const shown: Shown = { seesPersonalData, names: columns?.[view.name] };
    return subject === undefined ? [] : view.rowsOf(subject, shown);
  });
