import type { Mode } from '../../actors/index.js';
import { LIMITS } from '../limits.js';
import type { Caller, RateLimit } from '../routing/call.js';
import { bucketsOf, type RateLimiter, type RateLimits, type RateVerdict, UNLIMITED, verdictOf, type WantedBucket } from './rate-limiter.js';

interface Bucket {
  readonly limit: RateLimit;
  tokens: number;
  atMs: number;
}

/** Token buckets in this process's memory. */
export class MemoryRateLimiter implements RateLimiter {
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    private readonly limits: Readonly<Record<Mode, RateLimits>>,
    private readonly nowMs: () => number,
  ) {}

  /** Buckets in memory. */
  get size(): number {
    return this.#buckets.size;
  }

  take(caller: Caller): RateVerdict {
    const buckets = bucketsOf(caller, this.limits).map((wanted) => this.#bucket(wanted));
    const [tightest] = buckets.sort((a, b) => a.tokens - b.tokens);
    if (!tightest) return UNLIMITED;
    const isTaken = tightest.tokens >= 1;
    if (isTaken) for (const bucket of buckets) bucket.tokens -= 1;
    return verdictOf(tightest.limit, tightest.tokens, isTaken, this.nowMs());
  }

  giveBack(caller: Caller): void {
    for (const wanted of bucketsOf(caller, this.limits)) {
      const bucket = this.#bucket(wanted);
      bucket.tokens = Math.min(bucket.limit.burst, bucket.tokens + 1);
    }
  }

  #bucket({ name, limit }: WantedBucket): Bucket {
    const now = this.nowMs();
    const known = this.#buckets.get(name);
    if (known && known.limit.burst === limit.burst && known.limit.perSecond === limit.perSecond) {
      known.tokens = Math.min(limit.burst, known.tokens + ((now - known.atMs) / 1000) * limit.perSecond);
      known.atMs = now;
      // Back to the end of the map: its beginning is what was used least recently.
      this.#buckets.delete(name);
      this.#buckets.set(name, known);
      return known;
    }
    const bucket: Bucket = { limit, tokens: limit.burst, atMs: now };
    if (this.#buckets.size >= LIMITS.rateBuckets) this.#forget(now);
    this.#buckets.set(name, bucket);
    return bucket;
  }

  /** Full buckets among the least recent tell nothing; where there is none, the least recent goes. */
  #forget(now: number): void {
    const before = this.#buckets.size;
    let looked = 0;
    for (const [name, { limit, tokens, atMs }] of this.#buckets) {
      if (tokens + ((now - atMs) / 1000) * limit.perSecond >= limit.burst) this.#buckets.delete(name);
      looked += 1;
      if (looked >= LIMITS.rateBucketsLooked) break;
    }
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size === before && oldest !== undefined) this.#buckets.delete(oldest);
  }
}
