import type { ActorModule, CatalogRow, ListPage, QueryEnv, QuerySpec } from '../kernel/actor.js';
import { TimeBudget } from '../kernel/shard/scheduler.js';
import { type AsOf, LoansAsOf } from '../loan/index.js';
import type { ListResult } from '../wire.js';
import { borrowers } from './borrowers-view.js';
import { loanThen, type Period, subjectOf } from './subjects.js';
import type { Cell, Shown, View, ViewedKind } from './view.js';
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
  /** Of views of the past: the columns that are wanted, by view. */
  readonly columns?: Readonly<Record<string, readonly string[]>>;
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
      const views = viewsNamed(query.views);
      const items = page.rows.map((row) => itemOf(views, row, env, query));
      return { items, total, hasMore: page.hasMore, hasPrevious: page.hasPrevious };
    },
  };
  return kind === 'loan' ? [spec, pastQuery] : [spec];
};

/** Loans as of a day, as they were known at a moment. */
export interface PastQuery extends Omit<FeedQuery, 'since'> {
  readonly asOf: AsOf;
  /** Of transactions; absent: all. */
  readonly period?: Period;
}

export const PAST_QUERY = 'views.loanThen';

/**
 * One of the service's own, too. A loan that was not there has no rows. A page of dear loans ends earlier: between two pages others have
 * their turn.
 */
const pastQuery: QuerySpec<never, PastQuery> = {
  kind: 'loan',
  type: PAST_QUERY,
  on: 'tenant',
  ofShard: ({ params }) => Number(params['shard']),
  read({ query, env }): ListResult<FeedItem> {
    const page = pageOf('loan', query, env);
    const views = viewsNamed(query.views);
    const loans = new LoansAsOf(env, query.asOf);
    const time = new TimeBudget();
    const items: FeedItem[] = [];
    for (const row of page.rows) {
      if (items.length > 0 && time.isSpent) return { items, total: null, hasMore: true, hasPrevious: page.hasPrevious };
      items.push({ id: row.id, stamp: row.updatedStamp, rows: rowsOf(views, loanThen(row.id, env, loans, query.period ?? null), query) });
    }
    return { items, total: null, hasMore: page.hasMore, hasPrevious: page.hasPrevious };
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

function itemOf(views: readonly View[], { id, updatedStamp: stamp }: CatalogRow, env: QueryEnv, query: FeedQuery): FeedItem {
  const [{ kind } = { kind: 'person' as const }] = views;
  return { id, stamp, rows: rowsOf(views, subjectOf(kind, id, env), query) };
}

const rowsOf = (views: readonly View[], subject: unknown, { seesPersonalData, columns }: FeedQuery): FeedItem['rows'] =>
  views.map((view) => {
    const shown: Shown = { seesPersonalData, names: columns?.[view.name] };
    return subject === undefined ? [] : view.rowsOf(subject, shown);
  });
