import type { ActorModule, CatalogRow, ListPage, QueryEnv, QuerySpec } from '../kernel/actor.js';
import { TimeBudget } from '../kernel/shard/scheduler.js';
import { type AsOf, LoansAsOf } from '../loan/index.js';
import type { ListResult } from '../wire.js';
import { loanThen, type Period, subjectOf } from './subjects.js';
import type { Cell, Shown, View, ViewedKind } from './view.js';
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
      return { ...itemsOf(page, (row) => itemOf(views, row, env, query)), total, hasPrevious: page.hasPrevious };
    },
  };
  return kind === 'loan' ? [spec, pastQuery] : [spec];
};

/** Items of the first rows: of one at least, and of as many as a time slice lasts. The others are on the next page. */
function itemsOf({ rows, hasMore }: ListPage, itemOfRow: (row: CatalogRow) => FeedItem): Pick<ListResult<FeedItem>, 'items' | 'hasMore'> {
  const time = new TimeBudget();
  const items: FeedItem[] = [];
  for (const row of rows) {
    if (items.length > 0 && time.isSpent) break;
    items.push(itemOfRow(row));
  }
  return { items, hasMore: hasMore || items.length < rows.length };
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
  read({ query, env }): ListResult<FeedItem> {
    const page = pageOf('loan', query, env);
    const views = viewsNamed(query.views);
    const loans = new LoansAsOf(env, query.asOf);
    const itemThen = ({ id, updatedStamp: stamp }: CatalogRow): FeedItem => {
      const then = loanThen(id, env, loans, query.period ?? null);
      return { id, stamp, rows: rowsOf(views, then, query) };
    };
    return { ...itemsOf(page, itemThen), total: null, hasPrevious: page.hasPrevious };
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
