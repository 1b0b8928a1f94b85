import { isIn, listsSome, numberOf } from '../../kernel/lists/row-fields.js';
import type { tags } from 'typia';
import { must } from '../../../engine/index.js';
import { companyOf, loanLabelOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CatalogRow, ListRequest, QueryEnv, QuerySpec, SelectEnv } from '../../kernel/actor.js';
import { resolveId } from '../../kernel/ids.js';
import { DEFAULT_LIMIT, type PageQuery } from '../../list-order.js';
import { type AnyId, type DateText, type DateTimeText, type ListResult, millisecondsOf, millisecondsUntil } from '../../wire.js';
import { recordOf, requirePerson } from '../context.js';
import { upToDate } from '../ledger/running.js';
import { LOAN_STATUSES } from '../machine.js';
import type { LoanState } from '../state.js';
import { loanIdsView, loanView } from '../views/loan.js';

/** Statuses, labels or fields of a query. */
type FilterValues = readonly (string & tags.MaxLength<100>)[];

/** A filter of loans by the fields of their rows in the list index. */
export interface LoanFilter {
  readonly statuses?: FilterValues;
  /** Whether the loan type is managed by the service operator; null filters nothing. */
  readonly managedByService?: boolean | null;
  /** Ids or `ext-` ids; any match. */
  readonly labels?: FilterValues;
  readonly loanTypeId?: AnyId;
  readonly dueDate?: DateText;
  readonly createdAtAfter?: DateTimeText;
  readonly createdAtBefore?: DateTimeText;
  readonly updatedAtAfter?: DateTimeText;
  readonly updatedAtBefore?: DateTimeText;
  readonly originatedAtAfter?: DateTimeText;
  readonly originatedAtBefore?: DateTimeText;
  readonly activatedAtAfter?: DateTimeText;
  readonly activatedAtBefore?: DateTimeText;
}

export type Filter = ((row: CatalogRow) => boolean) | null;

/** One filter of several, which must all pass; null always passes. */
export function every(filters: readonly Filter[]): (row: CatalogRow) => boolean {
  const given = filters.filter((filter) => filter !== null);
  return (row) => given.every((filter) => filter(row));
}

/** The filters of a list of loans. */
export function loanFilters(asked: LoanFilter, env: SelectEnv): readonly Filter[] {
  return [
    statusFilter(asked.statuses, 'statuses'),
    typeFilter(asked.loanTypeId),
    asked.managedByService == null ? null : (row) => row.fields['managedByService'] === asked.managedByService,
    labelFilter(asked.labels, env),
    asked.dueDate === undefined ? null : (row) => row.fields['dueDate'] === asked.dueDate,
    ...TIMES.flatMap((field) => timeFilters(field, asked[`${field}After`], asked[`${field}Before`])),
  ];
}

const TIMES = ['createdAt', 'updatedAt', 'originatedAt', 'activatedAt'] as const;

/** Both ends are exclusive. */
function timeFilters(field: (typeof TIMES)[number], after: string | undefined, before: string | undefined): readonly Filter[] {
  const at = (row: CatalogRow): number | null => numberOf(row.fields[field]);
  return [
    after === undefined ? null : (row) => (at(row) ?? -Infinity) > millisecondsOf(after),
    before === undefined ? null : (row) => (at(row) ?? Infinity) < millisecondsUntil(before),
  ];
}

function statusFilter(statuses: readonly string[] | undefined, path: string): Filter {
  if (statuses === undefined || statuses.length === 0 || statuses.includes('all')) return null;
  const known: readonly string[] = LOAN_STATUSES;
  const unknown = statuses.filter((status) => !known.includes(status));
  if (unknown.length > 0) {
    refuse('badRequest', `Unknown loan status: ${unknown.join(', ')}.`, {
      errors: [{ path, expected: `${known.join(', ')} or all`, message: 'is an unknown status' }],
    });
  }
  const wanted = new Set(statuses);
  return (row) => isIn(row.fields['status'], wanted);
}

const typeFilter = (loanTypeId: string | undefined): Filter =>
  loanTypeId === undefined ? null : (row) => row.fields['loanTypeId'] === loanTypeId;

function labelFilter(labels: readonly string[] | undefined, env: SelectEnv): Filter {
  if (labels === undefined || labels.length === 0) return null;
  const company = companyOf(env, env.tenant);
  const wanted = new Set(labels.map((anyId) => loanLabelOf(company, anyId)?.id));
  return (row) => listsSome(row.fields['labels'], (id) => wanted.has(id));
}

