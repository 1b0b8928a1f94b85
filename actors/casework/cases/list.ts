import { must, textIn } from '../../../engine/index.js';
import { documentView, personOf } from '../../borrower/index.js';
import { companyOf, type Employee, employeeOf, employeeOfUser } from '../../company/index.js';
import { refuse } from '../../errors.js';
import {
  ALL_ROWS,
  type CatalogRow,
  type ListRequest,
  type QueryContext,
  type QueryEnv,
  type QueryRequest,
  type QuerySpec,
} from '../../kernel/actor.js';
import { knownId, resolveId } from '../../kernel/ids.js';
import { DEFAULT_LIMIT, matching, pageOf, type PageQuery, refuseMixed, type Sortable } from '../../list-order.js';
import { isPermitted } from '../../permission.js';
import { type ListResult, millisecondsOf, millisecondsUntil } from '../../wire.js';
import type { ListPersonBlocksQuery } from './blocks.js';
import { itemOf, requirePerson } from './context.js';
import { isAttached } from './documents.js';
import { notificationView } from './notifications.js';
import type { GetCaseQuery, ListCasesQuery } from './requests.js';
import { isOfReachable } from './selection.js';
import type { Block, CaseState } from './state.js';
import { associationView, blockView, callView, caseView, entryId, escalationView, expandedView, snoozeView, timelineView } from './view.js';

/** `GET /cases`. */
export const listCases: QuerySpec<CaseState> = {
  kind: 'case',
  type: 'case.list',
  on: 'tenant',
  below: ({ query }) => ({ kind: 'person', target: textIn(query, 'personId') }),
  read: ({ query, request, env }) => listed(query ?? {}, request, env),
};

/** `GET /people/{personId}/cases`. */
export const listPersonCases: QuerySpec<CaseState, ListCasesQuery> = {
  kind: 'case',
  type: 'case.listOfPerson',
  on: 'tenant',
  below: ({ params }) => ({ kind: 'person', target: params['personId'] }),
  read({ query, request, env }) {
    const personId = must(request.params['personId'], 'the path names a person');
    return listed({ ...query, personId: borrowerNamed(env, personId) }, request, env);
  },
};

/** The service id of a borrower; refuses with 404 if there is none or it was deleted. */
function borrowerNamed(env: QueryEnv, anyId: string): string {
  const id = knownId(env, 'person', anyId);
  return id === undefined || (env.isHere(id) && !env.hasRow('person', id)) ? refuse('notFound', `There is no borrower ${anyId}.`) : id;
}

