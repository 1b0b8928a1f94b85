import typia from 'typia';
import {
  type AttachedFiles,
  type Blobs,
  BounceReader,
  closedZones,
  DayWorkRunner,
  type DeliveryAdapters,
  type LateWorkMeasure,
  type Mailbox,
  type MessageMeasure,
  Messenger,
  NoticeDirector,
  type Services,
  TaskRouter,
  type Tenant,
} from '../actors/index.js';
import { AchPart } from './runners/ach-part.js';
import { CardPart } from './runners/card-part.js';
import { SharedRunners, type SharedRunnersOptions } from './runners/shared-runners.js';
import { mailReader } from './delivery/mail-reader.js';
import { readAttached } from './delivery/attached-files.js';
import { ContentStore } from './documents/content-store.js';
import { Renderer } from './rendering/renderer.js';
import { EventPublisher, type PublishTarget } from './streams/event-publisher.js';
import { type DeliveryParts, Webhooks, type WebhooksOptions } from './webhooks/webhooks.js';

/** Any process of a cluster may ask. The route has read the id: a fault here is a bug. */
const assertForgotten = typia.createAssert<{ readonly personId: string }>();

export interface DeliveriesOptions extends WebhooksOptions {
  /** Where events are published; null = nowhere. */
  readonly publishTo: PublishTarget | null;
  /** Bring messages to borrowers. */
  readonly adapters: DeliveryAdapters;
  /** The address of the gateway from outside, for links in messages. */
  readonly publicUrl: string | null;
  /** Deletes what lies unencrypted on this machine about a borrower who is erased. */
  readonly forget: (borrower: Tenant & { readonly personId: string }) => Promise<void>;
  /** Where mail servers report what became of e-mails, and complaints come; null: reports come by callbacks alone. */
  readonly bounces?: Mailbox | null;
  readonly messageMeasure?: MessageMeasure;
  readonly lateWorkMeasure?: LateWorkMeasure;
  /** Settings of campaigns and questions. */
  readonly campaigns: Omit<SharedRunnersOptions, 'report' | 'measure'>;
  readonly campaignMeasure?: NonNullable<SharedRunnersOptions['measure']>;
  /** Where several processes deliver one after the other: started before anything is sent, closed after the last delivery. */
  readonly shared?: { start(): void; close(): Promise<void> };
}

/**
 * Deliveries that the owner of the shared shard makes for all shards: it calls webhooks, publishes events on a message server, gives
 * tasks to workers, hands messages to the adapters that send them to borrowers, executes campaigns, brings files to banks, calls processors
 * of cards, and records
 * what the automatic work of each day has come to.
 */
export class Deliveries {
  readonly webhooks: Webhooks;
  readonly #runners: SharedRunners;
  readonly #ach: AchPart;
  readonly #cards: CardPart;
  #publisher: EventPublisher | null = null;
  #router: TaskRouter | null = null;
  #messenger: Messenger | null = null;
  #director: NoticeDirector | null = null;
  #bounces: BounceReader | null = null;
  #dayWork: DayWorkRunner | null = null;

  constructor(private readonly options: DeliveriesOptions) {
    this.webhooks = new Webhooks({ ...options, mail: options.adapters.email });
    const { campaigns, campaignMeasure: measure } = options;
    this.#runners = new SharedRunners({ ...campaigns, ...(measure ? { measure } : {}), report: options.report });
    this.#ach = new AchPart({ rules: options.campaigns.rules, ...(measure ? { measure } : {}), report: options.report });
    this.#cards = new CardPart({ rules: options.campaigns.rules, report: options.report });
  }

  /** Queries that the engine passes on to this part. */
  get services(): Services {
    const [webhooks, runners, ach] = [this.webhooks.services, this.#runners.services, this.#ach.services];
    return {
      queries: { ...webhooks.queries, ...runners.queries, ...ach.queries },
      commands: {
        ...webhooks.commands,
        ...runners.commands,
        ...ach.commands,
        'delivery.forget': async ({ body }, tenant) => {
          const { personId } = assertForgotten(body);
          await this.options.forget({ ...tenant, personId });
          return { data: undefined, replayed: false };
        },
      },
    };
  }

  start(parts: DeliveryParts & { readonly blobs: Blobs }): this {
    const { shared, publishTo, adapters, publicUrl, bounces = null, messageMeasure, lateWorkMeasure, stores, holds, report } = this.options;
    shared?.start();
    this.webhooks.start(parts);
    const { engine, objects = engine } = parts;
    this.#router = new TaskRouter({ engine, asked: objects, report: (message, details) => report('warn', message, details) }).start();
    for (const adapter of new Set(Object.values(adapters))) adapter.start?.();
    this.#messenger = new Messenger({
      engine,
      asked: objects,
      adapters,
      files: filesOf(objects, parts.blobs),
      publicUrl,
      ...(messageMeasure ? { measure: messageMeasure } : {}),
      report: (message, details) => report('warn', message, details),
    }).start();
    if (bounces !== null)
      this.#bounces = new BounceReader({
        mailbox: bounces,
        reportsIn: mailReader(),
        asked: objects,
        ...(messageMeasure ? { measure: messageMeasure } : {}),
        report: (message, details) => report('warn', message, details),
      }).start();
    this.#director = new NoticeDirector({
      engine,
      asked: objects,
      report: (message, details) => report('warn', message, details),
    }).start();
    this.#runners.start({ engine, objects, blobs: parts.blobs });
    this.#ach.start({ engine, objects, blobs: parts.blobs });
    this.#cards.start({ engine, objects });
    this.#dayWork = new DayWorkRunner({
      engine,
      asked: objects,
      zones: (tenant) => closedZones(engine.world, tenant),
      banks: (tenant) => this.#ach.seen(tenant),
      cards: (tenant) => this.#cards.seen(tenant),
      ...(lateWorkMeasure ? { measure: lateWorkMeasure } : {}),
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
    await this.#dayWork?.close();
    await Promise.all([
      this.webhooks.close(),
      this.#publisher?.close(),
      this.#router?.close(),
      this.#messenger?.close(),
      this.#director?.close(),
      this.#bounces?.close(),
      this.#runners.close(),
      this.#ach.close(),
      this.#cards.close(),
    ]);
    for (const adapter of new Set(Object.values(this.options.adapters))) await adapter.close?.();
    await this.options.shared?.close();
  }
}

/** Reads the documents that messages name. Its render threads start with the first letter. */
function filesOf(engine: Parameters<typeof readAttached>[0]['engine'], blobs: Blobs): AttachedFiles {
  const parts = { engine, contents: new ContentStore(blobs), renderer: new Renderer() };
  return (message) => readAttached(parts, message);
}
