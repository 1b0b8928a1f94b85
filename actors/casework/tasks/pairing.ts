import { mayBeGiven, PairingRule, type SyncedConfig, type TaskWorker } from '../../company/index.js';
import { comesBefore } from './board.js';
import { isVoice, type TaskTarget } from './state.js';
import type { LoadItem, WaitingItem } from './view.js';

/** A task that is offered to a worker. */
export interface Offer {
  readonly taskId: string;
  readonly employeeId: string;
  readonly config: SyncedConfig;
}

export interface PairingInput {
  /** The first tasks of each queue, in any order. */
  readonly waiting: readonly WaitingItem[];
  readonly loads: readonly LoadItem[];
  readonly workers: readonly TaskWorker[];
  readonly configs: readonly SyncedConfig[];
  readonly now: number;
}

/** A worker has at most one voice task and three others at a time. */
const MAX_VOICE = 1;
const MAX_OTHERS = 3;

/** A task is not offered again to a worker who did not accept it for this long. */
const ASKED_AGAIN_AFTER_MS = 60_000;

/** How many more tasks a worker can take, and the time of the last offer. */
interface Room {
  readonly worker: TaskWorker;
  voice: number;
  others: number;
  lastAt: number;
}

/**
 * Offers waiting tasks to workers: the task of the highest priority first, to the worker who has waited longest. The first
 * configuration that matches a task decides; if no worker of it is free, the task waits.
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
    room.lastAt = now + offers.length; // so that the workers of one round take turns
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

/** The name of a configuration's queue. */
export const queueNameOf = ({ id, name }: SyncedConfig): string => name ?? id;
