export { arriveWithSnapshots } from './arrive.js';
export { SnapshotKeeper } from './snapshot-keeper.js';
export { UnitObjects } from './unit-objects.js';
export { type FetchedEnvironment, UnitSnapshots } from './unit-snapshots.js';
