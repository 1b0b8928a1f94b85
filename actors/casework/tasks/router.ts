import { randomUUID } from 'node:crypto';
import {
  ACTIVITIES,
  type Activity,
  type CompanyState,
  isOnline,
  mayBeGiven,
  PairingRule,
  type SyncedConfig,
  syncedConfigs,
  type TaskWorker,
  workersOf,
} from '../../company/index.js';
import { Refusal } from '../../errors.js';
import type { CommandRequest, Outcome, QueryRequest } from '../../kernel/actor.js';
import { SYSTEM_AGENT, type Tenant } from '../../kernel/fact.js';
import { dateTimeText, type DateTimeText, type ListResult } from '../../wire.js';
import { type Offer, pair, workerTraits } from './creation.js';
import type { ReserveTaskBody } from './decide.js';
import type { TaskStatus } from './state.js';
import { SPLITS, type Tally, together, type Waits } from './tally.js';
import type { CountItem, LoadItem, WaitingItem } from './view.js';

export interface TaskRouterParts {
  /** That of the shared shard: it knows the companies. */
  readonly engine: {
    tenants(): readonly Tenant[];
    stateOf<State>(tenant: Tenant, kind: string, id: string): State | undefined;
    now(tenant: Tenant): number;
  };
  /** Where the tasks of all shards are asked. */
  readonly asked: { execute(command: CommandRequest): Promise<Outcome>; query(request: QueryRequest): Promise<unknown> };
  /** Hears of what routing could not do; it tries again. */
  report(message: string, details: Readonly<Record<string, unknown>>): void;
}

/** How often waiting tasks are given out, in milliseconds. */
const EVERY_MS = 500;

/** Lines that one question about tasks answers. */
const MOST = 100_000;

/**
 * Gives waiting tasks to workers, on the process that owns the shared shard. Each task decides itself whether it is offered, so
 * that two routers, where one takes over from another, give none to two workers.
 */
export class TaskRouter {
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(private readonly parts: TaskRouterParts) {}

  start(): this {
    this.#timer = setInterval(() => void this.run(), EVERY_MS);
    this.#timer.unref();
    return this;
  }

  /** Gives out once, behind what is under way. */
  run(): Promise<void> {
    this.#running = this.#running.then(() => this.#round());
    return this.#running;
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#running;
  }

  async #round(): Promise<void> {
    for (const tenant of this.parts.engine.tenants()) {
      try {
        await this.#route(tenant);
      } catch (cause) {
        if (!(cause instanceof Refusal))
          this.parts.report('tasks could not be assigned to workers', { company: tenant.company, mode: tenant.mode, cause: String(cause) });
      }
    }
  }

  async #route(tenant: Tenant): Promise<void> {
    const company = this.parts.engine.stateOf<CompanyState>(tenant, 'company', tenant.company);
    const workers = company ? workersOf(company).filter(mayBeGiven) : [];
    if (!company?.profile || workers.length === 0) return;
    const [waiting, loads] = await Promise.all([this.#ask<WaitingItem>(tenant, 'task.waiting'), this.#ask<LoadItem>(tenant, 'task.loads')]);
    if (waiting.length === 0) return;
    const offers = pair({ waiting, loads, workers, configs: syncedConfigs(company), now: this.parts.engine.now(tenant) });
    const seconds = company.profile.config.tasks.reservationTimeoutSecs;
    await Promise.all(offers.map((offer) => this.#offer(tenant, offer, seconds)));
  }

  async #ask<Item>(tenant: Tenant, type: string): Promise<readonly Item[]> {
    const { company, mode } = tenant;
    const answer = await this.parts.asked.query({
      company,
      mode,
      type,
      target: null,
      params: {},
      query: { limit: MOST },
      permissions: NOTHING,
    });
    return (answer as ListResult).items as readonly Item[];
  }

  /** A task that is gone, or that another router has offered meanwhile, refuses. */
  async #offer({ company, mode }: Tenant, { taskId, employeeId, config }: Offer, seconds: number): Promise<void> {
    const id = `route-${randomUUID()}`;
    const body: ReserveTaskBody = {
      employeeId,
      pairingConfigId: config.id,
      queueName: queueNameOf(config),
      seconds: config.reservationTimeoutSecs ?? seconds,
    };
    try {
      await this.parts.asked.execute({
        commandId: id,
        company,
        mode,
        type: 'task.reserve',
        target: taskId,
        params: {},
        body,
        actor: SYSTEM_AGENT,
        permissions: NOTHING,
        address: null,
        requestId: id,
      });
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
    }
  }
}

const NOTHING: ReadonlySet<string> = new Set();

const queueNameOf = ({ id, name }: SyncedConfig): string => name ?? id;

/** What the company knows of its queues. */
export interface QueueParts {
  readonly configs: readonly SyncedConfig[];
  readonly workers: readonly TaskWorker[];
  /** Company's clock in milliseconds. */
  readonly now: number;
}

/** A queue: the tasks that go by one configuration, and who may get them. */
export interface TaskQueueView {
  readonly friendlyName: string;
  readonly pairingConfigId: string;
  /** A task is offered to one worker at a time. */
  readonly maxReservedWorkers: 1;
  readonly realTimeStatistics: {
    readonly activityStatistics: readonly { readonly friendlyName: Activity; readonly workers: number }[];
    /** In seconds, of the task that has waited longest; null where none waits. */
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
  /** Since the service was started; null while nothing has happened. */
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

/** Each configuration's queue, in the order in which they are asked. */
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
