import type { tags } from 'typia';
import { civil, type Holiday, holidays } from '../../engine/index.js';
import { replyOf } from '../kernel/resources/index.js';
import { refuse } from '../errors.js';
import { type OffsetQuery, pageOf, type PageQuery, sorted } from '../page.js';
import type { QuerySpec } from '../kernel/actor.js';
import { type DateText, dateText, orNull, type Whole } from '../wire.js';
import { usersOf } from './access/user.js';
import { USERS } from './access/users.js';
import { zoneOf } from './directory.js';
import type { ApiKey, CompanyState, LoanType } from './state.js';
import { apiKeyView, companyView, loanTypeView } from './views.js';

export interface ApiKeyListQuery extends OffsetQuery {
  /** Default `active`. */
  readonly status?: 'active' | 'inactive' | 'all';
}

export interface BankingHolidayQuery {
  /** Default: this year in the company's zone. */
  readonly year?: number & tags.Type<'uint32'> & tags.Minimum<1900> & tags.Maximum<2299>;
}

export interface BankingHolidayView {
  readonly name: string;
  readonly date: DateText;
  /** The weekday on which the Federal Reserve Banks close for it; null when it falls on a Saturday. */
  readonly observedDate: DateText | null;
}

export interface LoanTypeGetQuery {
  /** The number of a version; default the newest. */
  readonly version?: Whole;
}

export interface LoanTypeListQuery extends PageQuery {
  readonly type?: 'installment' | 'lineOfCredit';
  readonly status?: 'active' | 'inactive';
  readonly sortBy?: readonly string[];
}

export const companyQueries: readonly QuerySpec<CompanyState>[] = [
  { kind: 'company', type: 'company.get', on: 'target', read: ({ state }) => companyView(state) },
  // The zone of a product, or the company's own where it has none of that name.
  {
    kind: 'company',
    type: 'company.zone',
    on: 'target',
    read: ({ state, query }) => zoneOf(state, state.loanTypes.get((query as { readonly loanTypeId: string | null }).loanTypeId ?? '')),
  },
  {
    kind: 'company',
    type: 'company.bankingHolidays',
    on: 'target',
    read({ state, query, env }) {
      const { year = civil(env.today(zoneOf(state))).year } = (query ?? {}) as BankingHolidayQuery;
      const items = holidays(year).map(holidayView);
      return { items, total: items.length, hasMore: false, hasPrevious: false };
    },
  },
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
    type: 'user.me',
    on: 'target',
    read({ state, query }) {
      const { userId } = query as { readonly userId: string | null };
      return replyOf(USERS, state, usersOf(state).get(userId ?? '') ?? refuse('notFound', 'Nobody in particular is calling.'));
    },
  },
  {
    kind: 'company',
    type: 'loanType.get',
    on: 'target',
    read({ state, request, query }) {
      const id = request.params['loanTypeId'] ?? '';
      const loanType = state.loanTypes.get(id) ?? refuse('notFound', `There is no loan type ${id}.`);
      const { version } = (query ?? {}) as LoanTypeGetQuery;
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

const holidayView = ({ name, date, observed }: Holiday): BankingHolidayView => ({
  name,
  date: dateText(date),
  observedDate: orNull(dateText, observed),
});

const LOAN_TYPE_ORDERS = {
  createdAt: ({ createdAt }: LoanType) => createdAt,
  updatedAt: ({ updatedAt }: LoanType) => updatedAt,
  name: ({ name, assetDisplayName }: LoanType) => name ?? assetDisplayName,
  status: ({ status }: LoanType) => status,
  type: ({ type }: LoanType) => type,
};
