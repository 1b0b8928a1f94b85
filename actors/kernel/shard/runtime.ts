import type { Day } from '../../../engine/index.js';
import type { EventLog } from '../events/event-log.js';
import type { Tenant } from '../fact.js';
import type { Operations } from '../jobs/operations.js';
import type { Committer } from '../journal/committer.js';
import type { KeyStore } from '../ports.js';
import type { Replies } from './replies.js';
import type { World } from './world.js';

/** What a command or query needs of the engine around it. */
export interface Runtime {
  readonly world: World;
  readonly keys: KeyStore;
  readonly committer: Committer;
  readonly events: EventLog;
  /** Counts published events. */
  readonly published: (count: number) => void;
  readonly replies: Replies;
  readonly operations: Operations;
  readonly machineMs: () => number;
  /** The time by which stored replies expire; see `JournalTime`. */
  readonly journalMs: () => number;
  /** Service id of an AnyId of a kind; throws `notFound`. */
  readonly locate: (tenant: Tenant, kind: string, target: string) => string;
  recordShared(tenant: Tenant, type: string, body: unknown): void;
  /** Opens the calendar of a zone that the tenant has not used yet. */
  readonly openZone: (tenant: Tenant, zone: string, lastClosed: Day) => void;
}
