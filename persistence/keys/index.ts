export { ClusterIdentity, ClusterMismatch, noteRestore } from './cluster-identity.js';
export { type KeyEntry, ReadKeys } from './data-keys.js';
export {
  DataKeyMissing,
  KeyFileDamaged,
  KeyFlushFailed,
  MasterKeyError,
  SealBroken,
} from './errors.js';
export { openKeyStore, type OpenedKeyStore } from './key-store.js';
export { openFolderIdentity } from './folder-identity.js';
export { isMasterKey, keyFaultsOf, loadMasterKey, parseMasterKey, readMasterKey } from './master-key.js';
export { openStreamKeyStore, type StreamKeyStore, type StreamKeyStoreOptions } from './stream-key-store.js';
