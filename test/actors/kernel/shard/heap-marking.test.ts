import { constants } from 'node:perf_hooks';
import { setImmediate as nextRound } from 'node:timers/promises';
import { test } from 'tap';
import { HeapMarking } from '../../../../actors/kernel/shard/heap-marking.js';

const { NODE_PERFORMANCE_GC_INCREMENTAL: BEGINS, NODE_PERFORMANCE_GC_MAJOR: ENDS, NODE_PERFORMANCE_GC_MINOR: MINOR } = constants;

/** Whether it resolves before the event loop turns, and so before any timer. */
async function isAtOnce(waiting: Promise<void>): Promise<boolean> {
  let isResolved = false;
  void waiting.then(() => (isResolved = true));
  for (let times = 0; times < 10; times += 1) await Promise.resolve();
  return isResolved;
}

test('work pauses while the heap is marked, and goes on when that has ended', async (t) => {
  const marking = new HeapMarking();
  t.ok(await isAtOnce(marking.pause()), 'nothing is being marked');
  marking.collected(MINOR);
  t.ok(await isAtOnce(marking.pause()), 'the young generation needs no marking');

  marking.collected(BEGINS);
  const waiting = marking.pause();
  t.notOk(await isAtOnce(waiting));
  marking.collected(MINOR);
  t.notOk(await isAtOnce(waiting), 'the young generation is collected meanwhile');
  marking.collected(ENDS);
  t.ok(await isAtOnce(waiting));
  t.ok(await isAtOnce(marking.pause()));

  const alive = setInterval(() => undefined, 10); // as a service that listens is
  t.teardown(() => clearInterval(alive));
  marking.collected(BEGINS);
  await marking.pause();
  t.notOk(await isAtOnce(marking.pause()), 'it goes on meanwhile, with a pause after each step');
});

test('the marking of the thread is seen', async (t) => {
  const marking = HeapMarking.ofThread;
  t.equal(HeapMarking.ofThread, marking);
  const held = new Map<number, object>();
  const grow = async (): Promise<void> => {
    for (let count = 0; count < 10_000; count += 1) held.set(held.size, { count, list: [count] });
    await nextRound();
  };
  const isPausing = async (): Promise<boolean> => !(await isAtOnce(marking.pause()));
  // At some hundred megabytes at the latest the collector marks the heap, and ends where the heap grows on.
  while (!(await isPausing()) && held.size < 20_000_000) await grow();
  t.ok(await isPausing(), 'it has begun');
  while ((await isPausing()) && held.size < 40_000_000) await grow();
  t.notOk(await isPausing(), 'it has ended');
});
