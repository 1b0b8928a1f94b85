import { type Mode, Refusal } from '../../actors/index.js';
import { LIMITS } from '../limits.js';
import type { Caller, RateLimit } from '../routing/call.js';

/** What a mode's keys and companies may do a second; null = no limit. */
export interface RateLimits {
  readonly key: RateLimit | null;
  readonly company: RateLimit | null;
}

/** A mode's limits by that of a key: a company may do four times as much (platform 9). */
export const rateLimitsFor = (key: RateLimit | null): RateLimits => ({
  key,
  company: key && { perSecond: key.perSecond * 4, burst: key.perSecond * 4 },
});

/** Platform 9, with the contract's settled point 14: none in test mode. */
export const DEFAULT_RATE_LIMITS: Readonly<Record<Mode, RateLimits>> = {
  test: rateLimitsFor(null),
  live: rateLimitsFor({ perSecond: 50, burst: 100 }),
};

export interface RateVerdict {
  /** To be sent with the reply, whatever it is. */
  readonly headers: Readonly<Record<string, string>>;
  /** 429, when there is no room for the request. */
  readonly refusal: Refusal | null;
}

/** Counts the requests of each caller. */
export interface RateLimiter {
  take(caller: Caller): RateVerdict;
}

const UNLIMITED: RateVerdict = { headers: {}, refusal: null };

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
    const defaults = this.limits[caller.mode];
    const ofKey = caller.rateLimit === undefined ? defaults.key : caller.rateLimit;
    if (!ofKey && !defaults.company) return UNLIMITED;
    const buckets = [
      ...(ofKey ? [this.#bucket(`key/${caller.keyId ?? caller.userId ?? caller.address}`, ofKey)] : []),
      ...(defaults.company ? [this.#bucket(`company/${caller.company}/${caller.mode}`, defaults.company)] : []),
    ];
    const [tightest] = buckets.sort((a, b) => a.tokens - b.tokens);
    if (!tightest) return UNLIMITED;
    if (tightest.tokens < 1) return { headers: this.#headers(tightest), refusal: refusalOf(tightest) };
    for (const bucket of buckets) bucket.tokens -= 1;
    return { headers: this.#headers(tightest), refusal: null };
  }

  #bucket(name: string, limit: RateLimit): Bucket {
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

  #headers(bucket: Bucket): Record<string, string> {
    const { limit, tokens } = bucket;
    return {
      'X-RateLimit-Limit': String(limit.burst),
      'X-RateLimit-Remaining': String(Math.max(0, Math.floor(tokens))),
      'X-RateLimit-Reset': String(Math.ceil(this.nowMs() / 1000 + (limit.burst - tokens) / limit.perSecond)),
    };
  }
}

function refusalOf({ tokens, limit }: Bucket): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil((1 - tokens) / limit.perSecond));
  return new Refusal('rateLimited', `Too many requests: try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });
}

interface Bucket {
  readonly limit: RateLimit;
  tokens: number;
  atMs: number;
}
