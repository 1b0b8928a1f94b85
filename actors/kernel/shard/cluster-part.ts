import { Refusal } from '../../errors.js';
import type { Tenant } from '../fact.js';
import type { MassWork, Selection } from '../jobs/mass-works.js';
import type { OperationView } from '../jobs/share-views.js';
import { LIMITS } from '../limits.js';

/** The unit of a cluster that an engine serves, and what it asks the other units. */
export interface ClusterPart {
  /** The shards that it owns: all others are on other workers. The shared shard is read everywhere and written by its owner. */
  readonly shards: ReadonlySet<number>;
  /** Has the owner of the shared shard record a fact of a calendar. Resolves when it is durable. */
  recordShared(tenant: Tenant, type: string, body: unknown): Promise<void>;
  /** The highest stamp that previous owners of the unit have published to readers. */
  publishedStamp(): Promise<number>;
  /**
   * Resolves once all events up to the stamp may be published to readers: a later owner of the unit begins above it. Throws `unavailable`.
   */
  mayPublish(stamp: number): Promise<void>;
  /** Nothing more is published here. */
  endPublishing(): Promise<void>;
  /** The state of an actor of another unit, to be read only; undefined when there is none. */
  actorOf(tenant: Tenant, kind: string, id: string): Promise<unknown>;
  /** The states of the actors of a kind below an actor of another unit, to be read only. */
  actorsBelow(tenant: Tenant, kind: string, parentId: string): Promise<readonly unknown[]>;
  /** How many actors match a selection, in all units. */
  countOf(tenant: Tenant, selection: Selection): Promise<number>;
  /** The operation of mass work in all units together. Throws `notFound` when it is no longer kept. */
  operation(tenant: Tenant, operationId: string): Promise<OperationView>;
  /** The object that has an external id in any unit. */
  holderOf(tenant: Tenant, kind: string, externalId: string): Promise<string | undefined>;
  /** The same; if none has it, no other command gets it for `LIMITS.claimMs`. Throws `conflict` while another has claimed it. */
  claim(claim: ExternalClaim): Promise<string | undefined>;
}

/** A command is about to give an external id to an object. */
export interface ExternalClaim {
  readonly tenant: Tenant;
  readonly kind: string;
  readonly externalId: string;
  /** Id of the command, the same when it is sent again. */
  readonly claimant: string;
}

/** Whether all units have done their share of mass work. True when it is no longer kept; false while a unit cannot be reached. */
export async function isDoneEverywhere(part: ClusterPart, { tenant, operationId }: MassWork): Promise<boolean> {
  try {
    return (await part.operation(tenant, operationId)).finishedAt !== null;
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    return cause.errorType === 'notFound';
  }
}

/** A single process: every shard is its own. */
export const ALL_SHARDS: ReadonlySet<number> = new Set(Array.from({ length: LIMITS.shards + 1 }, (_, shard) => shard));

/** A command has come to a worker that does not own its shard. Nothing was changed. */
export const notHere = (what: string): Refusal =>
  new Refusal('unavailable', `${what} is served by another worker. Try again in a second.`, { retryAfterSeconds: 1 });
