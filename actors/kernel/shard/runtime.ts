import type { Day } from '../../../engine/index.js';
import type { Tenant } from '../fact.js';
import type { Operations } from '../jobs/operations.js';
import type { Ticket } from '../journal/committer.js';
import type { KeyStore } from '../ports.js';
import type { Replies } from './replies.js';
import type { Work } from './work.js';
import type { World } from './world.js';

/** What a command or query needs of the engine around it. */
export interface Runtime {
  readonly world: World;
  readonly keys: KeyStore;
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
  /** Adds the records of a piece of work to the gathering batch. */
  commit(shard: number, work: Work): Ticket;
  /** The batch that a read over many actors waits for; null when everything is durable. */
  newestTicket(): Ticket | null;
  commitRecords(shard: number, firstSequence: number, records: readonly Uint8Array[]): Ticket;
}
