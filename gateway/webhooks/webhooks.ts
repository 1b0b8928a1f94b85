import { fieldOf } from '../../engine/index.js';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type DeliveryAdapter,
  type Engine,
  EVERY_PERMISSION,
  type KeyStore,
  type KeyValue,
  Refusal,
  type Services,
  SHARED_SHARD,
  SYSTEM_AGENT,
  type Tenant,
  type WebhookProgressBody,
} from '../../actors/index.js';
import { execute, dataOf } from '../answers.js';
import type { EngineCalls } from '../engine-calls.js';
import { LIMITS } from '../limits.js';
import type { Outgoing } from '../outgoing.js';
import { hydrated } from '../routes/communications/hydrated.js';
import type { EventSource } from '../streams/event-source.js';
import { DeliveryStore } from './delivery-store.js';
import { type Target, WebhookDirectory } from './directory.js';
import { DisabledNotices } from './disabled-notices.js';
import type { EndpointParts } from './try-once.js';
import { Endpoint } from './endpoint.js';
import { type Backlog, type DeliveryMeasure, NO_BACKLOG, Slots, webhookServices } from './services.js';

export interface WebhooksOptions {
  /** The environment of deliveries, and how a damaged one is replaced. */
  readonly stores: { readonly outbox: KeyValue; rebuild(environment: string): Promise<void> };
  readonly keys: Pick<KeyStore, 'open'>;
  readonly outgoing: Outgoing;
  readonly report: (level: 'warn' | 'error', message: string, details: Readonly<Record<string, unknown>>) => void;
  /** Whether this process delivers at this moment, where another may take over. */
  readonly holds?: () => boolean;
  readonly measure?: DeliveryMeasure;
  /** Sends e-mails to the users of companies; absent: nothing does. */
  readonly mail?: Pick<DeliveryAdapter, 'submit'>;
  /** Machine time. */
  readonly nowMs?: () => number;
  readonly random?: () => number;
}

/** The parts of the service that deliveries use. */
export interface DeliveryParts {
  /** The engine of the shared shard. */
  readonly engine: Engine;
  readonly source: EventSource;
  /** Reads the objects of events; absent: the same engine. */
  readonly objects?: EngineCalls;
}

interface Running extends DeliveryParts {
  readonly directory: WebhookDirectory;
  readonly timer: NodeJS.Timeout;
}

interface Delivering {
  readonly endpoint: Endpoint;
  /** Ends the subscription to new events. */
  readonly stop: () => void;
}

/**
 * The deliveries of all webhooks, on the process that owns the shared shard. Each webhook reads the log of events by its own cursor, and
 * none waits for another. In a cluster the worker that takes over the shard goes on with them.
 */
export class Webhooks {
  readonly store: DeliveryStore;
  /** Queries and commands that the engine passes on to this part. */
  readonly services: Services;
  readonly #endpoints = new Map<string, Delivering>();
  readonly #notices: DisabledNotices;
  readonly #slots = new Slots(LIMITS.webhookCalls);
  #running: Running | null = null;
  #ticking: Promise<void> = Promise.resolve();
  #nextTick: Promise<void> | null = null;
  #rebuilding: Promise<void> | null = null;

