import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { LIMITS } from '../../../../actors/kernel/limits.js';
import { openTestEngine, ManualClock } from '../shard/open-engine.js';
import { command, query, type Tally } from '../shard/tally.js';

const DAY_MS = 24 * 3_600_000;

test('a clock that is set ahead or back expires no stored reply: a retry is applied once, by this process and the next ones', async (t) => {
  for (const jumpMs of [DAY_MS + 3_600_000, 400 * DAY_MS, -DAY_MS]) {
    const clock = new ManualClock(Date.parse('2026-03-02T15:00:00Z'));
    const { engine, folder } = await openTestEngine({ clock });
    const { id } = (await engine.execute(command('tally.create', null, {}, 'create-1'))).data as Tally;
    const count = command('tally.count', id, { amount: 4 }, 'count-1');
    await engine.execute(count);
    clock.jump(jumpMs);
    t.equal((await engine.execute(count)).replayed, true, 'in memory');
    await engine.execute(command('tally.count', id, { amount: 1 }, 'count-2')); // recorded with the new time
    await engine.snapshot();
    t.equal((await engine.execute(count)).replayed, true, 'on the disk');
    await engine.close();
    const second = await openTestEngine({ folder, clock });
    t.equal((await second.engine.execute(count)).replayed, true, 'after a start');
    clock.jump(jumpMs);
    await second.engine.execute(command('tally.count', id, { amount: 1 }, 'count-3'));
    await prepared(folder);
    const third = await openTestEngine({ folder, clock }); // the second was killed
    t.equal((await third.engine.execute(count)).replayed, true, 'after a crash');
    await third.engine.close();
    clock.jump(jumpMs); // while no process serves
    const fourth = await openTestEngine({ folder, clock });
    t.equal((await fourth.engine.execute(count)).replayed, true, 'after a jump between two starts');
    t.equal((await fourth.engine.execute(command('tally.count', id, { amount: 1 }, 'count-3'))).replayed, true);
    await fourth.engine.close();
  }
});

test('a stored reply is kept for its 24 hours of service, and no longer', async (t) => {
  const clock = new ManualClock(Date.parse('2026-03-02T15:00:00Z'));
  const { engine, folder } = await openTestEngine({ clock });
  const { id } = (await engine.execute(command('tally.create', null, {}))).data as Tally;
  const count = command('tally.count', id, { amount: 4 }, 'count-1');
  await engine.execute(count);
  clock.at += LIMITS.storedReplyMs / 2;
  await engine.execute(command('tally.count', id, { amount: 1 }, 'count-2')); // a record shows how late it is
  await engine.close();
  const again = await openTestEngine({ folder, clock });
  clock.at += LIMITS.storedReplyMs / 2 - 1;
  t.equal((await again.engine.execute(count)).replayed, true);
  clock.at += 1;
  t.equal((await again.engine.execute(count)).replayed, false);
  t.match(await again.engine.query(query('tally.get', id)), { id });
  await again.engine.close();
});

/** Resolves when an engine that this process cannot kill has prepared its next segment: a killed one would not go on with it. */
async function prepared(folder: string): Promise<void> {
  while (existsSync(join(folder, 'journal', 'next.segment.unfinished'))) await new Promise((resolve) => setTimeout(resolve, 5));
}
