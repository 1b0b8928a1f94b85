export { ClusterClient, clusterPart } from './cluster-client.js';
export {
  clusterReport,
  NotHeld,
  type OpenedUnit,
  OwnersLook,
  processStatus,
  type ProcessStatus,
  reportOfProcess,
  serveStatus,
  type ShardsLine,
  type ShardsReport,
  type UnitStatus,
  Worker,
} from './worker.js';
export { ClusterEvents, type EventsRead, type PositionedEvent } from './cluster-events.js';
export { positionAfter, stampThrough } from './destinations.js';
export { UnitsClient } from './units-client.js';
export { BORROWER_UNITS, SHARED_UNIT, type Unit, unitOf, UNITS, unitsOfOwners } from './units.js';
