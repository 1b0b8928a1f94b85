import { test } from 'tap';
import { FairScheduler } from '../../gateway/fair-scheduler.js';
import { LIMITS } from '../../gateway/limits.js';

/** Holds the thread, as a heavy request does. */
function hold(milliseconds: number): void {
  for (const untilMs = performance.now() + milliseconds; performance.now() < untilMs; );
}

test('a caller with few requests does not wait for all requests of a caller with many', async (t) => {
  let nowMs = 0; // by a real clock a thread that is held up makes each request a heavy one
  const scheduler = new FairScheduler(() => nowMs);
  const order: string[] = [];
  const ask = (caller: string): unknown =>
    scheduler.run(caller, () => {
      nowMs += LIMITS.timeSliceMs;
      order.push(caller);
    });
  const all = [...Array.from({ length: 20 }, () => ask('much'))];
  await new Promise((resolve) => setImmediate(resolve));
  all.push(ask('little'), ask('some'), ask('some'));
  await Promise.all(all);
  t.equal(order.length, 23);
  t.ok(order.indexOf('little') <= 4, `it was number ${order.indexOf('little')}`);
  t.ok(order.lastIndexOf('some') <= 8, 'callers are served in rotation');
});

test('a run returns its result, now or later, and fails with its error', async (t) => {
  const scheduler = new FairScheduler();
  t.equal(
    scheduler.run('one', () => 1),
    1,
    'nobody else waits',
  );
  void scheduler.run('one', () => hold(LIMITS.timeSliceMs));
  t.equal(await scheduler.run('one', () => 2), 2);
  void scheduler.run('one', () => hold(LIMITS.timeSliceMs));
  await t.rejects(
    async () =>
      scheduler.run('one', () => {
        throw new Error('it fails');
      }),
    /it fails/,
  );
});

test('a caller with too many waiting requests is refused for later', async (t) => {
  const scheduler = new FairScheduler();
  void scheduler.run('one', () => hold(LIMITS.timeSliceMs));
  const waiting = Array.from({ length: LIMITS.waitingOfCaller }, () => scheduler.run('one', () => 1));
  t.throws(() => scheduler.run('one', () => 1), { errorType: 'unavailable', retryAfterSeconds: 1 } as never);
  t.equal(
    scheduler.run('other', () => 1),
    1,
  );
  await Promise.all(waiting.map(async (one) => one));
});

test('after a heavy request a caller waits while others ask, and not when nobody else does', async (t) => {
  let nowMs = 0;
  const heavyMs = LIMITS.heavyMs + 2;
  const scheduler = new FairScheduler(() => nowMs);
  const order: string[] = [];
  const heavy = (): unknown =>
    scheduler.run('heavy', () => {
      nowMs += heavyMs;
      order.push('heavy');
    });
  const light = (): unknown => scheduler.run('light', () => void order.push('light'));
  light();
  const all = [heavy(), heavy(), heavy()];
  for (let count = 0; count < 12; count++) {
    await new Promise((resolve) => setImmediate(resolve));
    nowMs += 1;
    light();
  }
  t.ok(nowMs < heavyMs + heavyMs * LIMITS.heavyRests, 'the caller still waits');
  t.strictSame(order, ['light', 'heavy', ...Array.from({ length: 12 }, () => 'light')], 'all requests of the others were served');
  const clock = setInterval(() => (nowMs += LIMITS.othersAskMs), 1);
  await Promise.all(all);
  clearInterval(clock);
  t.strictSame(order.slice(14), ['heavy', 'heavy']);

  const alone = new FairScheduler(() => nowMs);
  const begunMs = nowMs;
  await Promise.all(Array.from({ length: 3 }, async () => alone.run('heavy', () => void (nowMs += heavyMs))));
  t.equal(nowMs - begunMs, 3 * heavyMs, 'a caller waits only while others ask');
});
