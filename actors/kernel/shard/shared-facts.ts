import { fieldOf } from '../../../engine/index.js';
import { randomUUID } from 'node:crypto';
import { Refusal } from '../../errors.js';
import type { EvolveEnv } from '../actor.js';
import { type Fact, RULES_VERSION, SCHEMA_VERSION, SYSTEM_AGENT, type Tenant } from '../fact.js';
import type { MassWork, Selection } from '../jobs/mass-works.js';
import type { OperationView } from '../jobs/share-views.js';
import { unavailable } from '../journal/committer.js';
import { packFact } from '../journal/records.js';
import { LIMITS, SHARED_SHARD } from '../limits.js';
import { RowsMissing } from '../lists/rows-loading.js';
import { Answers } from '../policy.js';
import { RemoteStateRequired, type RemoteCache, type Need } from './actor-cache.js';
import type { Runtime } from './reading.js';

/** The part of a cluster that a process is. */
export interface ClusterPart {
  /** The shards that it owns: all others are on other workers. The shared shard is read everywhere and written by its owner. */
  readonly shards: ReadonlySet<number>;
  /** Has the owner of the shared shard record a fact of a calendar. Resolves when it is durable. */
  recordShared(tenant: Tenant, type: string, body: unknown): Promise<void>;
  /** The highest stamp that previous owners of the part have published to readers. */
  publishedStamp(): Promise<number>;
  /**
   * Resolves once all events up to the stamp may be published to readers: a later owner of the part begins above it. Throws `unavailable`.
   */
  mayPublish(stamp: number): Promise<void>;
  /** Nothing more is published here. */
  endPublishing(): Promise<void>;
  /** The state of an actor of another part, to be read only; undefined when there is none. */
  actorOf(tenant: Tenant, kind: string, id: string): Promise<unknown>;
  /** How many actors match a selection, in all parts. */
  countOf(tenant: Tenant, selection: Selection): Promise<number>;
  /** The operation of mass work in all parts together. Throws `notFound` when it is no longer kept. */
  operation(tenant: Tenant, operationId: string): Promise<OperationView>;
  /** The object that has an external id in any part. */
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

/** Whether all parts have done their share of mass work. True when it is no longer kept; false while a part cannot be reached. */
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

/** Why an engine no longer serves, for callers and for the operator. */
export interface Ending {
  readonly forCallers: string;
  readonly forOperator: string;
}

/** Failures of the journal after which nothing in memory may be read any more, by their codes. */
const ENDINGS: Readonly<Record<string, Ending>> = {
  journalFenced: {
    forCallers: 'Another worker has taken over.',
    forOperator: 'Another worker has taken over shards of this one: it serves nothing any more.',
  },
  streamDamaged: {
    forCallers: 'A part of the journal is damaged or lost: an operator has to restore it.',
    forOperator:
      'The journal is damaged, or its server has lost acknowledged records: these shards are not served until an operator has restored it.',
  },
};

const codeOf = (cause: unknown): string => String(fieldOf(cause, 'code'));

export const endingOf = (cause: unknown): Ending | null => ENDINGS[codeOf(cause)] ?? null;

/** Acknowledged records of the journal are damaged or missing: opening it again does not help. */
export const isLost = (cause: unknown): boolean => codeOf(cause) === 'streamDamaged';

/** A command needs a fact of a calendar that another worker has to record first. Nothing was changed. */
class SharedFactMissing extends Refusal {
  constructor(
    readonly tenant: Tenant,
    readonly fact: string,
    readonly body: unknown,
  ) {
    super('unavailable', 'A calendar is being opened for the first time. Try again in a second.', { retryAfterSeconds: 1 });
  }
}

/** A command has come to a worker that does not own its shard. Nothing was changed. */
export const notHere = (what: string): Refusal =>
  new Refusal('unavailable', `${what} is served by another worker. Try again in a second.`, { retryAfterSeconds: 1 });

/** A read that waits longer than the limit is answered with `late`, a 503. */
export async function withinReadWait(awaited: Promise<void>, late: Refusal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late), LIMITS.readWaitMs);
  });
  try {
    await Promise.race([awaited, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Commands of a worker that need a calendar which the owner of the shared shard has to open first. */
export class SharedFacts {
  readonly #waiting = new Set<() => void>();

  /** `sequence` returns the sequence up to which the shared shard is known here. */
  constructor(
    private readonly part: ClusterPart | undefined,
    private readonly sequence: () => number,
  ) {}

  /** Resolves when the shared shard is known here up to the sequence; throws `unavailable` after the limit of a read. */
  async known(sequence: number): Promise<void> {
    while (this.sequence() < sequence)
      await withinReadWait(this.#next(), unavailable('The shared configuration is not up to date here yet.'));
  }

  /** Runs again from the beginning once a missing fact has come; within limits, then a 503. */
  once<T>(run: () => Promise<T>): Promise<T> {
    return this.part === undefined ? run() : this.#onceOpened(this.part, run);
  }

  async #onceOpened<T>(part: ClusterPart, run: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await run();
      } catch (cause) {
        if (!(cause instanceof SharedFactMissing) || tried > LIMITS.sharedTries) throw cause;
        const advanced = this.#next();
        await part.recordShared(cause.tenant, cause.fact, cause.body);
        await withinReadWait(advanced, cause);
      }
    }
  }

  #next(): Promise<void> {
    return new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /** Facts of the shared shard have come. */
  advanced(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

export interface AttemptParts {
  readonly part: ClusterPart | undefined;
  readonly sharedFacts: SharedFacts;
  remoteCache(): RemoteCache;
  /** Resolves when the list index is in memory. */
  listed(): Promise<void>;
  /** Throws `unavailable` if the cause is a damaged record, which is being rebuilt. */
  assertWhole(cause: unknown): void;
}

/**
 * Runs a command or query, and again from its beginning when something was missing that has come now: the list index after a start, a
 * calendar that another worker opens, an object of another part of the cluster.
 */
export class Attempts {
  constructor(private readonly parts: AttemptParts) {}

  /**
   * Returns the result of `run`: at once when nothing has to be waited for, as nearly always. `claimant`: the command, which claims the
   * external ids that it finds free; null for a query.
   */
  run<T>(run: () => T | Promise<T>, claimant: string | null): T | Promise<T> {
    const { part, sharedFacts } = this.parts;
    return this.#onceListed(part === undefined ? run : () => sharedFacts.once(() => this.#onceFetched(part, async () => run(), claimant)));
  }

  /** Runs it, or resolves when it has run after the remote state that it needs has come; null: nothing was missing. */
  fetched(run: () => void, goesOn: () => boolean): Promise<void> | null {
    try {
      run();
      return null;
    } catch (cause) {
      if (!(cause instanceof RemoteStateRequired)) throw cause;
      return this.untilFetched(async () => run(), goesOn);
    }
  }

  /** Background work that waits for an unreachable part of the cluster, as long as `goesOn`. */
  async untilFetched(run: () => Promise<void>, goesOn: () => boolean): Promise<void> {
    const { part } = this.parts;
    while (part !== undefined && goesOn()) {
      try {
        return await this.#onceFetched(part, run, null);
      } catch (cause) {
        if (!(cause instanceof Refusal) || cause.errorType !== 'unavailable') throw cause;
        await new Promise((resolve) => setTimeout(resolve, LIMITS.reopenEveryMs));
      }
    }
  }

  /** After a start lists are not there yet: a request that needs one waits, within the limit of a read. */
  #onceListed<T>(run: () => T | Promise<T>): T | Promise<T> {
    try {
      const begun = run();
      return begun instanceof Promise ? begun.catch((cause: unknown) => this.#listedNow(cause, run)) : begun;
    } catch (cause) {
      return this.#listedNow(cause, run);
    }
  }

  async #listedNow<T>(cause: unknown, run: () => T | Promise<T>): Promise<T> {
    this.parts.assertWhole(cause);
    if (!(cause instanceof RowsMissing)) throw cause;
    await withinReadWait(this.parts.listed(), cause);
    return run();
  }

  async #onceFetched<T>(part: ClusterPart, run: () => Promise<T>, claimant: string | null): Promise<T> {
    const counts: Need[] = [];
    try {
      for (let tried = 1; ; tried += 1) {
        try {
          return await run();
        } catch (cause) {
          if (!(cause instanceof RemoteStateRequired) || tried > LIMITS.remoteTries) throw cause;
          if (cause.need.type === 'count') counts.push(cause.need);
          await this.#fetch(part, cause.need, claimant);
        }
      }
    } finally {
      for (const need of counts) this.parts.remoteCache().forget(need); // before the next count another loan may be created
    }
  }

  async #fetch(part: ClusterPart, need: Need, claimant: string | null): Promise<void> {
    const remoteCache = this.parts.remoteCache(); // the present one: memory may be reloaded meanwhile
    if (need.type === 'actor') return remoteCache.put(need, await part.actorOf(need.tenant, need.kind, need.id), LIMITS.remoteMs);
    if (need.type === 'count') return remoteCache.put(need, await part.countOf(need.tenant, need.selection), LIMITS.remoteMs);
    if (claimant === null) return remoteCache.put(need, await part.holderOf(need.tenant, need.kind, need.externalId), LIMITS.remoteMs);
    const askedMs = performance.now();
    const holder = await part.claim({ ...need, claimant });
    // Counted from before the request; half of the time is kept for the commit.
    remoteCache.put(need, holder, LIMITS.claimMs / 2 - (performance.now() - askedMs));
  }
}

