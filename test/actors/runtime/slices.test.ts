import { setImmediate as round } from 'node:timers/promises';
import { test } from 'tap';
import { Slices, Turns } from '../../../actors/runtime/slices.js';

const LOOPS = 8;
const ROUNDS = 40;

/** The most slices that have run between two rounds of the event loop, while several loops always have something to do. */
async function mostAtOnce(turnsOf: () => Turns): Promise<number> {
  let isOver = false;
  let slices = 0;
  const loops = Array.from({ length: LOOPS }, async () => {
    const own = new Slices(undefined, turnsOf());
    while (!isOver) {
      slices += 1;
      while (!own.isOver) Math.hypot(slices, 1);
      await own.othersTurn();
    }
  });
  let most = 0;
  for (let at = 0; at < ROUNDS; at++) {
    const before = slices;
    await round();
    if (at > 0) most = Math.max(most, slices - before);
  }
  isOver = true;
  await Promise.all(loops);
  return most;
}

test('however many have background work, others wait for one slice of it at a time', async (t) => {
  const shared = new Turns();
  t.ok((await mostAtOnce(() => shared)) <= 2);
  t.equal(await mostAtOnce(() => new Turns()), LOOPS, 'each with turns of its own would hold them up by as many');
});
