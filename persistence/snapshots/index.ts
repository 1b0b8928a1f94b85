export { DamagedRecord, SnapshotWriteFailed } from './errors.js';
export { openSnapshots, type OpenedSnapshots } from './open-snapshots.js';
