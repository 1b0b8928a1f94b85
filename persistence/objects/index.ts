export { arriveWithSnapshots, snapshotsBucketOf } from './arrive.js';
export { ClusterSnapshots, type SnapshotFinding, type StoredUnit } from './cluster-snapshots.js';
export { SnapshotKeeper } from './snapshot-keeper.js';
export { UnitObjects } from './unit-objects.js';
export { type FetchedEnvironment, UnitSnapshots } from './unit-snapshots.js';
