import { setImmediate as round, setTimeout as pause } from 'node:timers/promises';
import { test } from 'tap';
import { LIMITS } from '../../../../actors/kernel/limits.js';
import { HALF_OF_THREAD, TimeBudget, Scheduler } from '../../../../actors/kernel/shard/scheduler.js';

const LOOPS = 8;
const ROUNDS = 40;

/** The most time slices that have run between two rounds of the event loop, while several loops always have something to do. */
async function mostAtOnce(schedulerOf: () => Scheduler): Promise<number> {
  let isOver = false;
  let stretches = 0;
  const loops = Array.from({ length: LOOPS }, async () => {
    const own = new TimeBudget(undefined, schedulerOf());
    while (!isOver) {
      stretches += 1;
      while (!own.isSpent) Math.hypot(stretches, 1);
      await own.yieldToOthers();
    }
  });
  let most = 0;
  for (let at = 0; at < ROUNDS; at++) {
    const before = stretches;
    await round();
    if (at > 0) most = Math.max(most, stretches - before);
  }
  isOver = true;
  await Promise.all(loops);
  return most;
}

test('however many have background work, others wait for one slice of it at a time', async (t) => {
  const shared = new Scheduler();
  t.ok((await mostAtOnce(() => shared)) <= 2);
  t.equal(await mostAtOnce(() => new Scheduler()), LOOPS, 'each with a scheduler of its own would hold them up by as many');
});

/** The time that several loops take together beside others who are busy in each round, as a part of the others' time. */
async function partOfOthers(schedulerOf: () => Scheduler): Promise<number> {
  let isOver = false;
  let takenMs = 0;
  const loops = Array.from({ length: LOOPS }, async () => {
    const own = new TimeBudget(() => HALF_OF_THREAD, schedulerOf());
    while (!isOver) {
      takenMs += busyUntil(() => own.isSpent);
      await own.yieldToOthers();
    }
  });
  let othersMs = 0;
  for (let at = 0; at < ROUNDS; at++) {
    const begunMs = performance.now();
    othersMs += busyUntil(() => performance.now() >= begunMs + OTHERS_MS);
    await round();
  }
  isOver = true;
  await Promise.all(loops);
  return takenMs / othersMs;
}

/** Attempts: a machine that pauses in the middle of a time slice spoils a measurement. */
const TRIES = 8;

/** Longer than the shortest time slice, and far from the longest. */
const OTHERS_MS = 5;

function busyUntil(isOver: () => boolean): number {
  const begunMs = performance.now();
  while (!isOver()) Math.hypot(begunMs, 1);
  return performance.now() - begunMs;
}

test('however many take half of the thread beside others, they leave the other half', async (t) => {
  const parts: number[] = [];
  while (parts.length < TRIES && !parts.some((part) => part < 2)) {
    const shared = new Scheduler();
    parts.push(await partOfOthers(() => shared));
  }
  t.ok(
    parts.some((part) => part < 2),
    `what others take counts for one of them alone: ${parts.join(', ')}`,
  );
});

test('of the tasks that ask to be alone one goes on at a time, in the order of asking, and a failed one lets the next go on', async (t) => {
  const scheduler = new Scheduler();
  const steps: string[] = [];
  const work = (name: string, fails = false): Promise<void> =>
    scheduler.mayBeAlone(async (alone) => {
      steps.push(`${name} begins`);
      await alone();
      steps.push(`${name} is alone`);
      await pause(2);
      steps.push(`${name} ends`);
      if (fails) throw new Error(name);
    });
  const ended = await Promise.allSettled([work('one'), work('two', true), work('three')]);
  t.same(steps, [
    'one begins',
    'two begins',
    'three begins',
    'one is alone',
    'one ends',
    'two is alone',
    'two ends',
    'three is alone',
    'three ends',
  ]);
  t.same(
    ended.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  t.equal(await scheduler.mayBeAlone(() => Promise.resolve('never asked')), 'never asked');
});

test('work that can wait until all units are open waits for the last of them, even where its opening fails', async (t) => {
  const scheduler = new Scheduler();
  await scheduler.allOpened(); // none is being opened
  const ends: string[] = [];
  let end = (): void => undefined;
  const first = scheduler.opening(() => new Promise<void>((resolve) => (end = resolve)));
  let fail = (_cause: Error): void => undefined;
  const second = scheduler.opening(() => new Promise<void>((_resolve, reject) => (fail = reject)));
  const waiting = scheduler.allOpened().then(() => ends.push('waited'));
  end();
  await first;
  await round();
  t.strictSame(ends, []);
  fail(new Error('it cannot be opened'));
  await t.rejects(second);
  await waiting;
  t.strictSame(ends, ['waited']);
});

test('a unit that cannot be opened, and is tried again and again, holds others up for half of the time at most', async (t) => {
  let now = 0;
  const scheduler = new Scheduler(() => now);
  const triedFor = (): void => void scheduler.opening(() => new Promise<void>(() => undefined));
  triedFor();
  now = LIMITS.openingWaitMs;
  await scheduler.allOpened();
  now += LIMITS.openingWaitMs - 1;
  triedFor();
  await scheduler.allOpened();
  now += 1;
  triedFor();
  let hasWaited = false;
  void scheduler.allOpened().then(() => (hasWaited = true));
  await round();
  t.notOk(hasWaited, 'after as long a rest it waits again');
});
