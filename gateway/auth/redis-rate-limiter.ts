import { Redis } from 'ioredis';
import type { Mode } from '../../actors/index.js';
import { assert, must } from '../../engine/index.js';
import { LIMITS } from '../limits.js';
import type { Caller } from '../routing/route.js';
import {
  bucketsOf,
  MemoryRateLimiter,
  type RateLimiter,
  type RateLimits,
  type RateVerdict,
  UNLIMITED,
  verdictOf,
  type WantedBucket,
} from './rate-limiter.js';

/**
 * Takes a token of each bucket, or of none when the one with the least has none. KEYS are the buckets; ARGV is the time in milliseconds,
 * then rate and burst of each, then 1 to take or -1 to give back. Returns whether a token was taken, the index of the bucket with the
 * fewest, and its tokens. A full bucket is as good as none: it expires.
 */
const TAKE = `
local now, tokens, times, least = tonumber(ARGV[1]), {}, {}, 1
for i, key in ipairs(KEYS) do
  local rate, burst = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local known = redis.call('HMGET', key, 'tokens', 'at', 'rate', 'burst')
  tokens[i], times[i] = burst, now
  if known[1] and tonumber(known[3]) == rate and tonumber(known[4]) == burst then
    times[i] = math.max(now, tonumber(known[2]))
    tokens[i] = math.min(burst, tonumber(known[1]) + (times[i] - tonumber(known[2])) / 1000 * rate)
  end
  if tokens[i] < tokens[least] then least = i end
end
local step = tonumber(ARGV[2 * #KEYS + 2])
local taken = (step < 0 or tokens[least] >= 1) and 1 or 0
for i, key in ipairs(KEYS) do
  local rate, burst = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  tokens[i] = math.min(burst, tokens[i] - taken * step)
  redis.call('HSET', key, 'tokens', tokens[i], 'at', times[i], 'rate', rate, 'burst', burst)
  redis.call('PEXPIRE', key, math.ceil(burst / rate * 1000) + 1000)
end
return { taken, least, string.format('%.17g', tokens[least]) }
`;

/** A client with the command that `scripts` adds. */
type TakingRedis = Redis & { readonly takeTokens: TakeTokens };

const canTake = (redis: Redis): redis is TakingRedis => 'takeTokens' in redis;

type TakeTokens = (
  keyCount: number,
  ...keysAndValues: readonly (string | number)[]
) => Promise<[taken: number, least: number, tokens: string]>;

export interface RedisRateLimiterOptions {
  /** `redis://127.0.0.1:6379`. */
  readonly url: string;
  readonly limits: Readonly<Record<Mode, RateLimits>>;
  readonly nowMs: () => number;
  /** Longest wait for its answer; absent: `LIMITS.redisAnswerMs`. */
  readonly answerMs?: number;
  /** Called once when Redis is lost, and once when it is back. */
  readonly report: (message: string) => void;
}

/**
 * Token buckets that all gateways share. Redis may be away at any time: then each gateway counts for itself at once, and one request a
 * second asks whether it is back.
 */
export class RedisRateLimiter implements RateLimiter {
  readonly #redis: TakingRedis;
  readonly #alone: MemoryRateLimiter;
  #isAway = false;
  #askedAt = -Infinity;

  constructor(private readonly options: RedisRateLimiterOptions) {
    this.#alone = new MemoryRateLimiter(options.limits, options.nowMs);
    const redis = new Redis(options.url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      enableAutoPipelining: true,
      connectTimeout: LIMITS.redisConnectMs,
      commandTimeout: options.answerMs ?? LIMITS.redisAnswerMs,
      enableReadyCheck: false, // a server that is still loading says so to every command
      retryStrategy: () => LIMITS.redisRetryMs,
      scripts: { takeTokens: { lua: TAKE } },
    });
    assert(canTake(redis), 'the client has the script as a command');
    this.#redis = redis;
    this.#redis.on('error', () => this.#note(true)); // the connection tries again by itself
  }

  take(caller: Caller): RateVerdict | Promise<RateVerdict> {
    const buckets = bucketsOf(caller, this.options.limits);
    if (buckets.length === 0) return UNLIMITED;
    return this.#isWorthAsking() ? this.#ask(caller, buckets) : this.#alone.take(caller);
  }

  async giveBack(caller: Caller): Promise<void> {
    const buckets = bucketsOf(caller, this.options.limits);
    if (buckets.length === 0) return;
    if (this.#isWorthAsking()) await this.#move(buckets, -1);
    else this.#alone.giveBack(caller);
  }

  /** Whether it answers, and requests are counted together. */
  get isConnected(): boolean {
    return !this.#isAway && this.#redis.status === 'ready';
  }

  close(): void {
    this.#redis.disconnect();
  }

  /** A server that hangs costs one request a second its short wait, and the others nothing. */
  #isWorthAsking(): boolean {
    if (this.#redis.status !== 'ready') return false;
    const now = performance.now();
    if (this.#isAway && now - this.#askedAt < LIMITS.redisRetryMs) return false;
    this.#askedAt = now;
    return true;
  }

  async #ask(caller: Caller, buckets: readonly WantedBucket[]): Promise<RateVerdict> {
    return (await this.#move(buckets, 1)) ?? this.#alone.take(caller);
  }

  /** Undefined where the server has not answered. */
  async #move(buckets: readonly WantedBucket[], step: 1 | -1): Promise<RateVerdict | undefined> {
    const now = this.options.nowMs();
    try {
      const keys = buckets.map(({ name }) => `tenor:rate:${name}`);
      const [taken, least, tokens] = await this.#redis.takeTokens(
        keys.length,
        ...keys,
        now,
        ...buckets.flatMap(({ limit }) => [limit.perSecond, limit.burst]),
        step,
      );
      this.#note(false);
      return verdictOf(must(buckets[least - 1], 'one of the buckets that were asked for').limit, Number(tokens), taken === 1, now);
    } catch {
      this.#askedAt = performance.now();
      this.#note(true);
      return undefined;
    }
  }

  #note(isAway: boolean): void {
    if (isAway === this.#isAway) return;
    this.#isAway = isAway;
    this.options.report(
      isAway ? 'Redis is away: each gateway counts requests for itself.' : 'Redis is back: gateways count requests together.',
    );
  }
}