/** Filters and sorts by rows of the list index; only the cases of the page are read. */
async function listed(query: ListCasesQuery, request: QueryRequest, env: QueryEnv): Promise<ListResult> {
  refuseMixed(query);
  if (query.includeUnbound === true) refuseUnbound();
  const { limit = DEFAULT_LIMIT, offset, startingAfter, endingBefore, sortBy = [], expand = false } = query;
  const page = await env.listInSlices('case', {
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

/** Messages of unknown senders create interactions and tasks, never cases. */
const refuseUnbound = (): never =>
  refuse(
    'badRequest',
    '`includeUnbound` must be false: every case has a borrower. Messages of unknown senders: GET /interactions?personId=null.',
    {
      errors: [{ path: 'includeUnbound', expected: 'false or absent', message: 'there are no cases without a borrower' }],
    },
  );

type Filter = (row: CatalogRow) => boolean;

const NOBODY = '';

/** Cases are listed under borrower, loan, owner, team and supercase. The first of these that the query names is the list to read. */
function filterOf(query: ListCasesQuery, env: QueryEnv): Pick<ListRequest, 'parentId' | 'mayLeaveParent' | 'matches'> {
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
    // Last: each look is at another row.
    (row: CatalogRow) => isOfReachable(row, env),
  ];
  return {
    ...(parentId === undefined ? {} : { parentId }),
    // A case may get another owner or supercase, but no other borrower.
    ...(query.personId === undefined ? { mayLeaveParent: true } : {}),
    matches: (row) => filters.every((filter) => filter(row)),
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
    const { [`${field}After` as const]: after, [`${field}Before` as const]: before } = query;
    if (after !== undefined) filters.push(({ fields }) => Number(fields[field]) > millisecondsOf(after));
    if (before !== undefined) filters.push(({ fields }) => Number(fields[field]) < millisecondsUntil(before));
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

/** Sort keys that rows do not have: current names. */
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
    errors: [{ path: 'sortBy', expected, message: 'is not a field to sort by' }],
  });
}

/** Reads of one case and its parts. */

const onCase = <Query>(type: string, read: (context: QueryContext<CaseState, Query>) => unknown): QuerySpec<CaseState, Query> => ({
  kind: 'case',
  type,
  on: 'target',
  read(context) {
    requirePerson(context.state, context.request.params['personId'], context.env);
    return read(context);
  },
});

/** A list of parts of the case, the newest first. */
function listOf<Part>(type: string, { of, id, view }: ListedParts<Part>): QuerySpec<CaseState> {
  return onCase(type, ({ state, query, env }) => {
    const parts = of(state).map((part) => ({ id: id(part, state), part }));
    return pageOf(parts.reverse(), (query ?? {}) as PageQuery, ({ part }) => view(state, part, env));
  });
}

interface ListedParts<Part> {
  readonly of: (state: CaseState) => readonly Part[];
  readonly id: (part: Part, state: CaseState) => string;
  readonly view: (state: CaseState, part: Part, env: QueryEnv) => unknown;
}

const ownId = ({ id }: { readonly id: string }): string => id;

export const partQueries: readonly QuerySpec<CaseState>[] = [
  onCase('case.get', ({ state, query, request, env }) => {
    const { expand = false } = (query ?? {}) as GetCaseQuery;
    return expand ? expandedView(state, env, request.permissions) : caseView(state, env);
  }),
  listOf('case.timeline', { of: ({ timeline }) => timeline, id: ({ number }, { id }) => entryId(id, number), view: timelineView }),
  onCase('case.summary', ({ id }) => refuse('notFound', `There is no summary of the case ${id}.`)),
  listOf('caseAssociation.list', { of: ({ associations }) => associations, id: ({ objectId }) => objectId, view: associationView }),
  listOf('caseEscalation.list', { of: ({ escalations }) => escalations, id: ownId, view: escalationView }),
  listOf('scheduledCall.list', { of: ({ calls }) => calls, id: ownId, view: callView }),
  listOf('caseNotification.list', { of: ({ notifications }) => notifications, id: ownId, view: notificationView }),
  onCase('caseDocument.list', ({ id, state, query, request, env }) => {
    const person = personOf(env, state.personId);
    const maySee = isPermitted(request.permissions, 'document:read.sensitive');
    const readable = person.documents.filter(({ sensitiveData }) => maySee || !sensitiveData);
    return pageOf(
      matching(readable.reverse(), (document) => document.caseId === id || isAttached(state, document)),
      (query ?? {}) as PageQuery,
      (document) => documentView(person, document, env),
      ({ externalId }) => externalId,
    );
  }),
  onCase('caseSnooze.get', ({ id, state, env }) =>
    state.snooze ? snoozeView(state, state.snooze, env) : refuse('notFound', `The case ${id} is not snoozed.`),
  ),
  listOf('doNotInteract.list', { of: ({ blocks }) => blocks, id: ownId, view: blockView }),
  onCase('doNotInteract.get', ({ state, request }) =>
    blockView(state, itemOf(state.blocks, request.params['doNotInteractId'], 'Do Not Interact')),
  ),
  {
    kind: 'case',
    type: 'doNotInteract.listOfPerson',
    on: 'tenant',
    below: ({ params }) => ({ kind: 'person', target: params['personId'] }),
    read: ({ query, request, env }) => listOfPerson(query ?? {}, must(request.params['personId'], 'the path names a person'), env),
  },
];

/** The blocks of all cases of the borrower, the newest first. */
function listOfPerson({ activeOnly = false, ...page }: ListPersonBlocksQuery, anyId: string, env: QueryEnv): unknown {
  const personId = borrowerNamed(env, anyId);
  const ofBorrower = ({ parentId }: CatalogRow): boolean => parentId === personId;
  const found: { readonly id: string; readonly state: CaseState; readonly block: Block }[] = [];
  for (const { id } of env.list('case', { parentId: personId, matches: ofBorrower, limit: ALL_ROWS }).rows) {
    const state = must(env.stateOf<CaseState>('case', id), `the listed case ${id}`);
    for (const block of state.blocks) found.push({ id: block.id, state, block });
  }
  found.sort((a, b) => b.block.createdAt - a.block.createdAt);
  const wanted = matching(found, ({ block }) => isListed(block, activeOnly, env.now));
  return pageOf(wanted, page, ({ state, block }) => blockView(state, block));
}

const isListed = ({ status, endsAt }: Block, activeOnly: boolean, now: number): boolean =>
  !activeOnly || (status === 'active' && (endsAt === null || endsAt > now));
