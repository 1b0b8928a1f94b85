export { type BucketLocation, bucketLocation, signed } from './bucket.js';
export { ERRORS, type ErrorType, type Fault, Refusal, refuseProperty } from './errors.js';
export { EVENT_TYPES, type EventType } from './event-types.js';
export { INSPECTED, type InspectedMachine, MACHINES } from './event-moves.js';
export { type FactMove, watchingMoves } from './fact-moves.js';
export { type InspectedMove, type InspectionLine, Inspector } from './inspector.js';
export type * from './kernel/actor.js';
export { actorModule } from './kernel/actor.js';
export type { ClusterPart } from './kernel/shard/cluster-part.js';
export { Engine, type EngineMeasure, type EngineParts } from './kernel/shard/engine.js';
export { type EventFilter, matches as eventMatches } from './kernel/events/event-index.js';
export {
  type Agent,
  type Mode,
  type StoredEvent,
  SYSTEM_AGENT,
  type Tenant,
} from './kernel/fact.js';
export { eventFilterOf, eventView, type EventView } from './kernel/events/event-pages.js';
export type { Services } from './kernel/shard/system.js';
export { inSteps } from './kernel/jobs/in-steps.js';
export { operationView } from './kernel/jobs/operation-views.js';
export { closedZones } from './kernel/jobs/closed-zones.js';
export { BoundedMap } from './kernel/lists/bounded-map.js';
export type { OperationView } from './kernel/jobs/share-views.js';
export { LIMITS as RUNTIME_LIMITS, SHARED_SHARD } from './kernel/limits.js';
export { isForNow, ServiceCalls } from './kernel/jobs/service-calls.js';
export { newOperationId, operationIdOf } from './kernel/jobs/operations.js';
export type * from './kernel/ports.js';
export { Unanswered } from './kernel/ports.js';
export { KeyOwners, recompute, type Recomputed } from './kernel/journal/recompute.js';
export { isOfSnapshots, recordsStored, SNAPSHOT_FORMAT } from './kernel/snapshots/stored-names.js';
export { type ActorOwners, Resealer, type SealingKeys } from './kernel/journal/reseal.js';
export { cutBlock, restoredBlock } from './kernel/journal/restore-cut.js';
export { JournalSummary } from './kernel/journal/journal-time.js';
export { Scheduler } from './kernel/shard/scheduler.js';
export { type TestClockView } from './kernel/shard/test-clocks.js';
export * from './kernel/cluster/index.js';
export * from './wire.js';
export * from './loan/index.js';
export * from './borrower/index.js';
export * from './company/index.js';
export type { VersionedCreateQuery, VersionQuery } from './kernel/resources/index.js';
export { KEPT_FILES } from './kept-files.js';
export { RetentionRunner } from './kernel/jobs/retention-runner.js';
export { noLongerKept } from './kernel/retention.js';
export { actorModules, withRules } from './modules.js';
export * from './contact/index.js';
export * from './casework/index.js';
export * from './money/index.js';
export * from './daily/index.js';
export * from './questions/index.js';
export { EVERY_PERMISSION, isPermitted } from './permission.js';
export * from './kernel/placement/index.js';
export { matching, type OffsetQuery, pageOf, type PageQuery } from './list-order.js';
