import { setImmediate as round, setTimeout as pause } from 'node:timers/promises';
import { test } from 'tap';
import { HALF, Slices, Turns } from '../../../../actors/kernel/shard/scheduler.js';

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

/** What several loops take together beside others who are busy in each round, as a part of what these take. */
async function partOfOthers(turnsOf: () => Turns): Promise<number> {
  let isOver = false;
  let takenMs = 0;
  const loops = Array.from({ length: LOOPS }, async () => {
    const own = new Slices(() => HALF, turnsOf());
    while (!isOver) {
      takenMs += busyUntil(() => own.isOver);
      await own.othersTurn();
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

/** A machine that stands still in the middle of a slice spoils a measurement. */
const TRIES = 8;

/** Longer than the shortest slice, and far from the longest. */
const OTHERS_MS = 5;

function busyUntil(isOver: () => boolean): number {
  const begunMs = performance.now();
  while (!isOver()) Math.hypot(begunMs, 1);
  return performance.now() - begunMs;
}

test('however many take half of the thread beside others, they leave the other half', async (t) => {
  const parts: number[] = [];
  while (parts.length < TRIES && !parts.some((part) => part < 2)) {
    const shared = new Turns();
    parts.push(await partOfOthers(() => shared));
  }
  t.ok(
    parts.some((part) => part < 2),
    `what others take counts for one of them alone: ${parts.join(', ')}`,
  );
});

test('of those who ask to be alone one goes on at a time, in the order of asking, and one that fails gives way', async (t) => {
  const turns = new Turns();
  const told: string[] = [];
  const work = (name: string, fails = false): Promise<void> =>
    turns.mayBeAlone(async (alone) => {
      told.push(`${name} begins`);
      await alone();
      told.push(`${name} is alone`);
      await pause(2);
      told.push(`${name} ends`);
      if (fails) throw new Error(name);
    });
  const ended = await Promise.allSettled([work('one'), work('two', true), work('three')]);
  t.same(told, [
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
  t.equal(await turns.mayBeAlone(() => Promise.resolve('never asked')), 'never asked');
});