  constructor(private readonly options: WebhooksOptions) {
    this.store = new DeliveryStore(() => {
      if (!this.#holds()) throw notDelivered();
      return options.stores.outbox;
    });
    this.#notices = new DisabledNotices({
      engine: () => this.engine,
      mail: options.mail ?? null,
      record: (target, progress) => recordProgress(this.engine, target, progress),
      nowMs: () => this.nowMs(),
      report: (message, details) => options.report('warn', message, details),
    });
    this.services = webhookServices(this);
  }

  /** Begins to deliver. */
  start(parts: DeliveryParts): void {
    const timer = setInterval(() => void this.tick(), LIMITS.webhookTickMs);
    timer.unref();
    this.#running = { ...parts, directory: new WebhookDirectory(parts.engine, this.options.keys), timer };
    this.options.measure?.delivering(() => this.#backlog());
    void this.tick();
  }

  /** Applies changes of webhooks and sends messages that are due. A tick that is under way ends first. */
  tick(): Promise<void> {
    this.#nextTick ??= this.#ticking.then(() => {
      this.#nextTick = null;
      this.#ticking = this.#tick();
      return this.#ticking;
    });
    return this.#nextTick;
  }

  /** Lets deliveries under way end for a moment, so that the process that delivers next need not send them again. */
  async close(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#running = null;
    this.options.measure?.delivering(null);
    clearInterval(running.timer);
    const endpoints = [...this.#endpoints.values()];
    for (const { stop } of endpoints) stop();
    const ended = Promise.allSettled([
      this.#ticking,
      this.#notices.sent(),
      ...endpoints.flatMap(({ endpoint }) => [endpoint.close(), endpoint.delivered()]),
    ]);
    await Promise.race([ended, pause(LIMITS.webhookCloseMs, undefined, { ref: false })]);
    this.options.outgoing.close();
  }

  get nowMs(): () => number {
    return this.options.nowMs ?? Date.now;
  }

  get engine(): Engine {
    return this.#parts.engine;
  }

  get source(): EventSource {
    return this.#parts.source;
  }

  idOf(counter: number): string {
    return this.engine.world.ids.encode('EM', SHARED_SHARD, counter);
  }

  counterOf(id: string): number | undefined {
    const parts = this.engine.world.ids.decode(id);
    return parts?.prefix === 'EM' && parts.shard === SHARED_SHARD ? parts.counter : undefined;
  }

  /** The webhook with its deliveries. Throws `notFound` for an unknown webhook, and for one without an address. */
  endpointOf(tenant: Tenant, webhookId: string): { readonly target: Target; readonly endpoint: Endpoint } {
    const target = this.#parts.directory.find(tenant, webhookId);
    if (!target) throw new Refusal('notFound', `There is no webhook ${webhookId} that delivers events.`);
    return { target, endpoint: this.#endpointOf(target) };
  }

  get #parts(): Running {
    const running = this.#running;
    if (!running || !this.#holds()) throw notDelivered();
    return running;
  }

  #holds(): boolean {
    return this.options.holds?.() ?? true;
  }

  #backlog(): Backlog {
    if (!this.#holds()) return NO_BACKLOG;
    const each = [...this.#endpoints].map(([webhookId, { endpoint }]) => ({ ...endpoint.health, since: this.#oldestOpen(webhookId) }));
    return {
      waiting: each.reduce((sum, { waiting }) => sum + waiting, 0),
      oldestSeconds: Math.max(0, ...each.map(({ since }) => (since === null ? 0 : (this.nowMs() - since) / 1000))),
      failing: each.filter(({ isFailing }) => isFailing).length,
    };
  }

  /** When the oldest open message was made; null when none is open. */
  #oldestOpen(webhookId: string): number | null {
    for (const { counter } of this.store.open(webhookId)) return this.store.message(webhookId, counter)?.createdAt ?? null;
    return null;
  }

  async #tick(): Promise<void> {
    const running = this.#running;
    if (!running || !this.#holds()) return;
    try {
      await running.engine.listed(); // until then a company that exists could be missing
      const existing = new Set<string>();
      for (const target of running.directory.all()) {
        existing.add(target.webhookId);
        this.#endpointOf(target);
      }
      for (const webhookId of [...this.#endpoints.keys(), ...this.store.webhooks()])
        if (!existing.has(webhookId)) await this.#forget(webhookId);
      await Promise.all([...this.#endpoints.values()].map(({ endpoint }) => endpoint.tick()));
    } catch (cause) {
      if (this.#running) await this.#failed(cause);
    }
  }

  #endpointOf({ tenant, webhookId }: Target): Endpoint {
    const known = this.#endpoints.get(webhookId);
    if (known) return known.endpoint;
    const endpoint = new Endpoint(this.#endpointParts(), tenant, webhookId);
    this.#endpoints.set(webhookId, { endpoint, stop: this.#parts.source.onAdvance(() => endpoint.advance(), tenant) });
    return endpoint;
  }

  #endpointParts(): EndpointParts {
    const { options, store, nowMs } = this;
    const { engine, source, directory, objects = engine } = this.#parts;
    return {
      store,
      source,
      holds: () => this.#holds(),
      directory,
      nowMs,
      journalMs: () => engine.journalMs(),
      outgoing: options.outgoing,
      slots: this.#slots,
      random: options.random ?? Math.random,
      record: (target, progress) => recordProgress(engine, target, progress),
      idOf: (prefix, counter) => engine.world.ids.encode(prefix, SHARED_SHARD, counter),
      hydrated: ({ tenant, webhook }, event) =>
        hydrated({ engine: objects, caller: { ...tenant, userId: null, permissions: new Set(webhook.hydratesWith) } }, event),
      notify: (target) => this.#notices.notify(target),
      replayBegins: (target, { operationId }) => this.#putOperation(target, operationId),
      replayEnded: ({ tenant }, { operationId }) => engine.operations.finish(tenant, operationId, nowMs()),
      failed: (cause) => void this.#failed(cause),
      tried: (isDelivered) => options.measure?.tried(isDelivered),
      report: (message, details) => options.report('warn', message, details),
    };
  }

  /** Deletes everything of a webhook that was deleted. */
  async #forget(webhookId: string): Promise<void> {
    const delivering = this.#endpoints.get(webhookId);
    delivering?.stop();
    await delivering?.endpoint.close();
    this.#endpoints.delete(webhookId);
    for (;;) {
      const entries = this.store.forgetting(webhookId, LIMITS.webhookBatch);
      if (entries.length === 0) break;
      await this.store.write(entries);
    }
    await this.store.write([this.store.forgottenState(webhookId)]);
  }

  #putOperation({ tenant, webhookId }: Target, operationId: string): void {
    if (this.engine.operations.get(tenant, operationId, this.engine.machineMs())) return;
    this.engine.operations.put({
      operationId,
      tenant,
      kind: 'webhook.replay',
      loanId: null,
      status: 'running',
      startedAt: this.nowMs(),
      finishedAt: null,
      resultObjectId: webhookId,
      errorType: null,
      errorMessage: null,
      progress: null,
    });
  }

  /** Replaces a damaged environment: deliveries begin again at the progress that the journal has. */
  async #failed(cause: unknown): Promise<void> {
    this.options.report('error', 'Webhook deliveries are interrupted.', { cause: String(cause) });
    const environment = fieldOf(cause, 'environment');
    if (environment !== ENVIRONMENT) return;
    this.#rebuilding ??= this.options.stores.rebuild(ENVIRONMENT).finally(() => (this.#rebuilding = null));
    await this.#rebuilding;
  }
}

const ENVIRONMENT = 'outbox';

const notDelivered = (): Refusal =>
  new Refusal('unavailable', 'Webhook deliveries are not available at the moment. Try again in 5 seconds.', { retryAfterSeconds: 5 });

/** Records progress in the journal; returns the first of the reserved ids. */
async function recordProgress(engine: Engine, { tenant, webhookId }: Target, progress: WebhookProgressBody): Promise<number> {
  const id = randomUUID();
  const { data } = await execute(engine, {
    commandId: id,
    company: tenant.company,
    mode: tenant.mode,
    type: 'webhook.progress',
    target: tenant.company,
    params: { webhookId },
    body: progress,
    actor: SYSTEM_AGENT,
    permissions: new Set([EVERY_PERMISSION]),
    address: null,
    requestId: id,
  });
  return dataOf(data).firstId;
}
