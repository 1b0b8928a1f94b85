export { ClusterClient } from './cluster-client.js';
export { OwnersLook } from './owners-look.js';
export { ClusterEvents, type EventsRead } from './cluster-events.js';
export type { PlacedEvent } from './event-parts.js';
export {
  clusterReport,
  type ProcessStatus,
  processStatus,
  reportOfProcess,
  serveStatus,
  type ShardsLine,
  type ShardsReport,
  type UnitStatus,
} from './cluster-status.js';
export { placeAfter, stampThrough } from './event-places.js';
export { clusterPart } from './part.js';
export { BORROWER_UNITS, SHARED_UNIT, type Unit, unitOf, UNITS, unitsOfOwners } from './units.js';
export { NotHeld, type OpenedUnit, Worker } from './worker.js';
export { UnitsClient } from './units-client.js';
