import { mayBeGiven, PairingRule, type SyncedConfig, type TaskType, type TaskWorker } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CatalogRow, DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { comesBefore } from './board.js';
import { isVoice, NO_SUBJECT, NO_TARGET, type TaskFacts, type TaskSubject, type TaskTarget, type TaskTraits } from './state.js';
import type { LoadItem, WaitingItem } from './view.js';

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

const PREFIX = 'TK';

/** The fact of a task for a case that has none of its kind; null where it has one. For the actors that make tasks by themselves. */
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

/** A task that another actor of the same shard makes, about no case. */
const taskBeside = (env: DecideEnv, task: NewTask): FactDraft => ({
  ...taskCreated(env, task),
  target: { kind: 'task', id: env.newId(PREFIX) },
});

/** The same; null where the interaction that it is about has one. */
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

/** What pairing asks of a case. */
export const traitsOf = ({ caseType, caseTypeId, autoCreated }: CaseOfTask): TaskTraits => ({
  'case.caseType': caseType,
  'case.caseTypeId': caseTypeId,
  'case.autoCreated': autoCreated,
});

/** One open task of a kind for a case or interaction. */
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

/** Whether nobody works on it. */
const isFree = ({ fields }: CatalogRow): boolean => fields['status'] === 'pending' || fields['status'] === 'reserved';

/** Whether somebody works on it: such a task is in the way even of one that takes the place of another. */
export const isTaken = (row: CatalogRow): boolean => isStillOpen(row) && !isFree(row);

/** Facts that end the tasks of a case with it; one that somebody has is that worker's to complete. */
export const openTasksCanceled = (
  env: DecideEnv,
  caseId: string,
  reason: string,
  isMeant: (taskType: TaskType) => boolean = ALL,
): readonly FactDraft[] =>
  env
    .list('task', {
      parentId: caseId,
      matches: (row) => isFree(row) && isMeant(row.fields['taskType'] as TaskType),
      limit: Number.MAX_SAFE_INTEGER,
    })
    .rows.map(
      ({ id }): FactDraft => ({ type: 'TaskCanceled', body: { reason } satisfies TaskFacts['TaskCanceled'], target: { kind: 'task', id } }),
    );

/** A task for a worker. */
export interface Offer {
  readonly taskId: string;
  readonly employeeId: string;
  readonly config: SyncedConfig;
}

export interface PairingInput {
  /** The first ones of each queue, in any order. */
  readonly waiting: readonly WaitingItem[];
  readonly loads: readonly LoadItem[];
  readonly workers: readonly TaskWorker[];
  readonly configs: readonly SyncedConfig[];
  readonly now: number;
}

/** One voice task and up to three others at a time. */
const MAX_VOICE = 1;
const MAX_OTHERS = 3;

/** How long one who has not taken a task is not asked for it again. */
const ASKED_AGAIN_AFTER_MS = 60_000;

/** What a worker still can take, and since when nothing was offered. */
interface Room {
  readonly worker: TaskWorker;
  voice: number;
  others: number;
  lastAt: number;
}

/**
 * Gives waiting tasks to workers: the task of the highest priority first, to the worker who has waited longest. A task goes by
 * the first configuration that it meets; where that has nobody, it waits.
 */
export function pair({ waiting, loads, workers, configs, now }: PairingInput): readonly Offer[] {
  const rooms = roomsOf(workers, loads);
  const rules = configs.map((config) => ({ rule: new PairingRule(config), rooms: [] as Room[] }));
  for (const entry of rules) entry.rooms.push(...rooms.filter(({ worker }) => entry.rule.isOfWorker(workerTraits(worker))));
  const offers: Offer[] = [];
  for (const task of [...waiting].sort((one, other) => (comesBefore(one, other) ? -1 : 1))) {
    const entry = rules.find(({ rule }) => rule.isOfTask({ ...task.traits, taskType: task.taskType, priority: task.priority }));
    const room = entry && chosen(entry.rooms, task, now);
    if (!entry || !room) continue;
    take(room, task);
    room.lastAt = now + offers.length; // of one round in turn
    offers.push({ taskId: task.id, employeeId: room.worker.employeeId, config: entry.rule.config });
  }
  return offers;
}

function roomsOf(workers: readonly TaskWorker[], loads: readonly LoadItem[]): readonly Room[] {
  const byEmployee = new Map<string, { voice: number; others: number; lastAt: number }>();
  for (const { employeeId, voice, taskIds, lastAt } of loads) {
    const known = byEmployee.get(employeeId) ?? { voice: 0, others: 0, lastAt: 0 };
    byEmployee.set(employeeId, {
      voice: known.voice + voice,
      others: known.others + taskIds.length - voice,
      lastAt: Math.max(known.lastAt, lastAt),
    });
  }
  return workers.filter(mayBeGiven).map((worker) => {
    const { voice = 0, others = 0, lastAt = 0 } = byEmployee.get(worker.employeeId) ?? {};
    return { worker, voice: MAX_VOICE - voice, others: MAX_OTHERS - others, lastAt };
  });
}

function chosen(rooms: readonly Room[], task: WaitingItem, now: number): Room | undefined {
  const able = rooms.filter((room) => canTake(room, task, now));
  const preferred = able.find(({ worker }) => worker.employeeId === task.target.preferredEmployeeId);
  return (
    preferred ?? able.reduce<Room | undefined>((longest, room) => (longest && longest.lastAt <= room.lastAt ? longest : room), undefined)
  );
}

function canTake({ worker, voice, others }: Room, { taskType, target, refusals }: WaitingItem, now: number): boolean {
  return (
    (isVoice(taskType) ? voice : others) > 0 &&
    worker.taskTypes.includes(taskType) &&
    isOfTarget(worker, target) &&
    !refusals.some(({ employeeId, at }) => employeeId === worker.employeeId && now < at + ASKED_AGAIN_AFTER_MS)
  );
}

const isOfTarget = ({ employeeId, employee }: TaskWorker, target: TaskTarget): boolean =>
  (target.employeeId === null || target.employeeId === employeeId) && (target.teamId === null || employee.teamIds.includes(target.teamId));

function take(room: Room, { taskType }: WaitingItem): void {
  if (isVoice(taskType)) room.voice -= 1;
  else room.others -= 1;
}

export const workerTraits = ({ employeeId, employee, isManager, roleIds }: TaskWorker): Parameters<PairingRule['isOfWorker']>[0] => ({
  employeeId,
  userId: employee.userId,
  isManager,
  teamIds: employee.teamIds,
  roleIds,
});
