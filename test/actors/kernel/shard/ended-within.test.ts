import { test } from 'tap';
import { endedWithin } from '../../../../actors/kernel/shard/test-clocks.js';

test('a wait for work lasts the given time at most, and throws a failure that comes in time', async (t) => {
  t.equal(await endedWithin(Promise.resolve('done'), 60_000), true);
  let finish: () => void = () => undefined;
  const slow = new Promise<void>((resolve) => {
    finish = resolve;
  });
  t.equal(await endedWithin(slow, 1), false);
  finish();
  t.equal(await endedWithin(slow, 60_000), true);
  await t.rejects(endedWithin(Promise.reject(new Error('failed')), 60_000), { message: 'failed' });
});
