import type { TaskType } from '../company/index.js';
import { refuse } from '../errors.js';
import type { DecideEnv } from '../runtime/actor.js';
import type { FactDraft } from '../runtime/fact.js';
import type { TaskFacts } from './facts.js';
import { NO_SUBJECT, NO_TARGET, type TaskSubject, type TaskTarget, type TaskTraits } from './state.js';

/** A task to be made. */
export interface NewTask extends Partial<TaskSubject> {
  readonly taskType: TaskType;
  readonly priority?: number;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly target?: Partial<TaskTarget>;
}

/** What of a case a task asks. */
export interface CaseOfTask {
  readonly personId: string | null;
  readonly caseType: string;
  readonly caseTypeId: string | null;
  readonly autoCreated: boolean;
  readonly supercaseId: string | null;
}

/** Tasks that whoever waits for an answer should not wait for long. */
const PRIORITIES: Readonly<Partial<Record<TaskType, number>>> = {
  answerInboundVoiceCall: 100,
  replyToNewWebChat: 80,
  makeScheduledCall: 60,
  reviewEscalatedCaseAgentUrgent: 50,
  reviewEscalatedCaseTeamUrgent: 50,
  replyToNewText: 40,
  replyToNewConvo: 40,
  reviewEscalatedCaseAgent: 20,
  reviewEscalatedCaseTeam: 20,
};

const USUAL_PRIORITY = 10;

/** The fact of a task for a case that has none of its kind; null where it has one. For the actors that make tasks by themselves. */
export function taskForCase(env: DecideEnv, caseId: string, of: CaseOfTask, task: NewTask): FactDraft | null {
  if (openTaskOf(env, caseId, task.taskType) !== undefined) return null;
  const id = env.newId('TK');
  return { ...taskCreated(env, { ...task, personId: of.personId, caseId, supercaseId: of.supercaseId }, traitsOf(of)), target: { kind: 'task', id } };
}

export function taskCreated(env: DecideEnv, task: NewTask, traits: TaskTraits = {}): FactDraft {
  const { taskType, priority = PRIORITIES[taskType] ?? USUAL_PRIORITY, attributes = {}, target = {}, ...subject } = task;
  if (subject.interactionId != null) refuseSecond(env, subject.interactionId, taskType);
  const body: TaskFacts['TaskCreated'] = { ...NO_SUBJECT, ...subject, taskType, priority, attributes, traits, target: { ...NO_TARGET, ...target } };
  return { type: 'TaskCreated', body };
}

/** What pairing asks of a case. */
export const traitsOf = ({ caseType, caseTypeId, autoCreated }: CaseOfTask): TaskTraits =>
  ({ 'case.caseType': caseType, 'case.caseTypeId': caseTypeId, 'case.autoCreated': autoCreated });

/** One open task of a kind for a case or interaction (cases 12). */
export function refuseSecond(env: DecideEnv, parentId: string, taskType: TaskType): void {
  const open = openTaskOf(env, parentId, taskType);
  if (open !== undefined) refuse('duplicate', `The task ${open} is the same and still open.`);
}

const openTaskOf = (env: DecideEnv, parentId: string, taskType: TaskType): string | undefined =>
  env.list('task', { parentId, matches: ({ fields }) => fields['isOpen'] === true && fields['taskType'] === taskType, limit: 1 }).rows[0]?.id;

/** Facts that end the tasks of a case with it; one that somebody has is that worker's to complete. */
export const openTasksCanceled = (env: DecideEnv, caseId: string, reason: string): readonly FactDraft[] =>
  env.list('task', { parentId: caseId, matches: ({ fields }) => fields['status'] === 'pending' || fields['status'] === 'reserved', limit: Number.MAX_SAFE_INTEGER })
    .rows.map(({ id }): FactDraft => ({ type: 'TaskCanceled', body: { reason } satisfies TaskFacts['TaskCanceled'], target: { kind: 'task', id } }));
