/** The ports that this folder implements: the one place where they are imported. */
export { Unanswered } from '../actors/index.js';
export type {
  Blobs,
  Bus,
  BusHandler,
  Clock,
  DeliveryAdapter,
  DeliveryAdapters,
  Journal,
  KeyStore,
  KeyValue,
  OutgoingMessage,
  Pulse,
  ShardBlock,
  ShardHead,
  SharedChange,
  SharedEntry,
  SharedKeyValue,
  Snapshots,
  StoredBlock,
} from '../actors/index.js';
