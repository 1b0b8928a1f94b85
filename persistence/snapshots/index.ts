export { DamagedRecord, SnapshotWriteFailed } from './errors.js';
export { openSnapshots, type OpenedSnapshots, type SetAside, type SnapshotsOptions } from './open-snapshots.js';
