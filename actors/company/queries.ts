import { refuse } from '../errors.js';
import { pageOf, type PageQuery, sorted } from '../page.js';
import type { QuerySpec } from '../runtime/actor.js';
import type { ApiKey, CompanyState, LoanType } from './state.js';
import { apiKeyView, companyView, loanTypeView } from './views.js';

export interface ApiKeyListQuery extends PageQuery {
  /** Default `active`. */
  readonly status?: 'active' | 'inactive' | 'all';
}

export interface LoanTypeListQuery extends PageQuery {
  readonly type?: 'installment' | 'lineOfCredit';
  readonly status?: 'active' | 'inactive';
  readonly sortBy?: readonly string[];
}

export const companyQueries: readonly QuerySpec<CompanyState>[] = [
  { kind: 'company', type: 'company.get', on: 'target', read: ({ state }) => companyView(state) },
  {
    kind: 'company',
    type: 'company.list',
    on: 'target',
    read: ({ state, query }) => pageOf([state], query as PageQuery, companyView),
  },
  {
    kind: 'company',
    type: 'apiKey.get',
    on: 'target',
    read({ state, request }) {
      const id = request.params['keyId'] ?? '';
      return apiKeyView(state, state.keys.get(id) ?? refuse('notFound', `There is no key ${id}.`));
    },
  },
  {
    kind: 'company',
    type: 'apiKey.list',
    on: 'target',
    read({ state, query }) {
      const { status = 'active', ...page } = query as ApiKeyListQuery;
      const keys: ApiKey[] = [...state.keys.values()].filter((key) => status === 'all' || key.status === status);
      return pageOf(keys.reverse(), page, (key) => apiKeyView(state, key));
    },
  },
  {
    kind: 'company',
    type: 'loanType.get',
    on: 'target',
    read({ state, request, query }) {
      const id = request.params['loanTypeId'] ?? '';
      const loanType = state.loanTypes.get(id) ?? refuse('notFound', `There is no loan type ${id}.`);
      const { version } = (query ?? {}) as { readonly version?: number };
      if (version === undefined) return loanTypeView(state, loanType);
      const shown = loanType.versions.find((known) => known.version === version);
      return loanTypeView(state, loanType, shown ?? refuse('notFound', `The loan type ${id} has no version ${version}.`));
    },
  },
  {
    kind: 'company',
    type: 'loanType.list',
    on: 'target',
    read({ state, query }) {
      const { type, status, sortBy = [], ...page } = query as LoanTypeListQuery;
      const newestFirst = [...state.loanTypes.values()].reverse();
      const wanted = newestFirst.filter((known) => (!type || known.type === type) && (!status || known.status === status));
      return pageOf(sorted(wanted, sortBy, LOAN_TYPE_ORDERS), page, (loanType) => loanTypeView(state, loanType));
    },
  },
];

const LOAN_TYPE_ORDERS = {
  createdAt: ({ createdAt }: LoanType) => createdAt,
  updatedAt: ({ updatedAt }: LoanType) => updatedAt,
  name: ({ name, assetDisplayName }: LoanType) => name ?? assetDisplayName,
  status: ({ status }: LoanType) => status,
  type: ({ type }: LoanType) => type,
};
