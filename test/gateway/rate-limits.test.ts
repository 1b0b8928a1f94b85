import { type Test, test } from 'tap';
import {
  DEFAULT_RATE_LIMITS,
  MemoryRateLimiter,
  type RateLimiter,
  type RateLimits,
  RedisRateLimiter,
  type RateVerdict,
} from '../../gateway/index.js';
import { LIMITS } from '../../gateway/limits.js';
import { redisServer } from '../redis.js';
import { gatewayFor, keyRecord, TEST_KEY } from './harness.js';
import { THING_ROUTES } from './routes.js';

type Limits = Readonly<Record<'test' | 'live', RateLimits>>;

const caller = (changes: object = {}) => ({
  company: 'CP-TEST-CMP1',
  mode: 'live' as const,
  keyId: 'AK-TEST-KEY1',
  userId: null,
  permissions: new Set<string>(),
  address: '127.0.0.1',
  ...changes,
});

/** On a busy machine an answer may take long. Two requests wait for an answer that never comes. */
const [PATIENT_MS, HANG_MS] = [20_000, 1_000];

/** Redis deletes a full bucket by its own clock, which runs: none of these buckets is full again during a test. */
const SLOW: Limits = { ...DEFAULT_RATE_LIMITS, live: { key: { perSecond: 0.5, burst: 100 }, company: { perSecond: 1, burst: 200 } } };

interface Clock {
  ms: number;
}

/** Both limiters, each with a clock that the test sets. They must behave the same. */
const LIMITERS: Readonly<Record<string, (t: Test, limits: Limits, clock: Clock) => Promise<RateLimiter>>> = {
  memory: async (_t, limits, clock) => new MemoryRateLimiter(limits, () => clock.ms),
  redis: async (t, limits, clock) => {
    const { url } = await redisServer(t);
    let isBegun = false;
    const report = (message: string): void => {
      if (isBegun) t.fail(message);
    };
    const limiter = new RedisRateLimiter({ url, limits, nowMs: () => clock.ms, answerMs: PATIENT_MS, report });
    t.teardown(() => limiter.close());
    await connected(limiter);
    isBegun = true;
    return limiter;
  },
};

