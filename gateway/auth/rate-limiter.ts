import { type Mode, Refusal } from '../../actors/index.js';
import type { Caller, RateLimit } from '../routing/call.js';

/** What a mode's keys and companies may do a second; null = no limit. */
export interface RateLimits {
  readonly key: RateLimit | null;
  readonly company: RateLimit | null;
}

/** A mode's limits by that of a key: a company may do four times as much. */
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
  /** To be sent with the reply, whatever it is. */
  readonly headers: Readonly<Record<string, string>>;
  /** 429, when there is no room for the request. */
  readonly refusal: Refusal | null;
}

/** Counts the requests of each caller. A promise where that is counted elsewhere; it never rejects. */
export interface RateLimiter {
  take(caller: Caller): RateVerdict | Promise<RateVerdict>;
  /** Puts back what a request has taken that shall not count after all. */
  giveBack(caller: Caller): void | Promise<void>;
}

export const UNLIMITED: RateVerdict = { headers: {}, refusal: null };

/** A bucket that a request takes a token of. */
export interface WantedBucket {
  readonly name: string;
  readonly limit: RateLimit;
}

/** The buckets of a caller's key and company; empty where nothing limits it. */
export function bucketsOf(caller: Caller, limits: Readonly<Record<Mode, RateLimits>>): readonly WantedBucket[] {
  const { key, company } = limits[caller.mode];
  const ofKey = caller.rateLimit === undefined ? key : caller.rateLimit;
  return [
    ...(ofKey ? [{ name: `key/${caller.keyId ?? caller.userId ?? caller.address}`, limit: ofKey }] : []),
    ...(company ? [{ name: `company/${caller.company}/${caller.mode}`, limit: company }] : []),
  ];
}

/** What is told of the bucket that has the least, with what it has now. */
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
  return new Refusal('rateLimited', `Too many requests: try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });
}
