import { ACTIVITIES, type Activity, isOnline, mayBeGiven, PairingRule, type SyncedConfig, type TaskWorker } from '../../company/index.js';
import { dateTimeText, type DateTimeText } from '../../wire.js';
import { queueNameOf, workerTraits } from './pairing.js';
import type { TaskStatus } from './state.js';
import { SPLITS, type Tally, together, type Waits } from './tally.js';
import type { CountItem } from './view.js';

/** The configuration and workers of a company's queues. */
export interface QueueParts {
  readonly configs: readonly SyncedConfig[];
  readonly workers: readonly TaskWorker[];
  /** Company's clock in milliseconds. */
  readonly now: number;
}

/** A queue: the tasks that match one pairing configuration, and the workers who may get them. */
export interface TaskQueueView {
  readonly friendlyName: string;
  readonly pairingConfigId: string;
  /** A task is offered to one worker at a time. */
  readonly maxReservedWorkers: 1;
  readonly realTimeStatistics: {
    readonly activityStatistics: readonly { readonly friendlyName: Activity; readonly workers: number }[];
    /** In seconds; null if no task waits. */
    readonly longestTaskWaitingAge: number | null;
    readonly longestRelativeTaskAgeInQueue: number | null;
    readonly tasksByPriority: { readonly [priority: string]: number };
    readonly tasksByStatus: {
      readonly assigned: number;
      readonly canceled: number;
      readonly pending: number;
      readonly reserved: number;
      readonly wrapping: number;
    };
    readonly totalAvailableWorkers: number;
    readonly totalEligibleWorkers: number;
    readonly totalTasks: number;
  };
  /** Since the service was started; null if nothing was counted yet. */
  readonly cumulativeStatistics: QueueHistory | null;
}

/** In seconds. */
interface WaitView {
  readonly avg: number;
  readonly max: number;
  readonly min: number;
  readonly total: number;
}

interface QueueHistory {
  readonly startTime: DateTimeText;
  readonly endTime: DateTimeText;
  readonly avgTaskAcceptanceTime: number;
  readonly reservationsAccepted: number;
  readonly reservationsCanceled: number;
  readonly reservationsCreated: number;
  readonly reservationsRejected: number;
  readonly reservationsRescinded: number;
  readonly reservationsTimedOut: number;
  readonly tasksCanceled: number;
  readonly tasksCompleted: number;
  readonly tasksDeleted: number;
  readonly tasksEntered: number;
  readonly tasksMoved: number;
  readonly waitDurationUntilAccepted: WaitView;
  readonly waitDurationInQueueUntilAccepted: WaitView;
  readonly splitByWaitTime: { readonly [seconds: string]: { readonly above: number; readonly below: number } };
}

/** The queue of each configuration, in the order in which configurations are tried. */
export function queuesOf(
  { configs, workers, now }: QueueParts,
  counts: readonly CountItem[],
  tallies: readonly Tally[],
): readonly TaskQueueView[] {
  const rules = configs.map((config) => new PairingRule(config));
  const queueOf = ({ traits, taskType, priority, queueName, status }: CountItem): string | undefined => {
    if (status !== 'pending' && queueName !== null) return queueName;
    const rule = rules.find((one) => one.isOfTask({ ...traits, taskType, priority }));
    return rule && queueNameOf(rule.config);
  };
  return rules.map((rule) => {
    const friendlyName = queueNameOf(rule.config);
    const eligible = workers.filter((worker) => rule.isOfWorker(workerTraits(worker)));
    return {
      friendlyName,
      pairingConfigId: rule.config.id,
      maxReservedWorkers: 1,
      realTimeStatistics: statisticsOf(
        counts.filter((count) => queueOf(count) === friendlyName),
        eligible,
        now,
      ),
      cumulativeStatistics: historyOf(together(tallies.filter(({ queueName }) => queueName === friendlyName)), now),
    };
  });
}

function statisticsOf(counts: readonly CountItem[], workers: readonly TaskWorker[], now: number): TaskQueueView['realTimeStatistics'] {
  const total = (matches: (count: CountItem) => boolean): number =>
    counts.reduce((sum, count) => (matches(count) ? sum + count.count : sum), 0);
  const inStatus = (status: TaskStatus): number => total((count) => count.status === status);
  const age = (of: readonly CountItem[]): number | null =>
    of.length === 0 ? null : Math.max(0, Math.round((now - Math.min(...of.map(({ oldestAt }) => oldestAt))) / 1000));
  return {
    activityStatistics: ACTIVITIES.map((friendlyName) => ({
      friendlyName,
      workers: workers.filter(({ activity }) => activity === friendlyName).length,
    })),
    longestTaskWaitingAge: age(counts.filter(({ status }) => status === 'pending')),
    longestRelativeTaskAgeInQueue: age(counts),
    tasksByPriority: Object.fromEntries(
      [...new Set(counts.map(({ priority }) => priority))]
        .sort((one, other) => other - one)
        .map((priority) => [String(priority), total((count) => count.priority === priority)]),
    ),
    tasksByStatus: {
      assigned: inStatus('assigned'),
      canceled: 0,
      pending: inStatus('pending'),
      reserved: inStatus('reserved'),
      wrapping: inStatus('wrapping'),
    },
    totalAvailableWorkers: workers.filter(mayBeGiven).length,
    totalEligibleWorkers: workers.filter(isOnline).length,
    totalTasks: total(() => true),
  };
}

function historyOf(tally: Tally | undefined, now: number): QueueHistory | null {
  if (!tally) return null;
  const { since, reservations, tasks, waits, answers } = tally;
  return {
    startTime: dateTimeText(since),
    endTime: dateTimeText(now),
    avgTaskAcceptanceTime: waitView(answers).avg,
    reservationsAccepted: reservations.accepted,
    reservationsCanceled: reservations.canceled,
    reservationsCreated: reservations.created,
    reservationsRejected: reservations.rejected,
    reservationsRescinded: reservations.rescinded,
    reservationsTimedOut: reservations.timedOut,
    tasksCanceled: tasks.canceled,
    tasksCompleted: tasks.completed,
    tasksDeleted: 0,
    tasksEntered: tasks.entered,
    tasksMoved: tasks.moved,
    waitDurationUntilAccepted: waitView(waits),
    waitDurationInQueueUntilAccepted: waitView(waits),
    splitByWaitTime: Object.fromEntries(
      SPLITS.map((seconds) => [String(seconds), { above: waits.above[seconds], below: waits.count - waits.above[seconds] }]),
    ),
  };
}

function waitView({ count, totalMs, minMs, maxMs }: Waits): WaitView {
  const seconds = (ms: number): number => Math.round(ms / 1000);
  return { avg: count === 0 ? 0 : seconds(totalMs / count), max: seconds(maxMs), min: seconds(minMs), total: seconds(totalMs) };
}
