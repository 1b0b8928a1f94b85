import { textIn } from '../../../engine/index.js';
import { rowFieldsOf } from '../../kernel/erased.js';
import { lists, numberOf } from '../../kernel/lists/row-fields.js';
import { longList } from '../../kernel/lists/long-lists.js';
import { placed } from '../../kernel/lists/part-named.js';
import { pageOfParts } from '../../kernel/lists/sliced-page.js';
import { resolveId } from '../../kernel/ids.js';
import { refuse } from '../../errors.js';
import { pageOf } from '../../list-order.js';
import type { CatalogRow, QueryEnv, QuerySpec, QueryOf } from '../../kernel/actor.js';
import { type ListResult, millisecondsOf, millisecondsUntil } from '../../wire.js';
import { newestFirst } from '../newest-first.js';
import type { LoanState } from '../state.js';
import type { TransactionStatus } from './machine.js';
import { hasTransactions, transactionNamed } from './named.js';
import { inList, type Listed, listed, listedAmong, listedOrder } from './queries.js';
import type { ListAllTransactionsQuery, ListTransactionsQuery } from './requests.js';

/** Most loans of a list that is not sorted by creation. */
const MAX_SORTED_LOANS = 20_000;

/** `GET /people/{personId}/transactions` and `GET /transactions`, as of the last fact of each loan. */
export const portfolioQueries: readonly QuerySpec<LoanState>[] = [
  {
    kind: 'loan',
    type: 'transaction.listOfPerson',
    on: 'tenant',
    below: ({ params }) => ({ kind: 'person', target: params['personId'] }),
    read({ query, request, env }: QueryOf<ListTransactionsQuery>) {
      const personId = personOf(env, request.params['personId'] ?? '');
      const rows = env.list('loan', {
        parentId: personId,
        matches: ({ parentId }) => parentId === personId,
        limit: Number.MAX_SAFE_INTEGER,
      }).rows;
      const page = query;
      const found = listedAmong(
        rows.map((row) => loanOf(env, row)),
        page,
        env,
      );
      return pageOf(
        found,
        page,
        (item) => item.view(),
        (item) => item.record.externalId,
      );
    },
  },
  {
    kind: 'loan',
    type: 'transaction.listAll',
    on: 'tenant',
    below: ({ query }) => ({ kind: 'person', target: textIn(query, 'personId') }),
    read: ({ query, env }: QueryOf<ListAllTransactionsQuery>) =>
      query.personId === undefined ? longList(env, 'loan', () => listAll(query, env)) : listAll(query, env),
  },
];

async function listAll(query: ListAllTransactionsQuery, env: QueryEnv): Promise<ListResult> {
  const mainBorrowerId = query.personId === undefined ? undefined : personOf(env, query.personId);
  const rows = loansWith(query, env, mainBorrowerId);
  const isTimely = timesFilter(query);
  const itemsOf = ({ id }: CatalogRow): readonly Listed[] => {
    const loan = env.read<LoanState>('loan', id);
    return loan === undefined ? [] : listed([loan], { ...query, sortBy: [] }, env).filter(isTimely);
  };
  if (query.sortBy === undefined || query.sortBy.length === 0) {
    return newestFirst(rows, query, {
      stampOf: ({ fields }) => numberOf(fields['lastTransactionStamp']) ?? 0,
      countOf: isOfRows(query) ? (row) => countIn(row, query.status) : null,
      partsOf: (row) => itemsOf(row).map(({ id, record, view }) => ({ id, createdStamp: record.createdStamp, view })),
      named: async (cursor) => (await transactionNamed(env, cursor, mainBorrowerId))?.record,
    });
  }
  if (rows.length > MAX_SORTED_LOANS) {
    refuse('ruleViolation', 'The list is too large for this order. Filter by borrower, loan type or status.', {
      errors: [{ path: 'sortBy', expected: `transactions of at most ${MAX_SORTED_LOANS} loans`, message: `${rows.length} loans match` }],
    });
  }
  const order = listedOrder(query.sortBy);
  const asked = await placed(query, async (cursor) => {
    const named = await transactionNamed(env, cursor, mainBorrowerId);
    return named && order.map(({ key }) => key(inList(named.loan, env, named.record)));
  });
  const parts = (function* () {
    for (const row of rows) yield itemsOf(row);
  })();
  return pageOfParts(parts, asked, { view: (item) => item.view(), order });
}

/** Filters that the rows of loans can answer without opening a loan. */
const OF_ROWS: ReadonlySet<string> = new Set<keyof ListAllTransactionsQuery>([
  'status',
  'loanTypeId',
  'personId',
  'sortBy',
  'limit',
  'startingAfter',
  'endingBefore',
]);

const isOfRows = (query: ListAllTransactionsQuery): boolean =>
  Object.entries(query).every(([name, value]) => value === undefined || OF_ROWS.has(name));

interface Counted {
  readonly transactionStatuses: readonly TransactionStatus[];
  /** One for each status; a single number is that of all. */
  readonly transactionCounts: number | readonly number[];
}

/** How many transactions of some statuses a loan has. */
function countIn(row: CatalogRow, wanted: ListAllTransactionsQuery['status']): number {
  const { transactionStatuses: statuses, transactionCounts: counts } = rowFieldsOf<Counted>(row);
  if (typeof counts === 'number') return counts;
  return statuses.reduce((total, status, at) => (wanted === undefined || wanted.includes(status) ? total + (counts[at] ?? 0) : total), 0);
}

/** Loans that may have a matching transaction. */
function loansWith(
  { status, loanTypeId }: ListAllTransactionsQuery,
  env: QueryEnv,
  mainBorrowerId: string | undefined,
): readonly CatalogRow[] {
  return env.list('loan', {
    ...(mainBorrowerId === undefined ? {} : { parentId: mainBorrowerId }),
    matches: (row) =>
      (mainBorrowerId === undefined || row.parentId === mainBorrowerId) &&
      hasTransactions(row) &&
      (loanTypeId === undefined || row.fields['loanTypeId'] === loanTypeId) &&
      (status === undefined || status.some((wanted) => lists(row.fields['transactionStatuses'], wanted))),
    limit: Number.MAX_SAFE_INTEGER,
  }).rows;
}

function timesFilter(query: ListAllTransactionsQuery): (item: Listed) => boolean {
  const after = (text: string | undefined): number => (text === undefined ? -Infinity : millisecondsOf(text));
  const before = (text: string | undefined): number => (text === undefined ? Infinity : millisecondsUntil(text));
  const createdAfter = after(query.createdAtAfter);
  const createdBefore = before(query.createdAtBefore);
  const updatedAfter = after(query.updatedAtAfter);
  const updatedBefore = before(query.updatedAtBefore);
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
  env.read<LoanState>('loan', row.id) ?? refuse('notFound', `The loan ${row.id} no longer exists.`);
