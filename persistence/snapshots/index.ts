export { DamagedRecord, SnapshotWriteFailed } from './errors.js';
export { openSnapshots, openSnapshotsBeside, type OpenedSnapshots, removeSetAside } from './open-snapshots.js';
