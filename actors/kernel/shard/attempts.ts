import { Refusal } from '../../errors.js';
import { LIMITS } from '../limits.js';
import { RowsMissing } from '../lists/rows-loading.js';
import { type Need, type RemoteCache, RemoteStateRequired } from './actor-cache.js';
import type { ClusterPart } from './cluster-part.js';
import { withinReadWait } from './read-wait.js';
import type { SharedFacts } from './shared-facts.js';

/**
 * Runs a command or query, and again from its beginning when something was missing that has come now: the list index after a start, a
 * calendar that another worker opens, an object of another unit of the cluster.
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

  /** Background work that waits for an unreachable unit of the cluster, as long as `goesOn`. */
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
          counts.push(...cause.needs.filter(({ type }) => type === 'count'));
          await Promise.all(cause.needs.map((need) => this.#fetch(part, need, claimant)));
        }
      }
    } finally {
      for (const need of counts) this.parts.remoteCache().forget(need); // before the next count another loan may be created
    }
  }

  async #fetch(part: ClusterPart, need: Need, claimant: string | null): Promise<void> {
    const remoteCache = this.parts.remoteCache(); // the present one: memory may be reloaded meanwhile
    if (need.type === 'actor') return remoteCache.put(need, await part.actorOf(need.tenant, need.kind, need.id), LIMITS.remoteMs);
    if (need.type === 'below') return remoteCache.put(need, await part.actorsBelow(need.tenant, need.kind, need.parentId), LIMITS.remoteMs);
    if (need.type === 'count') return remoteCache.put(need, await part.countOf(need.tenant, need.selection), LIMITS.remoteMs);
    if (claimant === null) return remoteCache.put(need, await part.holderOf(need.tenant, need.kind, need.externalId), LIMITS.remoteMs);
    const askedMs = performance.now();
    const holder = await part.claim({ ...need, claimant });
    // Counted from before the request; half of the time is kept for the commit.
    remoteCache.put(need, holder, LIMITS.claimMs / 2 - (performance.now() - askedMs));
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
