import { test } from 'tap';
import type { Journal } from '../../../../actors/index.js';
import { openTestEngine } from './open-engine.js';
import { type Holder, holders, type Rate, rates } from './rates-and-holders.js';
import { command, query } from './tally.js';

test('what is computed from what all share is computed from it again, in whatever order a batch holds both', async (t) => {
  const held: (() => void)[] = [];
  let isHeld = false;
  const wrap = (journal: Journal): Journal => ({
    append: async (blocks) => {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
      return journal.append(blocks);
    },
    read: (after) => journal.read(after),
    heads: () => journal.heads(),
    hasRoom: (waitingBytes) => journal.hasRoom(waitingBytes),
    close: () => journal.close(),
  });
  const { engine, folder, clock } = await openTestEngine({ modules: [rates, holders], wrap });
  const { id: rate } = (await engine.execute(command('rate.create', null, { percent: 5 }))).data as Rate;
  const { id: holder } = (await engine.execute(command('holder.create', null, { rate }))).data as Holder;

  isHeld = true;
  const ordered = [
    engine.execute(command('holder.take', holder, { rate })), // is being written
    engine.execute(command('holder.take', holder, { rate })), // begins the block of its shard in the next batch
    engine.execute(command('rate.change', rate, { percent: 7 })),
    engine.execute(command('holder.take', holder, { rate })), // joins that block
  ];
  isHeld = false;
  for (const release of held) release();
  await Promise.all(ordered);
  t.same(await engine.query(query('holder.get', holder)), [5, 5, 5, 7]);

  const { engine: again } = await openTestEngine({ folder, clock, modules: [rates, holders] }); // the first crashed
  const taken = (await again.query(query('holder.get', holder))) as readonly number[];
  t.equal(taken.at(-1), 7, 'what was taken after the change is not taken from before it');
  await again.close();
});
