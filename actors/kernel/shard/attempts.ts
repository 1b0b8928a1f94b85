import { Refusal } from '../../errors.js';
import type { ClusterPart } from './cluster-part.js';
import { Elsewhere, type Guests, type Need } from './remote-cache.js';
import { LIMITS } from '../limits.js';
import { RowsMissing } from '../lists/rows-loading.js';
import type { SharedFacts } from './shared-facts-waiting.js';
import { withinReadWait } from './waiting.js';

export interface AttemptParts {
  readonly part: ClusterPart | undefined;
  readonly sharedFacts: SharedFacts;
  guests(): Guests;
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
