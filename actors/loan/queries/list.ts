import { resolveId } from '../../kernel/any-id.js';
import { must } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import { DEFAULT_LIMIT, type PageQuery } from '../../page.js';
import type { ListRequest, QueryEnv, QuerySpec } from '../../kernel/actor.js';
import type { AnyId, ListResult } from '../../wire.js';
import { upToDate } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { loanIdsView, loanView } from '../views/loan.js';
import { every, type Filter, type LoanFilter, loanFilters, statusFilter, typeFilter, type Words } from './filters.js';

/** `GET /loans` (base.md, Operations shown, 2). */
export interface ListLoansQuery extends PageQuery, LoanFilter {
  readonly fields?: 'all' | 'idsOnly';
  readonly includeAdditionalBorrowers?: boolean;
  readonly sortBy?: Words;
}

/** `GET /people/{personId}/loans`. */
export interface ListPersonLoansQuery extends PageQuery {
  readonly status?: Words;
  readonly loanTypeId?: AnyId;
  readonly includeAdditionalBorrowers?: boolean;
  /** Of charged-off loans only. */
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

function listed(env: QueryEnv, page: PageQuery, request: Omit<ListRequest, 'limit'>, show: (state: LoanState) => unknown): ListResult {
  const { limit = DEFAULT_LIMIT, startingAfter, endingBefore } = page;
  const cursor = startingAfter === undefined ? {} : { startingAfter };
  const { rows, total, hasMore, hasPrevious, order } = env.list('loan', {
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
  return (row) => row.fields['status'] !== 'chargedOff' || (row.fields['outstandingCents'] as number) > 0 === wantsBalance;
}

const SORT_FIELDS = ['createdAt', 'updatedAt', 'originatedAt', 'activatedAt', 'dueDate', 'status', 'loanTypeId'];

function sortOf(sortBy: readonly string[]): NonNullable<ListRequest['sort']> {
  return sortBy.map((word) => {
    const field = word.replace(/^-/, '');
    if (!SORT_FIELDS.includes(field)) {
      const expected = `one of ${SORT_FIELDS.join(', ')}, with - for descending`;
      refuse('badRequest', `Loans cannot be ordered by ${field}.`, {
        errors: [{ path: 'sortBy', expected, message: 'not a field to sort by' }],
      });
    }
    return { field, descending: word.startsWith('-') };
  });
}
