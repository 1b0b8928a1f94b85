import type { CaseStatus } from '../../company/index.js';
import { type CaseState, caseView, isOfReachable, type SubcaseFilter } from '../cases/index.js';
import { refuse } from '../../errors.js';
import { matching, pageOf, type PageQuery } from '../../list-order.js';
import type { CatalogRow, QueryContext, QueryEnv, QuerySpec } from '../../kernel/actor.js';
import { listedActors } from '../../kernel/lists/listed-actors.js';
import type { ListResult } from '../../wire.js';
import { populationOf, type SupercaseState } from './state.js';
import { type MemberState, memberView } from './members.js';
import { bulkView, countMembers, populationView, supercaseOf, supercaseView } from './views.js';
import type { ListMembersQuery, ListPopulationsQuery, ListSubcasesQuery, ListSupercasesQuery } from './requests.js';

const STATUSES: readonly CaseStatus[] = ['initiated', 'processing', 'completed', 'canceled', 'reopened'];

const onSupercase = <Query>(
  type: string,
  read: (context: QueryContext<SupercaseState, Query>) => unknown,
): QuerySpec<SupercaseState, Query> => ({
  kind: 'supercase',
  type,
  on: 'target',
  read,
});

/** Reads of supercases, on the shared shard. */
export const supercaseQueries: readonly QuerySpec<SupercaseState>[] = [
  onSupercase('supercase.get', ({ state, env }) => ({
    ...supercaseView(state),
    memberCount: state.populations.reduce((sum, { id }) => sum + countMembers(env, id), 0),
    subcaseCounts: Object.fromEntries(
      STATUSES.map((status) => [status, env.count({ kind: 'case', filter: { supercaseId: state.id, status } satisfies SubcaseFilter })]),
    ),
  })),
  {
    kind: 'supercase',
    type: 'supercase.list',
    on: 'tenant',
    read: ({ query, env }) => listSupercases(query ?? {}, env),
  },
  onSupercase('supercasePopulation.list', ({ state, query, env }) => {
    const { isDraft, ...page } = (query ?? {}) as ListPopulationsQuery;
    const wanted = matching(state.populations.toReversed(), (population) => isDraft === undefined || population.isDraft === isDraft);
    return pageOf(wanted, page, (population) => populationView(state, population, countMembers(env, population.id)));
  }),
  onSupercase('supercasePopulation.get', ({ state, request, env }) => {
    const population = populationOf(state, request.params['populationId']);
    return populationView(state, population, countMembers(env, population.id));
  }),
  onSupercase('supercaseBulk.list', ({ state, query }) =>
    pageOf([...state.operations].reverse(), (query ?? {}) as PageQuery, (operation) => bulkView(state, operation)),
  ),
  onSupercase('supercaseBulk.get', ({ state, request }) => {
    const id = request.params['operationId'];
    return bulkView(
      state,
      state.operations.find((operation) => operation.id === id) ??
        refuse('notFound', `The supercase ${state.id} has no bulk operation ${id}.`),
    );
  }),
];

function listSupercases({ status, supercaseType, ...page }: ListSupercasesQuery, env: QueryEnv): ListResult {
  const matches = ({ fields }: CatalogRow): boolean =>
    (status === undefined || fields['status'] === status) && (supercaseType === undefined || fields['supercaseType'] === supercaseType);
  return listedActors(env, 'supercase', { ...page, matches }, (state: SupercaseState) => supercaseView(state));
}

/** Reads on the shards of borrowers: members and subcases of a supercase. */
export const memberQueries: readonly QuerySpec<MemberState>[] = [
  {
    kind: 'supercaseMember',
    type: 'supercaseMember.list',
    on: 'tenant',
    read({ query, request, env }) {
      const { status, ...page } = (query ?? {}) as ListMembersQuery;
      const { id } = populationOf(supercaseOf(env, request.params['supercaseId'] ?? ''), request.params['populationId']);
      const matches = ({ fields }: CatalogRow): boolean =>
        fields['populationId'] === id && (status === undefined || fields['status'] === status);
      return listedActors(env, 'supercaseMember', { ...page, parentId: id, matches }, memberView);
    },
  },
  {
    kind: 'supercaseMember',
    type: 'supercaseMember.listSubcases',
    on: 'tenant',
    read({ query, request, env }) {
      const { status, populationId, ...page } = (query ?? {}) as ListSubcasesQuery;
      const { id } = supercaseOf(env, request.params['supercaseId'] ?? '');
      const matches = (row: CatalogRow): boolean =>
        row.fields['supercaseId'] === id && (status === undefined || row.fields['status'] === status) && isOfReachable(row, env);
      return listedActors(env, 'case', { ...page, parentId: populationId ?? id, mayLeaveParent: true, matches }, (state: CaseState) =>
        caseView(state, env),
      );
    },
  },
];
