import { test } from 'tap';
import { Listening } from '../../../../actors/kernel/placement/heartbeat.js';
import { HandClock } from './members.js';

const LATE_MS = 400;

test('time in which a thread had no turn does not count as listened', (t) => {
  const clock = new HandClock(1_000);
  const listening = new Listening(clock, LATE_MS);
  listening.tick(400);
  clock.at += 400;
  t.equal(listening.now(), 1_400, 'a turn that comes on time loses nothing');
  clock.at += 5_000;
  t.equal(listening.now(), 1_800, 'a late tick counts as silence, except for the lateness that every tick may have');
  listening.tick(400);
  t.equal(listening.now(), 1_800, 'and its turn does not bring it back');
  clock.at += 300;
  t.equal(listening.now(), 2_100);
  t.end();
});

test('it never decreases, and never counts more than has passed', (t) => {
  const clock = new HandClock(0);
  const listening = new Listening(clock, LATE_MS);
  let before = listening.now();
  for (const [at, step] of [10, 900, 0, 3_000, 399, 401, 400, 20_000, 5].entries()) {
    if (at % 2 === 0) listening.tick(400);
    const passed = clock.at;
    clock.at += step;
    const now = listening.now();
    t.ok(now >= before && now - before <= clock.at - passed);
    before = now;
  }
  t.end();
});

test('without turns of its own, as where somebody else counts them, all time counts', (t) => {
  const clock = new HandClock(0);
  const listening = new Listening(clock, LATE_MS);
  clock.at += 10_000;
  t.equal(listening.now(), 10_000);
  t.end();
});
