import { test } from 'tap';
import { OwnersLook, UNITS } from '../../../../actors/index.js';
import { MemoryKeyValue } from '../../../../persistence/index.js';

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

test('a worker is alive as long as its record is written again and again, and its units have an owner', async (t) => {
  const records = new MemoryKeyValue();
  let now = 0;
  const owners = new OwnersLook(records, () => now);
  t.strictSame(await owners.look(), { workers: 0, unowned: UNITS.length });
  const beat = await records.create('workers.w1', json({ address: 'w1', isLeaving: false }));
  for (const { name } of UNITS.slice(1))
    await records.create(`leases.${name}`, json({ unit: name, worker: 'w1', address: 'w1', epoch: 1 }));
  t.strictSame(await owners.look(), { workers: 1, unowned: 1 });
  now = 2_000;
  await records.update('workers.w1', json({ address: 'w1', isLeaving: false }), beat);
  t.strictSame(await owners.look(), { workers: 1, unowned: 1 });
  now = 6_000;
  t.strictSame(await owners.look(), { workers: 0, unowned: UNITS.length }, 'no beat since');
});
