export { DamagedRecord, openScratch, SnapshotWriteFailed } from './lmdb-store.js';
export { openSnapshots, openSnapshotsBeside, type OpenedSnapshots, removeSetAside } from './open-snapshots.js';
