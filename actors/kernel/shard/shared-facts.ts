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
import { Elsewhere, type RemoteCache, type Need } from './actor-cache.js';
import type { Runtime } from './reading.js';

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

/** A read that waits longer than the bound is answered `late`, a 503, instead. */
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

  /** `sequence` tells how far the shared shard is known here. */
  constructor(
    private readonly part: ClusterPart | undefined,
    private readonly sequence: () => number,
  ) {}

  /** Resolves when the shared shard is known here up to the sequence; throws `unavailable` past the bound of a read. */
  async known(sequence: number): Promise<void> {
    while (this.sequence() < sequence) await withinReadWait(this.#next(), unavailable('What all share is not known here yet.'));
  }

  /** What needs such a fact is done again from its beginning once that is here; within bounds, else a 503. */
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
  guests(): RemoteCache;
  /** Resolves when the list index is in memory. */
  listed(): Promise<void>;
  /** Throws `unavailable` where the cause is a damaged record, which is being rebuilt. */
  assertWhole(cause: unknown): void;
}

/**
 * Runs a command or query, and once more from its beginning when it met something that was not there yet and has come now:
 * the list index after a start, a calendar that another worker opens, an object of another part of the cluster.
 */
export class Attempts {
  constructor(private readonly parts: AttemptParts) {}

  /**
   * What `run` gives, at once where nothing has to be waited for: nearly always. `claimant`: the command that asks, which claims the
   * external ids that it finds free; null for a query.
   */
  run<T>(run: () => T | Promise<T>, claimant: string | null): T | Promise<T> {
    const { part, sharedFacts } = this.parts;
    return this.#onceListed(part === undefined ? run : () => sharedFacts.once(() => this.#onceFetched(part, async () => run(), claimant)));
  }

  /** Runs it, or resolves once it could be run since what it needs elsewhere has come; null: nothing was missing. */
  fetched(run: () => void, goesOn: () => boolean): Promise<void> | null {
    try {
      run();
      return null;
    } catch (cause) {
      if (!(cause instanceof Elsewhere)) throw cause;
      return this.untilFetched(async () => run(), goesOn);
    }
  }

  /** Background work that waits for a part of the cluster that is away, as long as it `goesOn`. */
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

  /** After a start lists are not there yet: what asks for one waits, within the bound of a read. */
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
          if (!(cause instanceof Elsewhere) || tried > LIMITS.guestTries) throw cause;
          if (cause.need.type === 'count') counts.push(cause.need);
          await this.#fetch(part, cause.need, claimant);
        }
      }
    } finally {
      for (const need of counts) this.parts.guests().forget(need); // whoever counts next may come after a loan that is made now
    }
  }

  async #fetch(part: ClusterPart, need: Need, claimant: string | null): Promise<void> {
    const guests = this.parts.guests(); // those of now: memory may be computed anew meanwhile
    if (need.type === 'actor') return guests.put(need, await part.actorOf(need.tenant, need.kind, need.id), LIMITS.guestMs);
    if (need.type === 'count') return guests.put(need, await part.countOf(need.tenant, need.selection), LIMITS.guestMs);
    if (claimant === null) return guests.put(need, await part.holderOf(need.tenant, need.kind, need.externalId), LIMITS.guestMs);
    const askedMs = performance.now();
    const holder = await part.claim({ ...need, claimant });
    guests.put(need, holder, LIMITS.claimMs / 2 - (performance.now() - askedMs)); // counted from before the asking, and half of it kept for what the commit takes
  }
}

/**
 * Records a fact of a tenant's calendar, which all shards live by, and applies it. Throws `SharedFactMissing` where that is another
 * worker's to do.
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

/** Calendar facts change the calendars alone and ask for nothing. */
const NO_ENV: EvolveEnv = {
  answerTo: (asked) => new Answers([]).answerTo(asked),
  read: () => undefined,
  derivedId: () => '',
  open: () => undefined,
  findExternal: () => undefined,
};
