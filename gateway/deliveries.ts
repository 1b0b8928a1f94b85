import { type DeliveryAdapters, Messenger, type Services, TaskRouter } from '../actors/index.js';
import { EventPublisher, type PublishTarget } from './streams/event-publisher.js';
import { type DeliveryParts, Webhooks, type WebhooksOptions } from './webhooks/webhooks.js';

export interface DeliveriesOptions extends WebhooksOptions {
  /** Where events are published; null = nowhere. */
  readonly publishTo: PublishTarget | null;
  /** Bring messages to borrowers. */
  readonly adapters: DeliveryAdapters;
  /** Where several processes deliver one after the other: started before anything is sent, closed after the last delivery. */
  readonly shared?: { start(): void; close(): Promise<void> };
}

/**
 * Deliveries that the owner of the shared shard makes for all shards: it calls webhooks, publishes events on a message server, gives
 * tasks to workers, and hands messages to the adapters that send them to borrowers.
 */
export class Deliveries {
  readonly webhooks: Webhooks;
  #publisher: EventPublisher | null = null;
  #router: TaskRouter | null = null;
  #messenger: Messenger | null = null;

  constructor(private readonly options: DeliveriesOptions) {
    this.webhooks = new Webhooks(options);
  }

  /** Queries that the engine passes on to this part. */
  get services(): Services {
    return this.webhooks.services;
  }

  start(parts: DeliveryParts): this {
    const { shared, publishTo, adapters, stores, holds, report } = this.options;
    shared?.start();
    this.webhooks.start(parts);
    const { engine, objects = engine } = parts;
    this.#router = new TaskRouter({ engine, asked: objects, report: (message, details) => report('warn', message, details) }).start();
    this.#messenger = new Messenger({
      engine,
      asked: objects,
      adapters,
      report: (message, details) => report('warn', message, details),
    }).start();
    if (publishTo === null) return this;
    this.#publisher = new EventPublisher({
      source: parts.source,
      target: publishTo,
      tenants: () => parts.engine.tenants(),
      store: () => stores.outbox,
      ...(holds ? { holds } : {}),
      report: (message, details) => report('warn', message, details),
    });
    return this;
  }

  async close(): Promise<void> {
    await Promise.all([this.webhooks.close(), this.#publisher?.close(), this.#router?.close(), this.#messenger?.close()]);
    await this.options.shared?.close();
  }
}
