export { DamagedRecord } from './lmdb-store.js';
export { openSnapshots, type OpenedSnapshots, type SetAside } from './open-snapshots.js';
