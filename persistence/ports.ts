/** The ports that this folder implements: the one place where they are imported. */
export type {
  Clock,
  Journal,
  KeyStore,
  KeyValue,
  ShardBlock,
  ShardHead,
  Snapshots,
  StoredBlock,
} from '../actors/index.js';
