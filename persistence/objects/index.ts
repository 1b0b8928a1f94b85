export { arriveWithSnapshots } from './arrive-with-snapshots.js';
export { ClusterSnapshots, type SnapshotFinding, type StoredUnit } from './cluster-snapshots.js';
