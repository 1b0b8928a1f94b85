export { LeaseHolder } from './lease-holder.js';
export type { LeaseOwner, LeaseTimes, MonotonicClock } from './lease-options.js';
export type { Heartbeat } from './heartbeat.js';
export { computePlacement, type Placement } from './compute-placement.js';
export { isConflict, isUnavailable, type Lease, parseLease, parseWorker, workerKey } from './records.js';
export { UnitOwners } from './cluster-view.js';
