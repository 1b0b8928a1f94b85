import { knownId, resolveId } from '../../kernel/any-id.js';
import { must } from '../../../engine/index.js';
import { companyOf, type Employee, employeeOf, employeeOfUser } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { Sortable } from '../../list-order.js';
import { DEFAULT_LIMIT, refuseMixed } from '../../page.js';
import type { CatalogRow, ListRequest, QueryEnv, QueryRequest, QuerySpec } from '../../kernel/actor.js';
import { type ListResult, millisecondsOf } from '../../wire.js';
import type { ListCasesQuery } from './requests.js';
import type { CaseState } from './state.js';
import { caseView, expandedView } from './view.js';

/** `GET /cases`. */
export const listCases: QuerySpec<CaseState> = {
  kind: 'case',
  type: 'case.list',
  on: 'tenant',
  below: ({ query }) => ({ kind: 'person', target: (query as ListCasesQuery).personId }),
  read: ({ query, request, env }) => listed(query ?? {}, request, env),
};

/** `GET /people/{personId}/cases`. */
export const listPersonCases: QuerySpec<CaseState> = {
  kind: 'case',
  type: 'case.listOfPerson',
  on: 'tenant',
  below: ({ params }) => ({ kind: 'person', target: params['personId'] }),
  read({ query, request, env }) {
    const personId = must(request.params['personId'], 'the path names a person');
    if (knownId(env, 'person', personId) === undefined) refuse('notFound', `There is no borrower ${personId}.`);
    return listed({ ...(query as ListCasesQuery), personId }, request, env);
  },
};

/** Rows answer filters and order; only the cases of the page are opened. */
function listed(query: ListCasesQuery, request: QueryRequest, env: QueryEnv): ListResult {
  refuseMixed(query);
  if (query.includeUnbound === true) refuseUnbound();
  const { limit = DEFAULT_LIMIT, offset, startingAfter, endingBefore, sortBy = [], expand = false } = query;
  const page = env.list('case', {
    ...filterOf(query, env),
    sort: sortBy.map((word) => orderNamed(word, env)),
    limit,
    ...(offset === undefined ? {} : { offset }),
    ...(startingAfter === undefined ? {} : { startingAfter }),
    ...(endingBefore === undefined ? {} : { endingBefore }),
  });
  const items = page.rows.map(({ id }) => {
    const state = must(env.stateOf<CaseState>('case', id), `the listed case ${id}`);
    return expand ? expandedView(state, env, request.permissions) : caseView(state, env);
  });
  return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
}

/** What unknown senders write is an interaction and a task, and no case. */
const refuseUnbound = (): never =>
  refuse('badRequest', 'Every case has a borrower. What unknown senders wrote: GET /interactions?personId=null.', {
    errors: [{ path: 'includeUnbound', expected: 'false, or left out', message: 'there are no cases without a borrower' }],
  });

type Filter = (row: CatalogRow) => boolean;

const NOBODY = '';

/** Cases hang on borrower, loan, owner, team and supercase: the first that is named is where the list is looked for. */
function filterOf(query: ListCasesQuery, env: QueryEnv): Pick<ListRequest, 'parentId' | 'matches'> {
  const company = companyOf(env, env.tenant);
  const under: readonly (string | undefined)[] = [
    query.personId && (resolveId(env, env.tenant, 'person', query.personId) ?? NOBODY),
    query.loanId && (resolveId(env, env.tenant, 'loan', query.loanId) ?? NOBODY),
    query.owningEmployeeId && (employeeOf(company, query.owningEmployeeId)?.id ?? NOBODY),
    query.owningTeamId,
    query.supercaseId && (resolveId(env, env.tenant, 'supercase', query.supercaseId) ?? NOBODY),
  ];
  const parents = under.filter((id) => id !== undefined);
  const [parentId] = parents;
  const filters = [
    ...rowFilters(query, env),
    ...parents.map(
      (id): Filter =>
        (row) =>
          row.parentId === id || row.alsoUnder?.includes(id) === true,
    ),
  ];
  return {
    ...(parentId === undefined ? {} : { parentId }),
    ...(filters.length === 0 ? {} : { matches: (row) => filters.every((filter) => filter(row)) }),
  };
}

function rowFilters(query: ListCasesQuery, { now }: QueryEnv): readonly Filter[] {
  const filters: Filter[] = [];
  for (const field of ['status', 'outcome', 'caseType'] as const) {
    const wanted = query[field];
    if (wanted) filters.push(({ fields }) => wanted.some((word) => word === fields[field]));
  }
  for (const field of ['caseTypeId', 'autoCreated', 'isEscalated'] as const) {
    const wanted = query[field];
    if (wanted !== undefined) filters.push(({ fields }) => fields[field] === wanted);
  }
  const { isSnoozed } = query;
  if (isSnoozed !== undefined) filters.push(({ fields }) => Number(fields['snoozedUntil']) > now === isSnoozed);
  for (const field of ['createdAt', 'updatedAt'] as const) {
    const [after, before] = [query[`${field}After`], query[`${field}Before`]].map((text) => text && millisecondsOf(text));
    if (after) filters.push(({ fields }) => Number(fields[field]) > after);
    if (before) filters.push(({ fields }) => Number(fields[field]) < before);
  }
  return filters;
}

const PLAIN = [
  'createdAt',
  'updatedAt',
  'externalId',
  'lastViewedAt',
  'lastSubresourceUpdatedAt',
  'outcome',
  'status',
  'statusUpdatedAt',
] as const;

type NameOf = (row: CatalogRow, env: QueryEnv) => Sortable;

const creator = ({ fields }: CatalogRow, env: QueryEnv): Employee | undefined =>
  employeeOfUser(companyOf(env, env.tenant), String(fields['createdBy']))?.stored;
const owner = ({ fields }: CatalogRow, env: QueryEnv): Employee | undefined =>
  employeeOf(companyOf(env, env.tenant), String(fields['owningEmployeeId']))?.stored;

const textOf = (value: unknown): Sortable => (typeof value === 'string' ? value : null);

/** Orders by what a row does not say itself: names as they are now. */
const NAMES: Readonly<Record<string, NameOf>> = {
  name: ({ fields }) => textOf(fields['name'] ?? fields['typeName']),
  caseType: ({ fields }) => textOf(fields['typeName']),
  createdByUserFirstName: (row, env) => creator(row, env)?.firstName ?? null,
  createdByUserLastName: (row, env) => creator(row, env)?.lastName ?? null,
  owningEmployeeFirstName: (row, env) => owner(row, env)?.firstName ?? null,
  owningEmployeeLastName: (row, env) => owner(row, env)?.lastName ?? null,
};

function orderNamed(word: string, env: QueryEnv): NonNullable<ListRequest['sort']>[number] {
  const field = word.replace(/^-/, '');
  const descending = word.startsWith('-');
  const nameOf = Object.hasOwn(NAMES, field) ? NAMES[field] : undefined;
  if (nameOf) return { field, descending, of: (row) => nameOf(row, env) };
  if (PLAIN.some((plain) => plain === field)) return { field, descending };
  const expected = `one of ${[...PLAIN, ...Object.keys(NAMES)].join(', ')}, with - for descending`;
  return refuse('badRequest', `Cases cannot be ordered by ${field}.`, {
    errors: [{ path: 'sortBy', expected, message: 'not a field to sort by' }],
  });
}
