import { must } from '../../../engine/index.js';
import { requirePerson } from '../cases/context.js';
import { type CaseState, isReachable } from '../cases/state.js';
import { refuse } from '../../errors.js';
import { DEFAULT_LIMIT, refuseMixed } from '../../page.js';
import type { CatalogRow, QueryEnv, QuerySpec } from '../../kernel/actor.js';
import type { ListResult } from '../../wire.js';
import type { ListWorkflowsQuery, WorkflowView } from './requests.js';
import type { WorkflowState } from './state.js';
import { workflowView } from './view.js';

/** `GET …/cases/{caseId}/workflow` */
export const workflowOfCase: QuerySpec<CaseState> = {
  kind: 'case',
  type: 'workflow.getOfCase',
  on: 'target',
  read({ state, request, env }) {
    requirePerson(state, request.params['personId'], env);
    const { workflowId } = state;
    const workflow = workflowId === null ? undefined : env.stateOf<WorkflowState>('workflow', workflowId);
    return workflow ? workflowView(workflow, state, env) : refuse('notFound', `The case ${state.id} has no workflow.`);
  },
};

export const workflowQueries: readonly QuerySpec<WorkflowState>[] = [
  {
    kind: 'workflow',
    type: 'workflow.get',
    on: 'target',
    read: ({ id, state, env }) => shown(state, env) ?? refuse('notFound', `There is no workflow ${id}.`),
  },
  { kind: 'workflow', type: 'workflow.list', on: 'tenant', read: ({ query, env }) => listed(query as ListWorkflowsQuery, env) },
];

/** Undefined where its case was deleted. */
function shown(state: WorkflowState, env: QueryEnv): WorkflowView | undefined {
  const ofCase = must(env.stateOf<CaseState>('case', state.caseId), `the case of ${state.id}`);
  return isReachable(ofCase) ? workflowView(state, ofCase, env) : undefined;
}

function listed({ status, workflowTypeId, limit = DEFAULT_LIMIT, ...cursor }: ListWorkflowsQuery, env: QueryEnv): ListResult {
  refuseMixed(cursor);
  const matches = ({ fields }: CatalogRow): boolean =>
    (status === undefined || fields['status'] === status) && (workflowTypeId === undefined || fields['workflowTypeId'] === workflowTypeId);
  const page = env.list('workflow', { matches, limit, ...cursor });
  const items = page.rows.flatMap(
    ({ id }) => shown(must(env.stateOf<WorkflowState>('workflow', id), `the listed workflow ${id}`), env) ?? [],
  );
  return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
}
