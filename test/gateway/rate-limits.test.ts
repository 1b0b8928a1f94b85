import { test } from 'tap';
import { DEFAULT_RATE_LIMITS, MemoryRateLimiter } from '../../gateway/index.js';
import { LIMITS } from '../../gateway/limits.js';
import { gatewayFor, keyRecord, TEST_KEY } from './harness.js';
import { THING_ROUTES } from './routes.js';

const caller = (changes: object = {}) => ({
  company: 'CP-TEST-CMP1', mode: 'live' as const, keyId: 'AK-TEST-KEY1', userId: null, permissions: new Set<string>(), address: '127.0.0.1', ...changes,
});

test('a bucket empties by requests and fills with time', (t) => {
  let now = 0;
  const limiter = new MemoryRateLimiter(DEFAULT_RATE_LIMITS, () => now);
  for (let count = 0; count < 100; count++) t.equal(limiter.take(caller()).refusal, null);
  const over = limiter.take(caller());
  t.equal(over.refusal?.errorType, 'rateLimited');
  t.equal(over.refusal?.retryAfterSeconds, 1);
  t.strictSame(over.headers, { 'X-RateLimit-Limit': '100', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '2' });
  now = 20;
  t.equal(limiter.take(caller()).refusal, null, 'one more after 20 ms at 50 a second');
  t.not(limiter.take(caller()).refusal, null);
  now = 60_000;
  t.equal(limiter.take(caller()).headers['X-RateLimit-Remaining'], '99', 'never more than the burst');
  t.end();
});

test('the keys of a company share its limit, companies share none', (t) => {
  const limiter = new MemoryRateLimiter(DEFAULT_RATE_LIMITS, () => 0);
  for (let count = 0; count < 200; count++) t.equal(limiter.take(caller({ keyId: `AK-${count % 4}` })).refusal, null);
  t.not(limiter.take(caller({ keyId: 'AK-5' })).refusal, null);
  t.equal(limiter.take(caller({ company: 'CP-OTHR-CMP1', keyId: 'AK-6' })).refusal, null);
  t.end();
});

test('test mode has no limit unless the key has one', (t) => {
  const limiter = new MemoryRateLimiter(DEFAULT_RATE_LIMITS, () => 0);
  for (let count = 0; count < 1000; count++) limiter.take(caller({ mode: 'test' }));
  t.strictSame(limiter.take(caller({ mode: 'test' })), { headers: {}, refusal: null });
  const limited = caller({ mode: 'test', rateLimit: { perSecond: 1, burst: 1 } });
  t.equal(limiter.take(limited).refusal, null);
  t.equal(limiter.take(limited).refusal?.retryAfterSeconds, 1);
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
