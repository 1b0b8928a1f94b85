import type { ActorModule, CatalogRow, ListPage, QueryEnv, QuerySpec } from '../kernel/actor.js';
import type { Arrival, ArrivalMark } from '../kernel/lists/arrivals.js';
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
  /** Of views of the past: the columns that are wanted, by view. */
  readonly columns?: Readonly<Record<string, readonly string[]>>;
  /** Of all, those behind a mark; null: from the first on. */
  readonly after?: ArrivalMark | null;
  /** Those that were recorded behind a stamp and, at that stamp, behind an id: the earliest first. */
  readonly since?: { readonly stamp: number; readonly id: string };
}

/** Rows of some actors, in the order that was asked for. */
export interface FeedPage {
  /** For the tables of the views that were asked for, in the order of their declarations. */
  readonly piece: RowsPiece;
  /** The last actor; null: there was none. `stamp`: of those that have changed; `mark`: of all, where the next page begins. */
  readonly last: { readonly id: string; readonly stamp: number | null; readonly mark: ArrivalMark | null } | null;
  readonly hasMore: boolean;
  /** Actors that were found, with those of later pages; null of all actors. */
  readonly found: number | null;
  /** All actors of the kind that the engine has; null of the past. */
  readonly total: number | null;
}

/** A name of its own for this order: the part of a cluster that has an earlier release refuses it, and is asked again later. */
export const feedQueryOf = (kind: ViewedKind): string => `rows.${kind}`;

/** The service's own questions, which fill the views: no route leads here. */
export const feedQueries = (kind: ViewedKind): ActorModule['queries'] => {
  const spec: QuerySpec<never, FeedQuery> = {
    kind,
    type: feedQueryOf(kind),
    on: 'tenant',
    ofShard: ({ params }) => Number(params['shard']),
    read({ query, env }): FeedPage {
      const { total } = env.listAll(kind, { limit: 1 });
      const subject = (id: string): unknown => subjectOf(kind, id, env);
      if (query.since === undefined) {
        const { isCut, ...page } = readPage(env.arrivals(kind, query.after ?? null), query, subject);
        return { ...page, hasMore: isCut, found: null, total };
      }
      const { rows, hasMore, total: found } = changedSince(kind, query.limit, query.since, env);
      const { isCut, ...page } = readPage(listed(rows), query, subject);
      return { ...page, hasMore: hasMore || isCut, found, total };
    },
  };
  return kind === 'loan' ? [spec, pastQuery] : [spec];
};

/** An actor whose rows are wanted. */
interface Wanted extends Partial<Arrival> {
  readonly id: string;
  readonly stamp?: number;
}

const listed = (rows: readonly CatalogRow[]): readonly Wanted[] => rows.map(({ id, updatedStamp }) => ({ id, stamp: updatedStamp }));

/** The first actors: one at least, and as many as a time slice lasts. If it is cut, the others are on the next page. */
function readPage(
  actors: Iterable<Wanted>,
  query: FeedQuery | PastQuery,
  subject: (id: string) => unknown,
): Pick<FeedPage, 'piece' | 'last'> & { readonly isCut: boolean } {
  const time = new TimeBudget();
  const views = viewsNamed(query.views);
  const text = new RowsText(views.length);
  let last: FeedPage['last'] = null;
  let isCut = false;
  for (const { id, stamp = null, mark = null } of actors) {
    isCut = last !== null && (time.isSpent || text.actorCount === query.limit);
    if (isCut) break;
    text.add(id, rowsOf(views, subject(id), query));
    last = { id, stamp, mark };
  }
  return { piece: text.print(), last, isCut };
}

/** Loans as of a day, as they were known at a moment. */
export interface PastQuery extends Omit<FeedQuery, 'since' | 'after'> {
  readonly asOf: AsOf;
  /** All, the newest first; absent: from the newest on. */
  readonly startingAfter?: string;
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
    const { limit, startingAfter } = query;
    const { rows, hasMore } = env.listAll('loan', { limit, ...(startingAfter === undefined ? {} : { startingAfter }) });
    const { isCut, ...page } = readPage(listed(rows), query, (id) => loanThen(id, env, loans, query.period ?? null));
    return { ...page, hasMore: hasMore || isCut, found: null, total: null };
  },
};

/** `v_borrowers` is of the past alone: there it spares the pages of borrowers. */
const viewsNamed = (names: readonly string[]): readonly View[] => [...VIEWS, borrowers].filter(({ name }) => names.includes(name));

function changedSince(kind: ViewedKind, limit: number, { stamp, id }: NonNullable<FeedQuery['since']>, env: QueryEnv): ListPage {
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

const rowsOf = (
  views: readonly View[],
  subject: unknown,
  { seesPersonalData, columns }: FeedQuery | PastQuery,
): ReturnType<View['rowsOf']>[] =>
  views.map((view) => {
    const shown: Shown = { seesPersonalData, names: columns?.[view.name] };
    return subject === undefined ? [] : view.rowsOf(subject, shown);
  });
