import type { CaseStatus, TaskType } from '../../company/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { isTaken, type NewTask, openTasksCanceled, taskForCase } from '../tasks/creation.js';
import type { TaskState } from '../tasks/state.js';
import { workflowCanceled, workflowCreated, workflowResumed, workflowsHidden } from '../workflows/of-case.js';
import { isActive } from './machine.js';
import type { CaseState, EscalationTarget } from './state.js';

/*
 * The work of agents on a case: tasks, and the workflow. Both are on the borrower's shard, so that their facts are recorded
 * in one batch with those of the case.
 */

type CaseToWork = Pick<
  CaseState,
  'id' | 'personId' | 'caseType' | 'caseTypeId' | 'autoCreated' | 'supercaseId' | 'owningEmployeeId' | 'owningTeamId'
>;

/** The target of a task: the owner of the case, or others if the owner is absent or there is none. */
const reviewBy = ({ owningEmployeeId, owningTeamId }: CaseToWork): NonNullable<NewTask['target']> => ({
  preferredEmployeeId: owningEmployeeId,
  teamId: owningEmployeeId === null ? owningTeamId : null,
});

function task(env: DecideEnv, state: CaseToWork, asked: NewTask): readonly FactDraft[] {
  const made = taskForCase(env, state.id, state, asked);
  return made === null ? [] : [made];
}

/** A case that was created automatically is reviewed, except subcases: there may be thousands, and they are worked in bulk. */
export const reviewOfNew = (env: DecideEnv, state: CaseToWork): readonly FactDraft[] =>
  state.autoCreated && state.supercaseId === null ? task(env, state, { taskType: 'reviewAutoCreatedCase', target: reviewBy(state) }) : [];

/** The review of a case that an external source has changed. */
export const reviewOfChanged = (env: DecideEnv, state: CaseState): readonly FactDraft[] =>
  task(env, state, { taskType: 'reviewAutoUpdatedCase', target: reviewBy(state) });

/** The review of a document that the borrower has uploaded. While it is open, further uploads belong to it. */
export const reviewOfUpload = (env: DecideEnv, state: CaseState, documentId: string): readonly FactDraft[] =>
  task(env, state, { taskType: 'reviewDocumentUpload', documentId, target: reviewBy(state) });

export const reviewOfSnoozed = (env: DecideEnv, state: CaseState): readonly FactDraft[] =>
  task(env, state, { taskType: 'reviewSnoozedCase', target: reviewBy(state) });

/** Each call has a task of its own, unless an agent already works on one for it. */
export function callToMake(env: DecideEnv, state: CaseState, scheduledCallId: string): readonly FactDraft[] {
  const asked: NewTask = { taskType: 'makeScheduledCall', target: reviewBy(state), attributes: { scheduledCallId } };
  const made = taskForCase(env, state.id, state, asked, (row) => isTaken(row) && isTaskOfCall(env, row.id, scheduledCallId));
  return made === null ? [] : [made];
}

/** Ends the task of a call that is canceled or moved. A task that an agent works on is left to that agent. */
export const callTaskCanceled = (env: DecideEnv, { id }: CaseState, scheduledCallId: string): readonly FactDraft[] =>
  openTasksCanceled(env, id, 'scheduledCallChanged', (taskType) => taskType === 'makeScheduledCall').filter(
    ({ target }) => target !== undefined && isTaskOfCall(env, target.id, scheduledCallId),
  );

const isTaskOfCall = (env: DecideEnv, taskId: string, scheduledCallId: string): boolean =>
  env.read<TaskState>('task', taskId)?.attributes?.['scheduledCallId'] === scheduledCallId;

/** `keyDates`: the fields whose dates fall on the day; empty for a reminder. */
export const reviewTask = (env: DecideEnv, state: CaseState, keyDates: readonly string[]): readonly FactDraft[] =>
  task(env, state, { taskType: 'smartReviewCase', target: reviewBy(state), attributes: keyDates.length === 0 ? {} : { keyDates } });

/** Kinds of tasks by target and urgency. */
const ESCALATION_TASKS = {
  agent: ['reviewEscalatedCaseAgent', 'reviewEscalatedCaseAgentUrgent'],
  team: ['reviewEscalatedCaseTeam', 'reviewEscalatedCaseTeamUrgent'],
} as const satisfies Readonly<Record<EscalationTarget['targetType'], readonly TaskType[]>>;

const OF_ESCALATIONS: ReadonlySet<string> = new Set(Object.values(ESCALATION_TASKS).flat());

const isOfEscalation = (taskType: TaskType): boolean => OF_ESCALATIONS.has(taskType);

/** Replaces the task of an escalation; if the escalation is over (`target` null), only ends it. */
export function escalationTask(
  env: DecideEnv,
  state: CaseState,
  escalationId: string,
  target: EscalationTarget | null,
): readonly FactDraft[] {
  const ended = openTasksCanceled(env, state.id, 'escalationChanged', isOfEscalation);
  if (target === null) return ended;
  const { targetType, isUrgent, employeeId, teamId } = target;
  const made = taskForCase(
    env,
    state.id,
    state,
    { taskType: ESCALATION_TASKS[targetType][isUrgent ? 1 : 0], target: { employeeId, teamId }, attributes: { escalationId } },
    isTaken,
  );
  return made === null ? ended : [...ended, made];
}

/** The workflow of a new case, if its type has one. */
export function workflowOfNew(env: DecideEnv, { id, personId }: CaseToWork, workflowTypeId: string | null): readonly FactDraft[] {
  const created = workflowTypeId === null ? null : workflowCreated(env, { caseId: id, personId, workflowTypeId });
  return created === null ? [] : [created.fact, { type: 'CaseWorkflowStarted', body: { workflowId: created.id } }];
}

/** Work after a move of the case: closing it ends tasks and workflow, reopening it resumes the workflow. */
export function workAfterMove(env: DecideEnv, state: CaseState, status: CaseStatus): readonly FactDraft[] {
  if (!isActive(status)) return [...openTasksCanceled(env, state.id, `case ${status}`), ...workflowCanceled(env, state)];
  return status === 'reopened' ? workflowResumed(env, state) : [];
}

/** Work after a case was deleted: tasks and workflow end. */
export const workAfterDelete = (env: DecideEnv, state: CaseState): readonly FactDraft[] => [
  ...openTasksCanceled(env, state.id, 'case deleted'),
  ...workflowCanceled(env, state),
  ...workflowsHidden(env, state),
];
