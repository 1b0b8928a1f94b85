export { LeaseHolder, type LeaseOwner, type LeaseTimes, type MonotonicClock } from './lease-holder.js';
export type { Pulse } from './pulse.js';
export { place, type Placement } from './place.js';
export { isConflict, isUnavailable, type Lease, parseLease, parseWorker, workerKey } from './records.js';
export { UnitOwners } from './unit-owners.js';
