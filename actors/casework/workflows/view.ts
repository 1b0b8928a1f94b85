import { must } from '../../../engine/index.js';
import { momentOf } from '../cases/fields/moment.js';
import type { CaseState } from '../cases/state.js';
import { companyOf, workflowTypeOf } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { actorView } from '../../kernel/actor-view.js';
import { dateTimeText, orNull } from '../../wire.js';
import { type ItemProgress, progressOf } from './progress.js';
import type { WorkflowItemView, WorkflowView } from './requests.js';
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
