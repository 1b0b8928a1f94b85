import { randomUUID } from 'node:crypto';
import { Refusal } from '../../errors.js';
import type { EvolveEnv } from '../actor.js';
import { factOf, SYSTEM_AGENT, type Tenant } from '../fact.js';
import { unavailable } from '../journal/committer.js';
import { packFact } from '../journal/records.js';
import { LIMITS, SHARED_SHARD } from '../limits.js';
import { Answers } from '../policy.js';
import type { ClusterPart } from './cluster-part.js';
import { withinReadWait } from './read-wait.js';
import type { Runtime } from './runtime.js';

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
  const fact = factOf(
    { type, body },
    { tenant, kind: 'calendar', id: tenant.company },
    {
      sequence: position.sequence,
      stamp: world.nextStamp(machineMs),
      businessAt: world.calendars.now(tenant, machineMs),
      by: SYSTEM_AGENT,
      requestId: commandId,
      commandId,
    },
  );
  world.apply(fact, null, NO_ENV);
  runtime.committer.add(SHARED_SHARD, fact.sequence, [packFact(fact, position.idCounter)]);
}

/** Calendar facts change only the calendars and read nothing. */
const NO_ENV: EvolveEnv = {
  answerTo: (asked) => new Answers([]).answerTo(asked),
  read: () => undefined,
  derivedId: () => '',
  open: () => undefined,
  findExternal: () => undefined,
};
