import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { KeyStore } from '../actors/index.js';
import { addressesOf, type Settings } from '../bench/index.js';
import { AddressRules, Deliveries, type DeliveriesOptions, type DeliveryMeasure, DeliveryStore, HttpOutgoing } from '../gateway/index.js';
import { folderAdapters, NatsEventStream, type OpenedSnapshots, OutboxStream, QuestionStore, StreamOutbox } from '../persistence/index.js';

/** Whom webhooks and other requests of ours may reach. */
export const outgoingRules = ({ outgoingAllowed }: Settings): AddressRules => new AddressRules(addressesOf(outgoingAllowed));

/** What leaves the service by itself: calls of webhooks, events to a stream of others, messages. */
export const deliveriesOf = (
  settings: Settings,
  parts: Pick<DeliveriesOptions, 'stores' | 'keys' | 'holds' | 'shared' | 'measure'>,
  log: Logger,
): Deliveries =>
  new Deliveries({
    ...parts,
    outgoing: new HttpOutgoing(outgoingRules(settings)),
    publishTo: settings.eventsNats === null ? null : new NatsEventStream(settings.eventsNats),
    campaigns: {
      views: new QuestionStore({ report: (level, message, details) => log[level](details, message) }),
      rules: outgoingRules(settings),
    },
    adapters: folderAdapters(settings.messages ?? join(settings.dataFolder, 'messages')),
    report: (level, message, details) => log[level](details, message),
  });

interface SharedParts {
  readonly stores: OpenedSnapshots;
  readonly keys: KeyStore;
  readonly measure: DeliveryMeasure;
  /** The name of the process in the cluster. */
  readonly owner: string;
  readonly isHeld: () => boolean;
}

/** Those of a cluster, by whoever owns the unit of what all share. */
export function sharedDeliveries(
  settings: Settings,
  connection: NatsConnection,
  { stores, keys, measure, owner, isHeld }: SharedParts,
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
  return deliveriesOf(
    settings,
    { stores: { outbox, rebuild }, shared: outbox, holds: () => outbox.isOpen && isHeld(), keys, measure },
    log,
  );
}
