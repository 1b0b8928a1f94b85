import { test } from 'tap';
import { FairScheduler } from '../../gateway/fair-scheduler.js';
import { LIMITS } from '../../gateway/limits.js';

/** Holds the thread, as a heavy request does. */
function hold(milliseconds: number): void {
  for (const untilMs = performance.now() + milliseconds; performance.now() < untilMs; );
}

test('who asks little is never behind all that another asks', async (t) => {
  const turns = new FairScheduler();
  const order: string[] = [];
  const ask = (caller: string): unknown =>
    turns.run(caller, () => {
      hold(LIMITS.timeSliceMs);
      order.push(caller);
    });
  const all = [...Array.from({ length: 20 }, () => ask('much'))];
  await new Promise((resolve) => setImmediate(resolve));
  all.push(ask('little'), ask('some'), ask('some'));
  await Promise.all(all);
  t.equal(order.length, 23);
  t.ok(order.indexOf('little') <= 4, `it was number ${order.indexOf('little')}`);
  t.ok(order.lastIndexOf('some') <= 8, 'those that wait take turns');
});

test('what is run answers what it comes to, at once or later, and as it fails', async (t) => {
  const turns = new FairScheduler();
  t.equal(
    turns.run('one', () => 1),
    1,
    'nobody else waits',
  );
  void turns.run('one', () => hold(LIMITS.timeSliceMs));
  t.equal(await turns.run('one', () => 2), 2);
  void turns.run('one', () => hold(LIMITS.timeSliceMs));
  await t.rejects(
    async () =>
      turns.run('one', () => {
        throw new Error('it fails');
      }),
    /it fails/,
  );
});

test('no more wait than may', async (t) => {
  const turns = new FairScheduler();
  void turns.run('one', () => hold(LIMITS.timeSliceMs));
  const waiting = Array.from({ length: LIMITS.waitingOfCaller }, () => turns.run('one', () => 1));
  t.throws(() => turns.run('one', () => 1), { errorType: 'unavailable', retryAfterSeconds: 1 } as never);
  t.equal(
    turns.run('other', () => 1),
    1,
  );
  await Promise.all(waiting.map(async (one) => one));
});

test('whoever has had a heavy request done rests while others ask, and not when nobody does', async (t) => {
  let nowMs = 0;
  const heavyMs = LIMITS.heavyMs + 2;
  const turns = new FairScheduler(() => nowMs);
  const order: string[] = [];
  const heavy = (): unknown =>
    turns.run('heavy', () => {
      nowMs += heavyMs;
      order.push('heavy');
    });
  const light = (): unknown => turns.run('light', () => void order.push('light'));
  light();
  const all = [heavy(), heavy(), heavy()];
  for (let turn = 0; turn < 12; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    nowMs += 1;
    light();
  }
  t.ok(nowMs < heavyMs + heavyMs * LIMITS.heavyRests, 'the caller still rests');
  t.strictSame(order, ['light', 'heavy', ...Array.from({ length: 12 }, () => 'light')], 'all of the others have come through');
  const clock = setInterval(() => (nowMs += LIMITS.othersAskMs), 1);
  await Promise.all(all);
  clearInterval(clock);
  t.strictSame(order.slice(14), ['heavy', 'heavy']);

  const alone = new FairScheduler(() => nowMs);
  const begunMs = nowMs;
  await Promise.all(Array.from({ length: 3 }, async () => alone.run('heavy', () => void (nowMs += heavyMs))));
  t.equal(nowMs - begunMs, 3 * heavyMs, 'a caller rests only while others ask');
});
