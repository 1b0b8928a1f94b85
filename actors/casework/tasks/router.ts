import { randomUUID } from 'node:crypto';
import { type CompanyState, mayBeGiven, syncedConfigs, workersOf } from '../../company/index.js';
import { Refusal } from '../../errors.js';
import type { CommandRequest, Outcome, QueryRequest } from '../../kernel/actor.js';
import { SYSTEM_AGENT, type Tenant } from '../../kernel/fact.js';
import { ServiceCalls } from '../../kernel/jobs/service-calls.js';
import type { ListResult } from '../../wire.js';
import type { ReserveTaskBody } from './decide.js';
import { type Offer, pair, queueNameOf } from './pairing.js';
import type { LoadItem, WaitingItem } from './view.js';

export interface TaskRouterParts {
  /** The engine of the shared shard, which has the companies. */
  readonly engine: {
    tenants(): readonly Tenant[];
    stateOf<State>(tenant: Tenant, kind: string, id: string): State | undefined;
    now(tenant: Tenant): number;
  };
  /** Sends commands and queries to all shards. */
  readonly asked: { execute(command: CommandRequest): Promise<Outcome>; query(request: QueryRequest): Promise<unknown> };
  /** Receives failures of routing; the next round tries again. */
  report(message: string, details: Readonly<Record<string, unknown>>): void;
}

/** Milliseconds between rounds. */
const EVERY_MS = 500;

/** Maximum number of items in the answer to one query about tasks. */
const MOST = 100_000;

/**
 * Offers waiting tasks to workers, on the process that owns the shared shard. Each task itself decides whether it accepts an offer,
 * so that two routers, while one takes over from the other, never offer a task to two workers.
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

  /** Runs one round, after a round that is under way. */
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
    const calls = new ServiceCalls(this.parts.asked, tenant);
    const { items } = await calls.query<ListResult<Item>>(type, null, { limit: MOST });
    return items;
  }

  /** A task that has ended, or that another router has offered meanwhile, refuses the command. */
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
