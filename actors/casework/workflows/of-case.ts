import { momentOf } from '../cases/view.js';
import type { CaseState } from '../cases/state.js';
import { companyOf, workflowTypeOf } from '../../company/index.js';
import { isPermitted } from '../../permission.js';
import { refuse } from '../../errors.js';
import { ALL_ROWS, type CommandRequest, type DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { WORKFLOW_CHART, type WorkflowFacts, type WorkflowState } from './state.js';
import { openRequired, progressOf } from './view.js';

/*
 * The workflow of a case begins with the case, prevents its completion while required items are open, ends with the case and
 * resumes when the case is reopened.
 */

const targeted = <Type extends keyof WorkflowFacts>(id: string, type: Type, body: WorkflowFacts[Type]): FactDraft => ({
  type,
  body,
  target: { kind: 'workflow', id },
});

/** The fact of a new workflow by the active version of a type; null if the type has no active version. */
export function workflowCreated(
  env: DecideEnv,
  of: Pick<WorkflowState, 'caseId' | 'personId' | 'workflowTypeId'>,
): { readonly id: string; readonly fact: FactDraft } | null {
  const found = workflowTypeOf(companyOf(env, env.tenant), of.workflowTypeId);
  if (!found) return null;
  const {
    id: workflowTypeId,
    version: { version, fields },
  } = found;
  const id = env.newId('WF');
  const steps = fields.steps.map((step) => ({
    id: env.newId('WS'),
    stepTypeId: step.id,
    items: step.items.map((item) => ({ id: env.newId('WI'), itemTypeId: item.id })),
  }));
  return { id, fact: targeted(id, 'WorkflowCreated', { ...of, workflowTypeId, version, steps }) };
}

export const workflowOf = (env: DecideEnv, { workflowId }: Pick<CaseState, 'workflowId'>): WorkflowState | undefined =>
  workflowId === null ? undefined : env.read<WorkflowState>('workflow', workflowId);

/** Ends the open workflow of a case that ends. */
export function workflowCanceled(env: DecideEnv, state: CaseState): readonly FactDraft[] {
  const workflow = workflowOf(env, state);
  return workflow && WORKFLOW_CHART.allows(workflow.status, 'cancel') ? [targeted(workflow.id, 'WorkflowCanceled', {})] : [];
}

/** Leaves all workflows of a case that is deleted out of lists. */
export function workflowsHidden(env: DecideEnv, { id: caseId }: Pick<CaseState, 'id'>): readonly FactDraft[] {
  const { rows } = env.list('workflow', { parentId: caseId, matches: ({ parentId }) => parentId === caseId, limit: ALL_ROWS });
  return rows.map(({ id }) => targeted(id, 'WorkflowHidden', {}));
}

/** Resumes the workflow of a reopened case. */
export function workflowResumed(env: DecideEnv, state: CaseState): readonly FactDraft[] {
  const workflow = workflowOf(env, state);
  return workflow?.status === 'canceled' ? [targeted(workflow.id, 'WorkflowResumed', {})] : [];
}

const FORCE = 'case:update.force';

/** Refuses with 409 to complete a case with open required items, unless forced. */
export function requireWorkflowDone(
  env: DecideEnv,
  after: CaseState,
  isForced: boolean,
  { permissions }: Pick<CommandRequest, 'permissions'>,
): void {
  const workflow = workflowOf(env, after);
  const open = workflow ? openRequired(progressOf(env, workflow, momentOf(after, env))) : [];
  if (open.length === 0) return;
  if (isForced)
    return isPermitted(permissions, FORCE)
      ? undefined
      : refuse('permissionDenied', `To force the completion of a case you need the permission ${FORCE}.`, { extra: { permission: FORCE } });
  refuse(
    'invalidState',
    `The workflow ${workflow?.id ?? ''} has open items: ${open.map(({ item }) => item.id).join(', ')}. Complete them first.`,
  );
}
