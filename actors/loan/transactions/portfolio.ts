import { refuse } from '../../errors.js';
import { DEFAULT_LIMIT, pageOf } from '../../page.js';
import type { CatalogRow, QueryEnv, QuerySpec } from '../../runtime/actor.js';
import { type ListResult, millisecondsOf } from '../../wire.js';
import { resolveId } from '../context.js';
import type { LoanState } from '../state.js';
import { type Listed, listed } from './queries.js';
import type { ListAllTransactionsQuery, ListTransactionsQuery } from './requests.js';

/** Loans that a list in another order than that of creation may gather transactions from. */
const MAX_SORTED_LOANS = 20_000;

/** `GET /people/{personId}/transactions` and `GET /transactions`, as of what was last recorded of each loan. */
export const portfolioQueries: readonly QuerySpec<LoanState>[] = [
  {
    kind: 'loan',
    type: 'transaction.listOfPerson',
    on: 'tenant',
    read({ query, request, env }) {
      const personId = personOf(env, request.params['personId'] ?? '');
      const rows = env.list('loan', { parentId: personId, matches: ({ parentId }) => parentId === personId, limit: Number.MAX_SAFE_INTEGER }).rows;
      const page = query as ListTransactionsQuery;
      const found = listed(rows.map((row) => loanOf(env, row)), page, env);
      return pageOf(found, page, (item) => item.view(), (item) => item.record.externalId);
    },
  },
  {
    kind: 'loan',
    type: 'transaction.listAll',
    on: 'tenant',
    read: ({ query, env }) => listAll(query as ListAllTransactionsQuery, env),
  },
];

function listAll(query: ListAllTransactionsQuery, env: QueryEnv): ListResult {
  const rows = loansWith(query, env);
  const isTimely = timesFilter(query);
  const itemsOf = (row: CatalogRow): readonly Listed[] => listed([loanOf(env, row)], { ...query, sortBy: [] }, env).filter(isTimely);
  if (query.sortBy === undefined || query.sortBy.length === 0) return newestFirst(rows, itemsOf, query);
  if (rows.length > MAX_SORTED_LOANS) {
    refuse('ruleViolation', 'The portfolio is too large for this order: name a borrower, a loan type or a status.', {
      errors: [{ path: 'sortBy', expected: `transactions of at most ${MAX_SORTED_LOANS} loans`, message: `${rows.length} loans match` }],
    });
  }
  const found = listed(rows.map((row) => loanOf(env, row)), query, env).filter(isTimely);
  return { ...pageOf(found, query, (item) => item.view(), (item) => item.record.externalId), total: null };
}

/** Loans that may have a matching transaction, the one with the newest first. */
function loansWith({ status, loanTypeId, personId }: ListAllTransactionsQuery, env: QueryEnv): readonly CatalogRow[] {
  const mainBorrowerId = personId === undefined ? undefined : personOf(env, personId);
  return env.list('loan', {
    ...(mainBorrowerId === undefined ? {} : { parentId: mainBorrowerId }),
    matches: ({ parentId, fields }) =>
      (mainBorrowerId === undefined || parentId === mainBorrowerId) &&
      fields['lastTransactionStamp'] !== 0 &&
      (loanTypeId === undefined || fields['loanTypeId'] === loanTypeId) &&
      (status === undefined || status.some((wanted) => (fields['transactionStatuses'] as readonly string[]).includes(wanted))),
    sort: [{ field: 'lastTransactionStamp', descending: true }],
    limit: Number.MAX_SAFE_INTEGER,
  }).rows;
}

/**
 * A page in the order of creation. Loans are opened in the order of their newest transaction, and only as long as the
 * next one may still have a transaction for the page.
 */
function newestFirst(rows: readonly CatalogRow[], itemsOf: (row: CatalogRow) => readonly Listed[], query: ListAllTransactionsQuery): ListResult {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const cursor = query.endingBefore ?? query.startingAfter;
  let at: number | null = cursor === undefined ? Infinity : null;
  let found: Listed[] = [];
  for (const row of rows) {
    if (at !== null && isFull(found, { at, limit, isBackward: query.endingBefore !== undefined, next: row.fields['lastTransactionStamp'] as number })) break;
    const items = itemsOf(row);
    found = found.concat(items);
    at ??= items.find(({ id, record }) => id === cursor || `ext-${record.externalId ?? ''}` === cursor)?.record.createdStamp ?? null;
  }
  if (at === null) {
    const path = query.endingBefore === undefined ? 'startingAfter' : 'endingBefore';
    refuse('badRequest', 'The cursor names no object of this list.', {
      errors: [{ path, expected: 'the id of an object of this list', message: 'unknown cursor' }],
    });
  }
  const edge = at;
  found.sort((a, b) => b.record.createdStamp - a.record.createdStamp);
  if (query.endingBefore !== undefined) {
    const newer = found.filter(({ record }) => record.createdStamp > edge);
    const shown = newer.slice(-limit);
    return { items: shown.map((item) => item.view()), total: null, hasMore: true, hasPrevious: newer.length > limit };
  }
  const older = found.filter(({ record }) => record.createdStamp < edge);
  const items = older.slice(0, limit).map((item) => item.view());
  return { items, total: null, hasMore: older.length > limit, hasPrevious: cursor !== undefined };
}

interface Filling {
  /** Stamp of the cursor. */
  readonly at: number;
  readonly limit: number;
  readonly isBackward: boolean;
  /** Newest stamp of the next loan. */
  readonly next: number;
}

/** Whether the loans that are left can add nothing to the page. One more than the page tells whether more follow. */
function isFull(found: readonly Listed[], { at, limit, isBackward, next }: Filling): boolean {
  if (isBackward) return next < at;
  const before = found.filter(({ record }) => record.createdStamp < at && record.createdStamp > next);
  return before.length > limit;
}

function timesFilter(query: ListAllTransactionsQuery): (item: Listed) => boolean {
  const bound = (text: string | undefined, other: number): number => (text === undefined ? other : millisecondsOf(text));
  const createdAfter = bound(query.createdAtAfter, -Infinity);
  const createdBefore = bound(query.createdAtBefore, Infinity);
  const updatedAfter = bound(query.updatedAtAfter, -Infinity);
  const updatedBefore = bound(query.updatedAtBefore, Infinity);
  return ({ record: { timestamps } }) =>
    timestamps.createdAt > createdAfter &&
    timestamps.createdAt < createdBefore &&
    timestamps.updatedAt > updatedAfter &&
    timestamps.updatedAt < updatedBefore;
}

function personOf(env: QueryEnv, anyId: string): string {
  const id = resolveId(env, env.tenant, 'person', anyId);
  if (id !== undefined && env.read('person', id) !== undefined) return id;
  return refuse('notFound', `There is no person ${anyId}.`);
}

const loanOf = (env: QueryEnv, row: CatalogRow): LoanState =>
  env.read<LoanState>('loan', row.id) ?? refuse('notFound', `The loan ${row.id} is gone.`);
