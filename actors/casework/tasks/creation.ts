import type { TaskType } from '../../company/index.js';
import { rowFieldsOf } from '../../kernel/erased.js';
import { refuse } from '../../errors.js';
import { ALL_ROWS, type CatalogRow, type DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { NO_SUBJECT, NO_TARGET, type RowFields, type TaskFacts, type TaskSubject, type TaskTarget, type TaskTraits } from './state.js';

/** A task to be created. */
export interface NewTask extends Partial<TaskSubject> {
  readonly taskType: TaskType;
  readonly priority?: number;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly target?: Partial<TaskTarget>;
}

/** The fields of a case that a task needs. */
export interface CaseOfTask {
  readonly personId: string | null;
  readonly caseType: string;
  readonly caseTypeId: string | null;
  readonly autoCreated: boolean;
  readonly supercaseId: string | null;
}

/** Priorities of tasks: higher if a borrower waits for an answer. */
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

const PREFIX = 'TK';

/** The fact of a task for a case; null if the case has an open task of this kind. For tasks that other actors create automatically. */
export function taskForCase(
  env: DecideEnv,
  caseId: string,
  of: CaseOfTask,
  task: NewTask,
  isInTheWay: (row: CatalogRow) => boolean = isStillOpen,
): FactDraft | null {
  if (openTaskOf(env, caseId, task.taskType, isInTheWay) !== undefined || isAskedOfInteraction(env, task)) return null;
  const id = env.newId(PREFIX);
  return {
    ...taskCreated(env, { ...task, personId: of.personId, caseId, supercaseId: of.supercaseId }, traitsOf(of)),
    target: { kind: 'task', id },
  };
}

/** A task without a case that another actor of the same shard creates. */
const taskBeside = (env: DecideEnv, task: NewTask): FactDraft => ({
  ...taskCreated(env, task),
  target: { kind: 'task', id: env.newId(PREFIX) },
});

/** The same; null if its interaction has an open task of this kind. */
export const taskBesideOnce = (env: DecideEnv, task: NewTask): FactDraft | null =>
  isAskedOfInteraction(env, task) ? null : taskBeside(env, task);

const isAskedOfInteraction = (env: DecideEnv, { interactionId, taskType }: NewTask): boolean =>
  interactionId != null && openTaskOf(env, interactionId, taskType) !== undefined;

export function taskCreated(env: DecideEnv, task: NewTask, traits: TaskTraits = {}): FactDraft {
  const { taskType, priority = PRIORITIES[taskType] ?? USUAL_PRIORITY, attributes = {}, target = {}, ...subject } = task;
  if (subject.interactionId != null) refuseSecond(env, subject.interactionId, taskType);
  const body: TaskFacts['TaskCreated'] = {
    ...NO_SUBJECT,
    ...subject,
    taskType,
    priority,
    attributes,
    traits,
    target: { ...NO_TARGET, ...target },
  };
  return { type: 'TaskCreated', body };
}

/** The traits of a case that pairing uses. */
export const traitsOf = ({ caseType, caseTypeId, autoCreated }: CaseOfTask): TaskTraits => ({
  'case.caseType': caseType,
  'case.caseTypeId': caseTypeId,
  'case.autoCreated': autoCreated,
});

/** Refuses a second open task of a kind for a case or interaction. */
export function refuseSecond(env: DecideEnv, parentId: string, taskType: TaskType): void {
  const open = openTaskOf(env, parentId, taskType);
  if (open !== undefined) refuse('duplicate', `The same task is already open: ${open}.`);
}

const openTaskOf = (
  env: DecideEnv,
  parentId: string,
  taskType: TaskType,
  isInTheWay: (row: CatalogRow) => boolean = isStillOpen,
): string | undefined =>
  env.list('task', { parentId, matches: (row) => row.fields['taskType'] === taskType && isInTheWay(row), limit: 1 }).rows[0]?.id;

const isStillOpen = ({ fields }: CatalogRow): boolean => fields['isOpen'] === true;

const ALL = (): boolean => true;

/** Whether no agent works on the task. */
const isFree = ({ fields }: CatalogRow): boolean => fields['status'] === 'pending' || fields['status'] === 'reserved';

/** Whether an agent works on the task. Such a task also prevents a task that would replace it. */
export const isTaken = (row: CatalogRow): boolean => isStillOpen(row) && !isFree(row);

/** Cancels the tasks of a case that ends. A task that an agent works on is left to that agent. */
export const openTasksCanceled = (
  env: DecideEnv,
  caseId: string,
  reason: string,
  isMeant: (taskType: TaskType) => boolean = ALL,
): readonly FactDraft[] =>
  env
    .list('task', {
      parentId: caseId,
      matches: (row) => isFree(row) && isMeant(rowFieldsOf<RowFields>(row).taskType),
      limit: ALL_ROWS,
    })
    .rows.map(
      ({ id }): FactDraft => ({ type: 'TaskCanceled', body: { reason } satisfies TaskFacts['TaskCanceled'], target: { kind: 'task', id } }),
    );
