import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { KeyStore, LateWorkMeasure, MessageMeasure } from '../actors/index.js';
import { addressesOf, removeUnencrypted, type Settings } from '../bench/index.js';
import {
  AddressRules,
  Deliveries,
  type DeliveriesOptions,
  type DeliveryMeasure,
  DeliveryStore,
  HttpOutgoing,
  type RunnerMeasure,
} from '../gateway/index.js';
import {
  type KeptViewsOptions,
  Maildir,
  NatsEventStream,
  type OpenedSnapshots,
  OutboxStream,
  QuestionStore,
  StreamOutbox,
} from '../persistence/index.js';
import { adaptersOf } from './adapters.js';

/** The addresses that webhooks and other outgoing requests may reach. */
export const outgoingRules = ({ outgoingAllowed }: Settings): AddressRules => new AddressRules(addressesOf(outgoingAllowed));

type OwnParts = Pick<
  DeliveriesOptions,
  'stores' | 'keys' | 'holds' | 'shared' | 'measure' | 'messageMeasure' | 'lateWorkMeasure' | 'campaignMeasure'
> & {
  /**
   * Where views outlive the process, and how it hears of erasures. Absent in a cluster: the next owner of the shared shard could not erase
   * what lies here.
   */
  readonly keptViews?: KeptViewsOptions & { readonly onErasure: (listener: () => void) => void };
};

/** Everything that the service sends by itself: webhooks, events for an external stream, messages. */
export function deliveriesOf(
  settings: Settings,
  { keptViews, ...parts }: OwnParts,
  /** Of the process alone, or of the unit that it owns. */
  folder: string,
  log: Logger,
): Deliveries {
  const views = new QuestionStore({
    folder: join(folder, 'questions'),
    ...(keptViews ? { kept: keptViews } : {}),
    report: (level, message, details) => log[level](details, message),
  });
  keptViews?.onErasure(() => views.eraseKept());
  return new Deliveries({
    ...parts,
    outgoing: new HttpOutgoing(outgoingRules(settings)),
    publishTo: settings.eventsNats === null ? null : new NatsEventStream(settings.eventsNats),
    adapters: adaptersOf(settings, (message, details) => log.warn(details, message)),
    publicUrl: settings.publicUrl,
    async forget(borrower) {
      views.eraseKept(); // again: an erasure may have been interrupted
      await removeUnencrypted(settings, borrower);
    },
    bounces: settings.bounces === null ? null : new Maildir(settings.bounces),
    campaigns: { views, rules: outgoingRules(settings) },
    report: (level, message, details) => log[level](details, message),
  });
}

interface SharedParts {
  readonly stores: OpenedSnapshots;
  readonly keys: KeyStore;
  readonly measure: DeliveryMeasure;
  readonly messageMeasure: MessageMeasure;
  readonly lateWorkMeasure: LateWorkMeasure;
  readonly campaignMeasure: RunnerMeasure;
  /** The name of the process in the cluster. */
  readonly owner: string;
  readonly isHeld: () => boolean;
  /** The folder of the unit. */
  readonly folder: string;
}

/** The deliveries of a cluster, made by the owner of the shared shard. */
export function sharedDeliveries(
  settings: Settings,
  connection: NatsConnection,
  { stores, owner, isHeld, folder, ...measures }: SharedParts,
  log: Logger,
): Deliveries {
  const { cluster } = settings;
  const outbox = new StreamOutbox({
    openStream: () => OutboxStream.open({ connection, name: `${cluster}-deliveries`, subjects: `${cluster}.deliveries` }),
    local: stores,
    owner,
    isHeld,
    isShared: DeliveryStore.isShared,
    entriesOf: DeliveryStore.entriesOf,
    report: (message, details) => log.warn(details, message),
  });
  const rebuild = (environment: string): Promise<void> => outbox.rebuild(environment);
  const holds = (): boolean => outbox.isOpen && isHeld();
  return deliveriesOf(settings, { stores: { outbox, rebuild }, shared: outbox, holds, ...measures }, folder, log);
}
