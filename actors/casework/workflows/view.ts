import { must } from '../../../engine/index.js';
import { companyOf, workflowTypeOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import { actorView } from '../../kernel/actor-view.js';
import type { CatalogRow, EvolveEnv, QueryEnv, QuerySpec } from '../../kernel/actor.js';
import { DEFAULT_LIMIT, refuseMixed } from '../../page.js';
import { dateTimeText, type ListResult, orNull } from '../../wire.js';
import { requirePerson } from '../cases/context.js';
import { momentOf } from '../cases/fields/moment.js';
import { type CaseState, isReachable } from '../cases/state.js';
import { type ItemProgress, progressOf } from './progress.js';
import type { ListWorkflowsQuery, WorkflowItemView, WorkflowView } from './requests.js';
import type { WorkflowState } from './state.js';

/** What the sealed text of an item is bound to. */
export const itemContext = (itemId: string): string => `workflow.item/${itemId}`;

/** Without the steps that the case hides. */
export function workflowView(state: WorkflowState, ofCase: CaseState, env: EvolveEnv): WorkflowView {
  const moment = momentOf(ofCase, env);
  const steps = progressOf(env, state, moment).filter(({ isHidden }) => !isHidden);
  const { version } = must(workflowTypeOf(companyOf(env, state.tenant), state.workflowTypeId, state.version), 'the version of a workflow');
  const itemView = (progress: ItemProgress): WorkflowItemView => {
    const { item, type } = progress;
    return {
      id: item.id,
      itemTypeId: item.itemTypeId,
      name: type.name,
      kind: type.kind,
      required: type.required,
      status: item.status,
      value:
        type.kind === 'caseField' && item.status === 'completed'
          ? shownField(moment.field(type.fieldName ?? ''))
          : valueShown(state, progress, env),
      completedAt: orNull(dateTimeText, item.completedAt),
      completedBy: orNull(actorView, item.completedBy),
    };
  };
  const items = steps.flatMap((step) => step.items);
  const proposed = items.find(({ item, type }) => type.kind === 'setOutcome' && item.status === 'completed');
  return {
    id: state.id,
    object: 'workflow',
    companyId: state.tenant.company,
    workflowTypeId: state.workflowTypeId,
    version: state.version,
    name: version.name,
    caseId: state.caseId,
    personId: state.personId,
    status: state.status,
    proposedOutcome: typeof proposed?.item.value === 'string' ? proposed.item.value : null,
    steps: steps.map(({ id, type, isDone, items: own }) => ({
      id,
      stepTypeId: type.id,
      name: type.name,
      required: type.required,
      status: isDone ? 'completed' : 'pending',
      items: own.map(itemView),
    })),
    startedAt: orNull(dateTimeText, state.startedAt),
    completedAt: orNull(dateTimeText, state.completedAt),
    createdAt: dateTimeText(state.createdAt),
    updatedAt: orNull(dateTimeText, state.updatedAt),
    deletedAt: null,
  };
}

function valueShown({ personId }: WorkflowState, { item }: ItemProgress, env: EvolveEnv): string | boolean | null {
  const { value } = item;
  return value instanceof Uint8Array ? (env.open(personId, value, itemContext(item.id)) ?? null) : value;
}

const shownField = (value: unknown): string | number | boolean | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;

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
