export { KeyFileDamaged } from './key-file.js';
export { openKeyStore } from './key-store.js';
export { loadMasterKey, MasterKeyError, parseMasterKey } from './master-key.js';
