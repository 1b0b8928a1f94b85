import { BoundedMap, type Mode, Refusal } from '../../actors/index.js';
import { LIMITS } from '../limits.js';
import type { Caller, RateLimit } from '../routing/route.js';
import { networkOf } from './addresses.js';

/** The limits for keys and companies of a mode; null = no limit. */
export interface RateLimits {
  readonly key: RateLimit | null;
  readonly company: RateLimit | null;
}

/** The limits of a mode from the limit of a key: a company may send four times as many requests. */
export const rateLimitsFor = (key: RateLimit | null): RateLimits => ({
  key,
  company: key && { perSecond: key.perSecond * 4, burst: key.perSecond * 4 },
});

/** None in test mode. */
export const DEFAULT_RATE_LIMITS: Readonly<Record<Mode, RateLimits>> = {
  test: rateLimitsFor(null),
  live: rateLimitsFor({ perSecond: 50, burst: 100 }),
};

export interface RateVerdict {
  /** Sent with every reply, success or failure. */
  readonly headers: Readonly<Record<string, string>>;
  /** 429, when there is no room for the request. */
  readonly refusal: Refusal | null;
}

/** Counts the requests of each caller. A promise where another server counts them; it never rejects. */
export interface RateLimiter {
  take(caller: Caller): RateVerdict | Promise<RateVerdict>;
  /** Puts back the tokens of a request that should not count after all. */
  giveBack(caller: Caller): void | Promise<void>;
}

export const UNLIMITED: RateVerdict = { headers: {}, refusal: null };

/** A bucket from which a request takes a token. */
export interface WantedBucket {
  readonly name: string;
  readonly limit: RateLimit;
}

/** The company of a caller that has shown no credential yet. They share no bucket: one of them could use up the tokens of all others. */
export const NO_COMPANY = '';

/** The buckets of a caller's key and company; empty where nothing limits it. */
export function bucketsOf(caller: Caller, limits: Readonly<Record<Mode, RateLimits>>): readonly WantedBucket[] {
  const { key, company } = limits[caller.mode];
  const ofKey = caller.rateLimit === undefined ? key : caller.rateLimit;
  return [
    ...(ofKey ? [{ name: `key/${caller.keyId ?? caller.userId ?? networkOf(caller.address)}`, limit: ofKey }] : []),
    ...(company && caller.company !== NO_COMPANY ? [{ name: `company/${caller.company}/${caller.mode}`, limit: company }] : []),
  ];
}

/** The verdict from the bucket with the fewest tokens; `tokens`: what it has now. */
export function verdictOf(limit: RateLimit, tokens: number, isTaken: boolean, nowMs: number): RateVerdict {
  return {
    headers: {
      'X-RateLimit-Limit': String(limit.burst),
      'X-RateLimit-Remaining': String(Math.max(0, Math.floor(tokens))),
      'X-RateLimit-Reset': String(Math.ceil(nowMs / 1000 + (limit.burst - tokens) / limit.perSecond)),
    },
    refusal: isTaken ? null : refusalOf(limit, tokens),
  };
}

function refusalOf(limit: RateLimit, tokens: number): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil((1 - tokens) / limit.perSecond));
  return new Refusal('rateLimited', `Too many requests. Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });
}

interface Bucket {
  readonly limit: RateLimit;
  tokens: number;
  atMs: number;
}

/** Token buckets in this process's memory. */
export class MemoryRateLimiter implements RateLimiter {
  readonly #buckets = new BoundedMap<string, Bucket>(LIMITS.rateBuckets);

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
    const known = this.#buckets.renew(name);
    if (known && known.limit.burst === limit.burst && known.limit.perSecond === limit.perSecond) {
      known.tokens = Math.min(limit.burst, known.tokens + ((now - known.atMs) / 1000) * limit.perSecond);
      known.atMs = now;
      return known;
    }
    const bucket: Bucket = { limit, tokens: limit.burst, atMs: now };
    if (this.#buckets.size >= LIMITS.rateBuckets) this.#forget(now);
    this.#buckets.set(name, bucket);
    return bucket;
  }

  /** Drops full buckets among the least recently used ones: a full bucket is as good as none. The oldest goes if none is full. */
  #forget(now: number): void {
    let looked = 0;
    for (const [name, { limit, tokens, atMs }] of this.#buckets) {
      if (tokens + ((now - atMs) / 1000) * limit.perSecond >= limit.burst) this.#buckets.delete(name);
      looked += 1;
      if (looked >= LIMITS.rateBucketsLooked) break;
    }
  }
}
