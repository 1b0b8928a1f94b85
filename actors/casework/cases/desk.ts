import type { CaseStatus, TaskType } from '../../company/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { isTaken, type NewTask, openTasksCanceled, taskForCase } from '../tasks/creation.js';
import { workflowCanceled, workflowCreated, workflowResumed } from '../workflows/starting.js';
import { isActive } from './machine.js';
import type { CaseState, EscalationTarget } from './state.js';

/*
 * What a case gives to the desk: tasks for agents, and the workflow by which it is worked. All of it lies
 * beside the borrower, so that it is recorded together with what the case itself does.
 */

type CaseOfDesk = Pick<
  CaseState,
  'id' | 'personId' | 'caseType' | 'caseTypeId' | 'autoCreated' | 'supercaseId' | 'owningEmployeeId' | 'owningTeamId'
>;

/** A task that goes to whoever owns the case, and to others where the owner is away or there is none. */
const reviewBy = ({ owningEmployeeId, owningTeamId }: CaseOfDesk): NonNullable<NewTask['target']> => ({
  preferredEmployeeId: owningEmployeeId,
  teamId: owningEmployeeId === null ? owningTeamId : null,
});

function task(env: DecideEnv, state: CaseOfDesk, asked: NewTask): readonly FactDraft[] {
  const made = taskForCase(env, state.id, state, asked);
  return made === null ? [] : [made];
}

/** A case that nobody made by hand is looked at; those of a supercase come by the thousand and are worked together. */
export const reviewOfNew = (env: DecideEnv, state: CaseOfDesk): readonly FactDraft[] =>
  state.autoCreated && state.supercaseId === null ? task(env, state, { taskType: 'reviewAutoCreatedCase', target: reviewBy(state) }) : [];

/** What a source outside has told anew of a case. */
export const reviewOfChanged = (env: DecideEnv, state: CaseState): readonly FactDraft[] =>
  task(env, state, { taskType: 'reviewAutoUpdatedCase', target: reviewBy(state) });

/** What the borrower has uploaded for a case; further uploads belong to the review that is open. */
export const reviewOfUpload = (env: DecideEnv, state: CaseState, documentId: string): readonly FactDraft[] =>
  task(env, state, { taskType: 'reviewDocumentUpload', documentId, target: reviewBy(state) });

export const reviewOfSnoozed = (env: DecideEnv, state: CaseState): readonly FactDraft[] =>
  task(env, state, { taskType: 'reviewSnoozedCase', target: reviewBy(state) });

export const callToMake = (env: DecideEnv, state: CaseState, scheduledCallId: string): readonly FactDraft[] =>
  task(env, state, { taskType: 'makeScheduledCall', target: reviewBy(state), attributes: { scheduledCallId } });

/** `keyDates`: the fields that name the day; none of a reminder. */
export const reviewTask = (env: DecideEnv, state: CaseState, keyDates: readonly string[]): readonly FactDraft[] =>
  task(env, state, { taskType: 'smartReviewCase', target: reviewBy(state), attributes: keyDates.length === 0 ? {} : { keyDates } });

/** By target and urgency. */
const ESCALATION_TASKS = {
  agent: ['reviewEscalatedCaseAgent', 'reviewEscalatedCaseAgentUrgent'],
  team: ['reviewEscalatedCaseTeam', 'reviewEscalatedCaseTeamUrgent'],
} as const satisfies Readonly<Record<EscalationTarget['targetType'], readonly TaskType[]>>;

const OF_ESCALATIONS: ReadonlySet<string> = new Set(Object.values(ESCALATION_TASKS).flat());

const isOfEscalation = (taskType: TaskType): boolean => OF_ESCALATIONS.has(taskType);

/** The task of an escalation, in place of one that it had; none where it is over. */
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

/** The workflow of a new case whose type has one. */
export function workflowOfNew(env: DecideEnv, { id, personId }: CaseOfDesk, workflowTypeId: string | null): readonly FactDraft[] {
  const created = workflowTypeId === null ? null : workflowCreated(env, { caseId: id, personId, workflowTypeId });
  return created === null ? [] : [created.fact, { type: 'CaseWorkflowStarted', body: { workflowId: created.id } }];
}

/** What follows when a case moves: its end ends tasks and workflow, its reopening resumes the workflow. */
export function deskAfterMove(env: DecideEnv, state: CaseState, status: CaseStatus): readonly FactDraft[] {
  if (!isActive(status)) return [...openTasksCanceled(env, state.id, `case ${status}`), ...workflowCanceled(env, state)];
  return status === 'reopened' ? workflowResumed(env, state) : [];
}

/** The same for a case that is deleted. */
export const deskAfterDelete = (env: DecideEnv, state: CaseState): readonly FactDraft[] => [
  ...openTasksCanceled(env, state.id, 'case deleted'),
  ...workflowCanceled(env, state),
];
