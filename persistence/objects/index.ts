export { arriveWithSnapshots } from './arrive.js';
export { ClusterSnapshots, type SnapshotFinding, type StoredUnit } from './cluster-snapshots.js';
