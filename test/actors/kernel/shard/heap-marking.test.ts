import { constants } from 'node:perf_hooks';
import { setImmediate as nextRound } from 'node:timers/promises';
import { test } from 'tap';
import { HeapMarking } from '../../../../actors/kernel/shard/heap-marking.js';
import { LIMITS } from '../../../../actors/kernel/limits.js';

const { NODE_PERFORMANCE_GC_INCREMENTAL: BEGINS, NODE_PERFORMANCE_GC_MAJOR: ENDS, NODE_PERFORMANCE_GC_MINOR: MINOR } = constants;

/** Whether it has resolved after some rounds of the event loop. */
async function isOver(waiting: Promise<void>): Promise<boolean> {
  let isResolved = false;
  void waiting.then(() => (isResolved = true));
  for (let round = 0; round < 3; round += 1) await nextRound();
  return isResolved;
}

test('work waits while the heap is marked, and no longer than the bound', async (t) => {
  let nowMs = 1_000;
  const marking = new HeapMarking(() => nowMs);
  t.ok(await isOver(marking.over()), 'nothing is being marked');
  marking.collected(MINOR);
  t.ok(await isOver(marking.over()), 'the young generation needs no marking');

  marking.collected(BEGINS);
  const waiting = marking.over();
  t.notOk(await isOver(waiting));
  marking.collected(MINOR);
  t.notOk(await isOver(waiting), 'the young generation is collected meanwhile');
  marking.collected(ENDS);
  t.ok(await isOver(waiting));
  t.ok(await isOver(marking.over()));

  marking.collected(BEGINS);
  nowMs += LIMITS.markingWaitMs - 2_000;
  t.notOk(await isOver(marking.over()));
  nowMs += 2_000;
  t.ok(await isOver(marking.over()), 'it has taken too long');
  marking.collected(ENDS);
});

test('the marking of the thread is seen', async (t) => {
  const marking = HeapMarking.ofThread;
  const alive = setInterval(() => undefined, 10); // as a service that listens is
  t.teardown(() => clearInterval(alive));
  t.equal(HeapMarking.ofThread, marking);
  const held = new Map<number, object>();
  let waits = 0;
  // The heap grows until the collector marks it: it does after some hundred megabytes at the latest.
  for (let count = 0; count < 20_000_000 && waits === 0; count += 1) {
    held.set(count, { count, list: [count] });
    if (count % 10_000 !== 0) continue;
    await nextRound();
    const waiting = marking.over();
    if (!(await isOver(waiting))) {
      waits += 1;
      await waiting;
    }
  }
  t.equal(waits, 1);
});
