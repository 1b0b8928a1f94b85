import type { tags } from 'typia';
import { civil, formatDay, type Holiday, holidays } from '../../engine/index.js';
import { refuse, refuseProperty } from '../errors.js';
import type { DecideEnv, QuerySpec, QueryContext } from '../kernel/actor.js';
import { type Declaration, replyOf } from '../kernel/resources/index.js';
import { matching, type OffsetQuery, pageOf, type PageQuery, sorted } from '../list-order.js';
import { type AnyId, dateText, type DateText, type DateTimeText, orNull, type ShortText, type Text, type Whole } from '../wire.js';
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
  /** The number of a version; default: the newest. */
  readonly version?: Whole;
}

export interface LoanTypeListQuery extends PageQuery {
  readonly type?: 'installment' | 'lineOfCredit';
  readonly status?: 'active' | 'inactive';
  readonly sortBy?: readonly string[];
}

export const companyQueries: readonly QuerySpec<CompanyState>[] = [
  { kind: 'company', type: 'company.get', on: 'target', read: ({ state }) => companyView(state) },
  // The zone of a loan type; the company's own if there is no such loan type.
  {
    kind: 'company',
    type: 'company.zone',
    on: 'target',
    read: ({ state, query }: QueryContext<CompanyState, { readonly loanTypeId: string | null }>) =>
      zoneOf(state, state.loanTypes.get(query.loanTypeId ?? '')),
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
    read: ({ state, query }: QueryContext<CompanyState, PageQuery>) => pageOf([state], query, companyView),
  },
  {
    kind: 'company',
    type: 'apiKey.get',
    on: 'target',
    read({ state, request }) {
      const id = request.params['keyId'] ?? '';
      return apiKeyView(state, state.keys.get(id) ?? refuse('notFound', `There is no API key ${id}.`));
    },
  },
  {
    kind: 'company',
    type: 'apiKey.list',
    on: 'target',
    read({ state, query }: QueryContext<CompanyState, ApiKeyListQuery>) {
      const { status = 'active', ...page } = query;
      const newestFirst: readonly ApiKey[] = [...state.keys.values()].reverse();
      const keys = matching(newestFirst, (key) => status === 'all' || key.status === status);
      return pageOf(keys, page, (key) => apiKeyView(state, key));
    },
  },
  {
    kind: 'company',
    type: 'user.me',
    on: 'target',
    read({ state, query, env }: QueryContext<CompanyState, { readonly userId: string | null }>) {
      const { userId } = query;
      return replyOf(USERS, state, usersOf(state).get(userId ?? '') ?? refuse('notFound', 'The credential has no user.'), env.now);
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
    read({ state, query }: QueryContext<CompanyState, LoanTypeListQuery>) {
      const { type, status, sortBy = [], ...page } = query;
      const newestFirst = [...state.loanTypes.values()].reverse();
      const ordered = sorted(newestFirst, sortBy, LOAN_TYPE_ORDERS);
      const wanted = matching(ordered, (known) => (!type || known.type === type) && (!status || known.status === status));
      return pageOf(wanted, page, (loanType) => loanTypeView(state, loanType));
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

/** A disaster that the federal agency FEMA has declared. */
export interface Disaster {
  readonly femaDisasterNumber: number;
  readonly description: string | null;
  readonly incidentType: string | null;
  readonly declarationDate: string;
  readonly impactedAreas: readonly ImpactedArea[];
  readonly programs: readonly string[];
  readonly incidentBeginDate: string | null;
  /** Null while the incident lasts. */
  readonly incidentEndDate: string | null;
  /** Created automatically if the company's policy was on; null if it was off. Absent in records of earlier releases. */
  readonly supercaseId?: string | null;
}

interface ImpactedArea {
  readonly id: string;
  readonly state: string;
  readonly county: string | null;
  readonly fipsCode: string | null;
}

export interface DisasterBody {
  readonly femaDisasterNumber: number & tags.Type<'uint32'> & tags.Minimum<1>;
  readonly description?: Text | null;
  readonly incidentType?: ShortText | null;
  readonly declarationDate: DateText;
  readonly impactedAreas: readonly {
    readonly state: string & tags.Pattern<'^[A-Z]{2}$'>;
    readonly county?: ShortText | null;
    readonly fipsCode?: (string & tags.Pattern<'^\\d{5}$'>) | null;
  }[] &
    tags.MinItems<1> &
    tags.MaxItems<4000>;
  readonly programs?: readonly ShortText[] & tags.MaxItems<100>;
  readonly incidentBeginDate?: DateText | null;
  readonly incidentEndDate?: DateText | null;
}

export interface DisasterListQuery extends OffsetQuery {
  readonly state?: string & tags.Pattern<'^[A-Z]{2}$'>;
  /** Only disasters that have not ended. */
  readonly activeOnly?: boolean;
}

export interface DisasterView extends Disaster {
  readonly supercaseId: AnyId | null;
  /** The operation that searches for affected borrowers after this report. */
  readonly operationId?: string;
  readonly id: string;
  readonly object: 'disaster';
  readonly companyId: AnyId;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

const TYPE = 'disaster';

export const DISASTER: Declaration<DisasterBody, DisasterBody, Disaster, CompanyState> = {
  type: TYPE,
  prefix: 'FE',
  param: 'disasterId',
  unique: [{ name: 'femaDisasterNumber', of: ({ femaDisasterNumber }) => String(femaDisasterNumber) }],
  create: (body, { env }) => disasterOf(body, env),
  change: (before, body, { env }) => disasterOf(body, env, before),
  matches({ stored: { impactedAreas, incidentEndDate } }, query: DisasterListQuery, host, env) {
    const { state, activeOnly = false } = query;
    if (state !== undefined && !impactedAreas.some((area) => area.state === state)) return false;
    return !activeOnly || incidentEndDate === null || incidentEndDate >= formatDay(env.today(zoneOf(host)));
  },
  view: (stored) => ({ ...stored, supercaseId: stored.supercaseId ?? null }),
};

/** The disaster of a declaration. Areas that an earlier report named keep their ids. */
export function disasterOf(body: DisasterBody, env: Pick<DecideEnv, 'newId'>, before?: Disaster): Disaster {
  const { incidentBeginDate = null, incidentEndDate = null } = body;
  if (incidentBeginDate !== null && incidentEndDate !== null && incidentEndDate < incidentBeginDate) {
    refuseProperty('incidentEndDate', 'incidentBeginDate or later', '`incidentEndDate` must not be before `incidentBeginDate`.');
  }
  const known = new Map(before?.impactedAreas.map((area) => [keyOf(area), area.id]));
  return {
    femaDisasterNumber: body.femaDisasterNumber,
    description: body.description ?? null,
    incidentType: body.incidentType ?? null,
    declarationDate: body.declarationDate,
    impactedAreas: body.impactedAreas.map(({ state, county = null, fipsCode = null }) => ({
      id: known.get(keyOf({ state, county, fipsCode })) ?? env.newId('FD'),
      state,
      county,
      fipsCode,
    })),
    programs: body.programs ?? [],
    incidentBeginDate,
    incidentEndDate,
    supercaseId: before?.supercaseId ?? null,
  };
}

const keyOf = ({ state, county, fipsCode }: Omit<ImpactedArea, 'id'>): string => JSON.stringify([state, county, fipsCode]);
