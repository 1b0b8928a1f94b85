export { DataKeyMissing, KeyFileDamaged, KeyFlushFailed, MasterKeyError, SealBroken } from './errors.js';
export { type KeyStoreOptions, openKeyStore, type OpenedKeyStore } from './key-store.js';
export { loadMasterKey, parseMasterKey } from './master-key.js';
