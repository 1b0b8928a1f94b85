import {
  type AttachedFiles,
  type Blobs,
  type DeliveryAdapters,
  type MessageMeasure,
  Messenger,
  type Services,
  TaskRouter,
} from '../actors/index.js';
import { readAttached } from './delivery/attached-files.js';
import { ContentStore } from './documents/content-store.js';
import { Renderer } from './rendering/renderer.js';
import { EventPublisher, type PublishTarget } from './streams/event-publisher.js';
import { type DeliveryParts, Webhooks, type WebhooksOptions } from './webhooks/webhooks.js';

export interface DeliveriesOptions extends WebhooksOptions {
  /** Where events are published; null = nowhere. */
  readonly publishTo: PublishTarget | null;
  /** Bring messages to borrowers. */
  readonly adapters: DeliveryAdapters;
  /** Contents of the documents that are sent with messages. */
  readonly blobs: () => Promise<Blobs>;
  /** The address of the gateway from outside, for links in messages. */
  readonly publicUrl: string | null;
  readonly messageMeasure?: MessageMeasure;
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
    const { shared, publishTo, adapters, publicUrl, messageMeasure, stores, holds, report } = this.options;
    shared?.start();
    this.webhooks.start(parts);
    const { engine, objects = engine } = parts;
    this.#router = new TaskRouter({ engine, asked: objects, report: (message, details) => report('warn', message, details) }).start();
    for (const adapter of new Set(Object.values(adapters))) adapter.start?.();
    this.#messenger = new Messenger({
      engine,
      asked: objects,
      adapters,
      files: this.#filesOf(objects),
      publicUrl,
      ...(messageMeasure ? { measure: messageMeasure } : {}),
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

  #filesOf(engine: Parameters<typeof readAttached>[0]['engine']): AttachedFiles {
    const renderer = new Renderer(); // its threads come with the first letter
    let opened: Promise<ContentStore> | null = null;
    const contents = (): Promise<ContentStore> =>
      (opened ??= this.options.blobs().then(
        (blobs) => new ContentStore(blobs),
        (cause: unknown) => {
          opened = null;
          throw cause;
        },
      ));
    return async (message) => readAttached({ engine, contents: await contents(), renderer }, message);
  }

  async close(): Promise<void> {
    await Promise.all([this.webhooks.close(), this.#publisher?.close(), this.#router?.close(), this.#messenger?.close()]);
    await Promise.all([...new Set(Object.values(this.options.adapters))].map((adapter) => adapter.close?.()));
    await this.options.shared?.close();
  }
}
