import {
  type AttachedFiles,
  type Blobs,
  type DeliveryAdapters,
  type MessageMeasure,
  Messenger,
  type Services,
  TaskRouter,
} from '../actors/index.js';
import { type CardNetwork, type Day, networkOfBin, parseDay, parseRate, type Rate } from '../engine/index.js';
import { localNames, type NameServers } from './outgoing.js';
import { readAttached } from './delivery/attached-files.js';
import { ContentStore } from './documents/content-store.js';
import { Renderer } from './rendering/renderer.js';
import { EventPublisher, type PublishTarget } from './streams/event-publisher.js';
import { type DeliveryParts, Webhooks, type WebhooksOptions } from './webhooks/webhooks.js';

export interface DeliveriesOptions extends WebhooksOptions {
  /** Where events are published; null = nowhere. */
  readonly publishTo: PublishTarget | null;
  /** What brings messages to borrowers. */
  readonly adapters: DeliveryAdapters;
  /** Where the documents lie that go with messages. */
  readonly blobs: () => Promise<Blobs>;
  /** Where the gateway is reached from outside: links of messages lead there. */
  readonly publicUrl: string | null;
  readonly messageMeasure?: MessageMeasure;
  /** What is taken over before anything is sent, and given up behind it, where several processes deliver one after the other. */
  readonly shared?: { start(): void; close(): Promise<void> };
}

/**
 * What the owner of the shared shard does for all: calls of webhooks, the publication of events on a message server, giving tasks to
 * workers, and handing over messages to borrowers.
 */
export class Deliveries {
  readonly webhooks: Webhooks;
  #publisher: EventPublisher | null = null;
  #router: TaskRouter | null = null;
  #messenger: Messenger | null = null;

  constructor(private readonly options: DeliveriesOptions) {
    this.webhooks = new Webhooks(options);
  }

  /** What the engine answers with this part's help. */
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
    for (const adapter of new Set(Object.values(this.options.adapters))) await adapter.close?.();
    await this.options.shared?.close();
  }
}

/** What the world outside tells: an installation that has a directory of cards or a source of rates puts it here. */
export interface Lookups {
  /** Values of public indexes, in any order. */
  readonly indexRates: readonly PublicIndexRate[];
  /** Undefined for numbers that no card has. */
  cardBin(bin: string): CardBinFacts | undefined;
  /** Of the domains that companies send from. */
  readonly names: NameServers;
}

/** A value holds from its day until the next one of its index. */
export interface PublicIndexRate {
  readonly indexName: string;
  readonly from: Day;
  readonly rate: Rate;
}

/** Null: not known. */
export interface CardBinFacts {
  readonly network: CardNetwork;
  readonly cardType: 'debit' | 'credit' | 'prepaid' | null;
  readonly issuerName: string | null;
  readonly countryCode: string | null;
  readonly isCommercial: boolean | null;
}

/** No values of indexes, of cards what their first digits tell by themselves, and of name servers nothing. */
export const OWN_LOOKUPS: Lookups = {
  indexRates: [],
  names: localNames(new Map()),
  cardBin(bin) {
    const network = networkOfBin(bin);
    return network === undefined ? undefined : { network, cardType: null, issuerName: null, countryCode: null, isCommercial: null };
  },
};

const INDEX_RATES_HEADER = 'indexName,effectiveDate,rate';

/**
 * Reads values of indexes: lines as `prime,2025-12-11,0.0675` under their header.
 *
 * @throws TypeError that names the line that is none.
 */
export function parseIndexRates(text: string): readonly PublicIndexRate[] {
  const [header, ...lines] = text.split(/\r?\n/).map((line) => line.trim());
  if (header !== INDEX_RATES_HEADER) throw new TypeError(`line 1 must be ${INDEX_RATES_HEADER}`);
  return lines.flatMap((line, index) => (line === '' ? [] : [valueOf(line, index + 2)]));
}

function valueOf(line: string, number: number): PublicIndexRate {
  const [indexName = '', date = '', value = '', ...more] = line.split(',');
  const from = parseDay(date);
  const rate = parseRate(value);
  if (indexName === '' || from === undefined || rate === undefined || more.length > 0)
    throw new TypeError(`line ${number} is no value of an index: ${line}`);
  return { indexName, from, rate };
}
