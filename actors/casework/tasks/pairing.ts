import { mayBeGiven, PairingRule, type SyncedConfig, type TaskWorker } from '../../company/index.js';
import { comesBefore } from './board.js';
import { isVoice, type TaskTarget } from './state.js';
import type { LoadItem, WaitingItem } from './view.js';

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
