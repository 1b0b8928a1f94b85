export { DamagedRecord, SnapshotWriteFailed } from './errors.js';
export { openSnapshots, openSnapshotsBeside, type OpenedSnapshots } from './open-snapshots.js';