/** `GET /loans` (base.md, Operations shown, 2). */
export interface ListLoansQuery extends PageQuery, LoanFilter {
  readonly fields?: 'all' | 'idsOnly';
  readonly includeAdditionalBorrowers?: boolean;
  readonly sortBy?: FilterValues;
}

/** `GET /people/{personId}/loans`. */
export interface ListPersonLoansQuery extends PageQuery {
  readonly status?: FilterValues;
  readonly loanTypeId?: AnyId;
  readonly includeAdditionalBorrowers?: boolean;
  /** Filters charged-off loans. */
  readonly chargeOffBalance?: 'all' | 'hasBalance' | 'zeroBalance';
}

export const listLoans: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.list',
  on: 'tenant',
  read({ query, env }) {
    const asked = (query ?? {}) as ListLoansQuery;
    const show = (state: LoanState): unknown => (asked.fields === 'idsOnly' ? loanIdsView(state, env) : loanView(state, env, asked));
    return listed(env, asked, { matches: every(loanFilters(asked, env)), sort: sortOf(asked.sortBy ?? []) }, show);
  },
};

export const listPersonLoans: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.listOfPerson',
  on: 'tenant',
  read({ query, request, env }) {
    const asked = (query ?? {}) as ListPersonLoansQuery;
    const anyId = must(request.params['personId'], 'the path names a person');
    const parentId = resolveId(env, env.tenant, 'person', anyId);
    if (parentId === undefined || (env.isHere(parentId) && env.read('person', parentId) === undefined))
      refuse('notFound', `There is no borrower ${anyId}.`);
    const filters = [statusFilter(asked.status, 'status'), typeFilter(asked.loanTypeId), balanceFilter(asked.chargeOffBalance)];
    return listed(env, asked, { parentId, matches: every(filters) }, (state) => loanView(state, env, asked));
  },
};

async function listed(
  env: QueryEnv,
  page: PageQuery,
  request: Omit<ListRequest, 'limit'>,
  show: (state: LoanState) => unknown,
): Promise<ListResult> {
  const { limit = DEFAULT_LIMIT, startingAfter, endingBefore } = page;
  const cursor = startingAfter === undefined ? {} : { startingAfter };
  const { rows, total, hasMore, hasPrevious, order } = await env.listInSlices('loan', {
    ...request,
    ...cursor,
    ...(endingBefore === undefined ? {} : { endingBefore }),
    limit,
  });
  const items = rows.map((row) => show(upToDate(must(env.stateOf<LoanState>('loan', row.id), `the listed loan ${row.id}`), env)));
  return { items, total, hasMore, hasPrevious, order: order() };
}

function balanceFilter(wanted: 'all' | 'hasBalance' | 'zeroBalance' | undefined): Filter {
  if (wanted === undefined || wanted === 'all') return null;
  const wantsBalance = wanted === 'hasBalance';
  return (row) => row.fields['status'] !== 'chargedOff' || (numberOf(row.fields['outstandingCents']) ?? 0) > 0 === wantsBalance;
}

const SORT_FIELDS = ['createdAt', 'updatedAt', 'originatedAt', 'activatedAt', 'dueDate', 'status', 'loanTypeId'];

function sortOf(sortBy: readonly string[]): NonNullable<ListRequest['sort']> {
  return sortBy.map((word) => {
    const field = word.replace(/^-/, '');
    if (!SORT_FIELDS.includes(field)) {
      const expected = `one of ${SORT_FIELDS.join(', ')}, with - for descending`;
      refuse('badRequest', `Loans cannot be ordered by ${field}.`, {
        errors: [{ path: 'sortBy', expected, message: 'is not a field to sort by' }],
      });
    }
    return { field, descending: word.startsWith('-') };
  });
}

export interface GetLoanQuery {
  readonly includeAdditionalBorrowers?: boolean;
}

/** `GET L`. */
export const getLoan: QuerySpec<LoanState, GetLoanQuery> = {
  kind: 'loan',
  type: 'loan.get',
  on: 'target',
  read({ state, query, request, env }) {
    requirePerson(state, request.params['personId'], env);
    return loanView(state, env, query);
  },
};

/** The time zone of the loan. */
export const getLoanZone: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.zone',
  on: 'target',
  read: ({ state }) => recordOf(state).zone,
};
