import { beside, BLOCKED_STATUS, failedSend, refusalOf, type SendFailure } from '../../contact/index.js';
import { onCase } from '../cases/context.js';
import { momentOf } from '../cases/fields/moment.js';
import type { CaseState } from '../cases/state.js';
import { refuse, refuseProperty } from '../../errors.js';
import { noteBeside } from '../notes/index.js';
import type { CommandContext, Decision, DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { fieldWritten } from './case-field.js';
import type { WorkflowFacts } from './facts.js';
import { WORKFLOW_CHART } from './machine.js';
import { messageOfItem } from './message.js';
import { isFinished, type ItemProgress, progressOf } from './progress.js';
import type { StartWorkflowRequest, UpdateWorkflowItemRequest } from './requests.js';
import { workflowCreated, workflowOf } from './starting.js';
import type { WorkflowItem, WorkflowState } from './state.js';
import { checkValue, isSealed } from './values.js';
import { itemContext, workflowView } from './view.js';

type Context = CommandContext<CaseState>;

/** `POST …/workflow`: another one only when the one before is over. */
export const startWorkflow = onCase('workflow.start', 'work', (context) => {
  const { state, body, env } = context;
  const before = workflowOf(env, state);
  if (before && before.status !== 'completed' && before.status !== 'canceled')
    refuse('duplicate', `The case has a workflow already: ${before.id}.`);
  const { workflowTypeId } = body as StartWorkflowRequest;
  const created =
    workflowCreated(env, { caseId: state.id, personId: state.personId, workflowTypeId }) ??
    refuseProperty('workflowTypeId', 'the id of an active workflow type', `There is no active workflow type ${workflowTypeId}.`);
  return shown(context, created.id, [created.fact, { type: 'CaseWorkflowStarted', body: { workflowId: created.id } }]);
});

/** `PUT …/workflow/items/{itemId}`: complete, skip or reopen. */
export const moveWorkflowItem = onCase('workflow.moveItem', 'work', (context) => {
  const { state, body, env, command } = context;
  const workflow = workflowOf(env, state) ?? refuse('notFound', `The case ${state.id} has no workflow.`);
  if (!WORKFLOW_CHART.allows(workflow.status, 'work')) refuse('invalidState', `The workflow ${workflow.id} is ${workflow.status}.`);
  const steps = progressOf(env, workflow, momentOf(state, env));
  const itemId = command.params['itemId'] ?? '';
  const step = steps.find(({ items }) => items.some(({ item }) => item.id === itemId));
  const progress = step?.items.find(({ item }) => item.id === itemId);
  if (!step || !progress || step.isHidden) return refuse('notFound', `The workflow ${workflow.id} has no item ${itemId}.`);
  const { status, value } = body as UpdateWorkflowItemRequest;
  if (status === 'skipped' && progress.type.required)
    refuseProperty('status', 'completed or pending', 'An item that is required is not skipped.');
  const completion = status === 'completed' ? completed(context, workflow, progress, value) : NOTHING_DONE;
  if (completion.failure) return stopped(completion.facts, completion.failure);
  const moved: WorkflowFacts['WorkflowItemMoved'] = {
    itemId,
    status,
    value: completion.value,
    move: isFinished(steps, { itemId, status }) ? 'finish' : 'work',
  };
  return shown(context, workflow.id, [
    ...completion.facts,
    { type: 'WorkflowItemMoved', body: moved, target: { kind: 'workflow', id: workflow.id } },
    { type: 'CaseWorkflowMoved', body: { itemId, status } },
  ]);
});

/** What the completion of an item leaves in it, and what else it does. */
interface Completion {
  readonly value: WorkflowItem['value'];
  readonly facts: readonly FactDraft[];
  /** Why its message went nowhere: the item stays as it is. */
  readonly failure?: SendFailure | null;
}

const NOTHING_DONE: Completion = { value: null, facts: [] };

function completed(
  context: Context,
  workflow: WorkflowState,
  { item, type }: ItemProgress,
  value: UpdateWorkflowItemRequest['value'],
): Completion {
  const { env, state } = context;
  checkValue(type, value);
  const text = String(value ?? '');
  const kept = isSealed(type) ? env.seal(workflow.personId, text, itemContext(item.id)) : type.kind === 'checkbox' ? true : text;
  switch (type.kind) {
    case 'caseField':
      return { value: null, facts: fieldWritten(context, type.fieldName ?? '', value) };
    case 'note':
      return { value: kept, facts: [noteBeside(env, { personId: state.personId, caseId: state.id, content: text })] };
    case 'sendMessage': {
      const sent = messageOfItem(env, state, type);
      return { value: sent.interactionId, facts: beside(sent), failure: sent.failure };
    }
    case 'checkbox':
    case 'choice':
    case 'date':
    case 'document':
    case 'setOutcome':
    case 'text':
      return { value: kept, facts: [] };
  }
}

/** What is recorded of a message that was stopped stays, as with any send (communications 1.3). */
function stopped(facts: readonly FactDraft[], failure: SendFailure): Decision<CaseState> {
  const data = failedSend(failure);
  if (facts.length === 0) throw refusalOf(data);
  return { facts, reply: () => ({ status: BLOCKED_STATUS, data, message: data.message }) };
}

function shown({ env, state: { personId } }: Context, workflowId: string, facts: readonly FactDraft[]): Decision<CaseState> {
  return { facts, reply: (after) => ({ data: workflowView(readWorkflow(env, workflowId), after, env), sealedFor: personId }) };
}

const readWorkflow = (env: DecideEnv, id: string): WorkflowState =>
  env.read<WorkflowState>('workflow', id) ?? refuse('notFound', `There is no workflow ${id}.`);
