import { Refusal } from '../../errors.js';
import type { Tenant } from '../fact.js';
import type { Selection } from '../jobs/mass-facts.js';
import type { MassWork } from '../jobs/mass-works.js';
import type { OperationView } from '../jobs/share-views.js';
import { LIMITS } from '../limits.js';

/** Which part of a cluster a process is. */
export interface ClusterPart {
  /** The shards that it owns: all others are on other workers. The shared shard is read everywhere and written by its owner. */
  readonly shards: ReadonlySet<number>;
  /** Has the owner of the shared shard record a fact of a calendar. Resolves when it is durable. */
  recordShared(tenant: Tenant, type: string, body: unknown): Promise<void>;
  /** The highest stamp up to which readers were told, by whoever had the part before, that all its events have come. */
  toldStamp(): Promise<number>;
  /**
   * Resolves once readers may be told that all events up to the stamp have come: whoever has the part later begins behind it. Throws
   * `unavailable`.
   */
  mayTell(stamp: number): Promise<void>;
  /** Nothing more is told of it here. */
  tellsNoMore(): Promise<void>;
  /** The state of an actor of another part, to be read only; undefined when there is none. */
  actorOf(tenant: Tenant, kind: string, id: string): Promise<unknown>;
  /** How many actors a selection is about, in all parts. */
  countOf(tenant: Tenant, selection: Selection): Promise<number>;
  /** How mass work stands in all parts together. Throws `notFound` where nobody knows of it any more. */
  operation(tenant: Tenant, operationId: string): Promise<OperationView>;
  /** Who has an external id anywhere. */
  holderOf(tenant: Tenant, kind: string, externalId: string): Promise<string | undefined>;
  /** The same; where nobody has it, no other command gets it for `LIMITS.claimMs`. Throws `conflict` while another has claimed it. */
  claim(claim: ExternalClaim): Promise<string | undefined>;
}

/** A command is about to give an external id to an object. */
export interface ExternalClaim {
  readonly tenant: Tenant;
  readonly kind: string;
  readonly externalId: string;
  /** Id of the command, the same when it is tried again. */
  readonly claimant: string;
}

/** Whether all parts have done their share of mass work. What nobody knows of any more is done; of a part that is away nobody knows. */
export async function isDoneEverywhere(part: ClusterPart, { tenant, operationId }: MassWork): Promise<boolean> {
  try {
    return (await part.operation(tenant, operationId)).finishedAt !== null;
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    return cause.errorType === 'notFound';
  }
}

/** A process alone: every shard is its own. */
export const ALL_SHARDS: ReadonlySet<number> = new Set(Array.from({ length: LIMITS.shards + 1 }, (_, shard) => shard));

/** Why an engine serves nothing any more: what callers are told, and the operator. */
export interface Ending {
  readonly told: string;
  readonly reported: string;
}

/** Failures of the journal after which nothing that is held in memory may be seen any more, by their codes. */
const ENDINGS: Readonly<Record<string, Ending>> = {
  journalFenced: {
    told: 'Another worker has taken over.',
    reported: 'Another worker has taken over shards of this one: it serves nothing any more.',
  },
  streamDamaged: {
    told: 'A part of the journal is damaged or lost, and waits for the operator.',
    reported:
      'The journal is damaged, or its server has lost what it had acknowledged: these shards are not served until an operator has restored it.',
  },
};

const codeOf = (cause: unknown): string => String((cause as { readonly code?: unknown } | null)?.code);

export const endingOf = (cause: unknown): Ending | null => ENDINGS[codeOf(cause)] ?? null;

/** Of the journal something is damaged or missing that was acknowledged: to open it again does not help. */
export const isLost = (cause: unknown): boolean => codeOf(cause) === 'streamDamaged';

/** A command needs a fact of a calendar that another worker has to record first. Nothing was changed. */
export class SharedFactMissing extends Refusal {
  constructor(
    readonly tenant: Tenant,
    readonly fact: string,
    readonly body: unknown,
  ) {
    super('unavailable', 'A calendar is being opened for the first time.', { retryAfterSeconds: 1 });
  }
}

/** A command has come to a worker that does not own its shard. Nothing was changed. */
export const notHere = (what: string): Refusal =>
  new Refusal('unavailable', `${what} is served by another worker.`, { retryAfterSeconds: 1 });