/**
 * Records a fact of a tenant's calendar, which all shards use, and applies it. Throws `SharedFactMissing` when another worker has to record
 * it.
 */
export function recordShared(runtime: Runtime, tenant: Tenant, type: string, body: unknown): void {
  const { world } = runtime;
  if (!world.owns(SHARED_SHARD)) throw new SharedFactMissing(tenant, type, body);
  const commandId = `calendar-${randomUUID()}`;
  const machineMs = runtime.machineMs();
  const position = world.position(SHARED_SHARD);
  position.sequence += 1;
  const fact: Fact = {
    sequence: position.sequence,
    tenant,
    kind: 'calendar',
    id: tenant.company,
    type,
    body,
    stamp: world.nextStamp(machineMs),
    businessAt: world.calendars.now(tenant, machineMs),
    effective: null,
    by: SYSTEM_AGENT,
    address: null,
    caseId: null,
    requestId: commandId,
    commandId,
    schemaVersion: SCHEMA_VERSION,
    rulesVersion: RULES_VERSION,
  };
  world.apply(fact, null, NO_ENV);
  runtime.commitRecords(SHARED_SHARD, fact.sequence, [packFact(fact, position.idCounter)]);
}

/** Calendar facts change only the calendars and read nothing. */
const NO_ENV: EvolveEnv = {
  answerTo: (asked) => new Answers([]).answerTo(asked),
  read: () => undefined,
  derivedId: () => '',
  open: () => undefined,
  findExternal: () => undefined,
};
