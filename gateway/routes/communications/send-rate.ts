import { Refusal } from '../../../actors/index.js';
import { LIMITS } from '../../limits.js';
import type { Caller } from '../../routing/call.js';

interface Bucket {
  tokens: number;
  atMs: number;
}

/** How many messages a company sends a second through this process. */
export class SendRate {
  readonly #buckets = new Map<string, Bucket>();

  constructor(private readonly nowMs: () => number) {}

  /** Throws 429 beyond the limit. */
  take({ company, mode }: Pick<Caller, 'company' | 'mode'>): void {
    const now = this.nowMs();
    const bucket = this.#bucket(`${company}/${mode}`, now);
    bucket.tokens = Math.min(LIMITS.sendsPerSecond, bucket.tokens + ((now - bucket.atMs) / 1000) * LIMITS.sendsPerSecond);
    bucket.atMs = now;
    if (bucket.tokens < 1)
      throw new Refusal('rateLimited', `A company sends ${LIMITS.sendsPerSecond} messages a second at most.`, { retryAfterSeconds: 1 });
    bucket.tokens -= 1;
  }

  #bucket(name: string, now: number): Bucket {
    const known = this.#buckets.get(name);
    if (known) return known;
    // One that is forgotten is full again: the oldest has long been.
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size < LIMITS.rateBuckets) break;
      this.#buckets.delete(oldest);
    }
    const bucket: Bucket = { tokens: LIMITS.sendsPerSecond, atMs: now };
    this.#buckets.set(name, bucket);
    return bucket;
  }
}
