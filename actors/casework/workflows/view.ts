import { must } from '../../../engine/index.js';
import { type CaseMoment, companyOf, holds, type ItemType, type StepType, workflowTypeOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import { actorView } from '../../kernel/actor-logic.js';
import {
  actorModule,
  type ActorModule,
  type CatalogRow,
  type EvolveEnv,
  type QueryEnv,
  type QuerySpec,
  type QueryOf,
} from '../../kernel/actor.js';
import { DEFAULT_LIMIT, refuseMixed } from '../../list-order.js';
import { dateTimeText, type ListResult, orNull } from '../../wire.js';
import { requirePerson } from '../cases/context.js';
import { momentOf } from '../cases/view.js';
import { type CaseState, isReachable } from '../cases/state.js';
import type { ListWorkflowsQuery, WorkflowItemView, WorkflowView } from './requests.js';
import { evolveWorkflow, newWorkflow, type WorkflowItem, workflowMachine, type WorkflowState } from './state.js';

/** A step with its type and progress, and whether it is hidden. */
export interface StepProgress {
  readonly id: string;
  readonly type: StepType;
  readonly isHidden: boolean;
  readonly isDone: boolean;
  readonly items: readonly ItemProgress[];
}

export interface ItemProgress {
  readonly item: WorkflowItem;
  readonly type: ItemType;
}

/** The steps in their order, by the version of the type with which the workflow began. */
export function progressOf(env: EvolveEnv, state: WorkflowState, moment: Pick<CaseMoment, 'field'>): readonly StepProgress[] {
  const company = companyOf(env, state.tenant);
  const { version } = must(
    workflowTypeOf(company, state.workflowTypeId, state.version),
    `the version that the workflow ${state.id} began with`,
  );
  const stepTypes = new Map(version.fields.steps.map((type) => [type.id, type]));
  const steps = state.steps.map(({ id, stepTypeId, items }): StepProgress => {
    const type = must(stepTypes.get(stepTypeId), `the step ${stepTypeId}`);
    const itemTypes = new Map(type.items.map((itemType) => [itemType.id, itemType]));
    const isHidden = !holds(type.onCondition, (name) => moment.field(name));
    const own = items.map((item): ItemProgress => ({ item, type: must(itemTypes.get(item.itemTypeId), `the item ${item.itemTypeId}`) }));
    return { id, type, isHidden, isDone: isHidden || own.every(isSettled), items: inOrder(own) };
  });
  return inOrder(steps);
}

const inOrder = <Part extends { readonly type: { readonly displayOrder: number } }>(parts: readonly Part[]): readonly Part[] =>
  [...parts].sort((one, other) => one.type.displayOrder - other.type.displayOrder);

/** Whether the item needs no more work. */
const isSettled = ({ item, type }: ItemProgress): boolean => item.status !== 'pending' || !type.required;

/** Whether all required items are done, with the items of one change applied. */
export const isFinished = (
  steps: readonly StepProgress[],
  changed: { readonly itemId: string; readonly status: WorkflowItem['status'] } | null,
): boolean => openRequired(steps, changed).length === 0;

/** Open required items, which prevent the completion of the case. Items of optional steps do not. */
export const openRequired = (
  steps: readonly StepProgress[],
  changed: { readonly itemId: string; readonly status: WorkflowItem['status'] } | null = null,
): readonly ItemProgress[] =>
  steps
    .filter(({ isHidden, type }) => !isHidden && type.required)
    .flatMap(({ items }) =>
      items.filter(
        (progress) =>
          !isSettled(progress.item.id === changed?.itemId ? { ...progress, item: { ...progress.item, status: changed.status } } : progress),
      ),
    );

/** The context to which the sealed text of an item is bound. */
export const itemContext = (itemId: string): string => `workflow.item/${itemId}`;

/** The workflow without hidden steps. */
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

const workflowQueries: readonly QuerySpec<WorkflowState>[] = [
  {
    kind: 'workflow',
    type: 'workflow.get',
    on: 'target',
    read: ({ id, state, env }) => shown(state, env) ?? refuse('notFound', `There is no workflow ${id}.`),
  },
  { kind: 'workflow', type: 'workflow.list', on: 'tenant', read: ({ query, env }: QueryOf<ListWorkflowsQuery>) => listed(query, env) },
];

/** Undefined if the case was deleted. */
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

/** Workflows, each on the shard of its case. Their commands are commands of the case. */
export const workflowModule: ActorModule = actorModule<WorkflowState>({
  definition: {
    kind: 'workflow',
    prefix: 'WF',
    initial: newWorkflow,
    evolve: evolveWorkflow,
    clone: (state) => ({ ...state }),
    row: rowOf,
    pack: (state) => state,
    unpack: (packed: WorkflowState) => packed,
    lifecycle: { machine: workflowMachine, at: ({ status }) => ({ value: status }) },
  },
  commands: [],
  queries: workflowQueries,
});

function rowOf({ id, caseId, createdStamp, updatedStamp, status, workflowTypeId, isHidden = false }: WorkflowState): CatalogRow | null {
  return createdStamp === 0 || isHidden
    ? null
    : { id, externalId: null, createdStamp, updatedStamp, parentId: caseId, fields: { status, workflowTypeId } };
}