/** Waits until the server of the limiter has answered. */
async function connected(limiter: RedisRateLimiter): Promise<RedisRateLimiter> {
  for (;;) {
    const asked = limiter.take(caller({ company: 'CP-WAIT', keyId: 'AK-WAIT' }));
    if (asked instanceof Promise && (await asked) && limiter.isConnected) return limiter;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

for (const [name, open] of Object.entries(LIMITERS)) {
  test(`${name}: a bucket empties by requests and fills with time`, async (t) => {
    const clock = { ms: 0 };
    const limiter = await open(t, SLOW, clock);
    for (let count = 0; count < 100; count++) t.equal((await limiter.take(caller())).refusal, null);
    const over = await limiter.take(caller());
    t.equal(over.refusal?.errorType, 'rateLimited');
    t.equal(over.refusal?.retryAfterSeconds, 2);
    t.strictSame(over.headers, { 'X-RateLimit-Limit': '100', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '200' });
    clock.ms = 2_000;
    t.equal((await limiter.take(caller())).refusal, null, 'one more after two seconds at one in two');
    t.not((await limiter.take(caller())).refusal, null);
    clock.ms = 3_600_000;
    t.equal((await limiter.take(caller())).headers['X-RateLimit-Remaining'], '99', 'never more than the burst');
  });

  test(`${name}: what is given back can be taken again, and a bucket never holds more than its burst`, async (t) => {
    const limiter = await open(t, SLOW, { ms: 0 });
    const limited = caller({ mode: 'test', rateLimit: { perSecond: 0.01, burst: 1 } });
    t.equal((await limiter.take(limited)).refusal, null);
    await limiter.giveBack(limited);
    await limiter.giveBack(limited);
    t.equal((await limiter.take(limited)).refusal, null);
    t.equal((await limiter.take(limited)).refusal?.errorType, 'rateLimited');
    await limiter.giveBack(caller({ mode: 'test' }));
  });

  test(`${name}: the keys of a company share its limit, companies share none`, async (t) => {
    const limiter = await open(t, SLOW, { ms: 0 });
    for (let count = 0; count < 200; count++) t.equal((await limiter.take(caller({ keyId: `AK-${count % 4}` }))).refusal, null);
    t.not((await limiter.take(caller({ keyId: 'AK-5' }))).refusal, null);
    t.equal((await limiter.take(caller({ company: 'CP-OTHR-CMP1', keyId: 'AK-6' }))).refusal, null);
  });

  test(`${name}: callers without a credential share the limit of their network`, async (t) => {
    const limiter = await open(t, SLOW, { ms: 0 });
    const from = async (address: string) => (await limiter.take(caller({ company: '', keyId: null, address }))).refusal;
    for (let count = 0; count < 100; count++) t.equal(await from(`2001:db8:1:2::${count}`), null);
    t.not(await from('2001:db8:1:2:a::1'), null);
    t.equal(await from('2001:db8:1:3::1'), null);
  });

  test(`${name}: test mode has no limit unless the key has one`, async (t) => {
    const limiter = await open(t, SLOW, { ms: 0 });
    for (let count = 0; count < 1000; count++) await limiter.take(caller({ mode: 'test' }));
    t.strictSame(await limiter.take(caller({ mode: 'test' })), { headers: {}, refusal: null });
    const limited = caller({ mode: 'test', rateLimit: { perSecond: 0.01, burst: 1 } });
    t.equal((await limiter.take(limited)).refusal, null);
    t.equal((await limiter.take(limited)).refusal?.retryAfterSeconds, 100);
  });

  test(`${name}: another limit of a key begins with a full bucket`, async (t) => {
    const limiter = await open(t, SLOW, { ms: 0 });
    const limited = (burst: number) => caller({ mode: 'test', rateLimit: { perSecond: 0.01, burst } });
    t.equal((await limiter.take(limited(1))).refusal, null);
    t.equal((await limiter.take(limited(1))).refusal?.retryAfterSeconds, 100);
    t.equal((await limiter.take(limited(2))).headers['X-RateLimit-Remaining'], '1');
  });
}

test('a live key has fifty requests a second and a hundred at once, and its company four times as many a second', (t) => {
  t.match(DEFAULT_RATE_LIMITS.live, { key: { perSecond: 50, burst: 100 }, company: { perSecond: 200, burst: 200 } });
  t.end();
});

test('the memory of the limiter is bounded', (t) => {
  let now = 0;
  const limits = { ...DEFAULT_RATE_LIMITS, live: { key: { perSecond: 1, burst: 1 }, company: null } };
  const limiter = new MemoryRateLimiter(limits, () => now);
  for (let count = 0; count < LIMITS.rateBuckets + 1_000; count++) {
    now += 1;
    limiter.take(caller({ keyId: `AK-${count}` }));
  }
  t.ok(limiter.size <= LIMITS.rateBuckets);
  t.not(limiter.take(caller({ keyId: `AK-${LIMITS.rateBuckets + 999}` })).refusal, null, 'the newest is still known');
  t.end();
});

test('gateways count together, each for itself while Redis is away, hangs or is not there, and together again', async (t) => {
  const server = await redisServer(t);
  const limits = { ...DEFAULT_RATE_LIMITS, live: { key: { perSecond: 0.001, burst: 10 }, company: null } };
  const open = (reports: string[]): RedisRateLimiter => {
    const limiter = new RedisRateLimiter({
      url: server.url,
      limits,
      nowMs: () => 0,
      answerMs: HANG_MS,
      report: (message) => reports.push(message),
    });
    t.teardown(() => limiter.close());
    return limiter;
  };
  const reported: readonly [string[], string[]] = [[], []];
  const [one, other] = [await connected(open(reported[0])), await connected(open(reported[1]))];
  const taken = async (limiter: RateLimiter, keyId: string, count: number): Promise<number> => {
    const verdicts: RateVerdict[] = [];
    for (let sent = 0; sent < count; sent++) verdicts.push(await limiter.take(caller({ keyId })));
    return verdicts.filter(({ refusal }) => refusal === null).length;
  };
  const isTogether = async (keyId: string): Promise<boolean> => (await taken(one, keyId, 8)) + (await taken(other, keyId, 8)) === 10;
  let keys = 0;
  const together = async (): Promise<void> => {
    while (!(await isTogether(`AK-together-${(keys += 1)}`))) await new Promise((resolve) => setTimeout(resolve, 50));
  };
  await together();
  for (const reports of reported) reports.length = 0;
  server.pause();
  const begun = performance.now();
  t.equal((await taken(one, 'AK-2', 12)) + (await taken(other, 'AK-2', 12)), 20, 'each for itself');
  t.ok(performance.now() - begun < 20_000, 'and nobody waits long');
  server.resume();
  await together();
  await server.kill();
  while (one.take(caller({ keyId: 'AK-3' })) instanceof Promise || other.take(caller({ keyId: 'AK-3' })) instanceof Promise)
    await new Promise((resolve) => setTimeout(resolve, 5));
  t.equal((await taken(one, 'AK-4', 12)) + (await taken(other, 'AK-4', 12)), 20, 'each for itself');
  await server.restart();
  await together();
  for (const reports of reported) t.match([reports[0], reports.at(-1)], [/away/, /back/]);
});

test('over the limit a request is answered 429 with its headers', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, keys: [keyRecord(TEST_KEY, { rateLimit: { perSecond: 0.01, burst: 2 } })] });
  const first = await ask('/api/things/1');
  t.equal(first.headers['x-ratelimit-limit'], '2');
  t.equal(first.headers['x-ratelimit-remaining'], '1');
  await ask('/api/things/1');
  const third = await ask('/api/things/1');
  t.equal(third.status, 429);
  t.equal(third.json['errorType'], 'rateLimited');
  t.ok(Number(third.headers['retry-after']) > 1);
  t.equal(third.headers['x-ratelimit-remaining'], '0');
});
