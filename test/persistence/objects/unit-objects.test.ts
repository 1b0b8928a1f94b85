import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { UnitObjects } from '../../../persistence/objects/unit-objects.js';
import { natsServer } from '../../nats.js';
import { tempFolder } from '../../temp-folder.js';

test('an upload that is aborted rejects to its caller only and keeps what was stored', async (t) => {
  const { connect } = await natsServer(t);
  const objects = await UnitObjects.open({ connection: await connect(), bucket: 'snapshots' });
  const folder = tempFolder(t);
  const [first, second, fetched] = ['first', 'second', 'fetched'].map((name) => join(folder, name)) as [string, string, string];
  writeFileSync(first, Buffer.alloc(3_000_000, 1));
  writeFileSync(second, Buffer.alloc(40_000_000, 2));
  await objects.put('actors', first, 'one', new AbortController().signal);

  await t.rejects(objects.put('actors', second, 'two', AbortSignal.abort()), { name: 'AbortError' });
  for (const afterMs of [0, 1, 5, 20]) {
    const ending = new AbortController();
    const storing = objects.put('actors', second, 'two', ending.signal);
    setTimeout(() => ending.abort(), afterMs);
    await t.rejects(storing, { name: 'AbortError' }, `after ${afterMs} ms`);
  }
  await new Promise((resolve) => setTimeout(resolve, 100)); // what nobody hears would end the process by now
  t.match(await objects.describe('actors'), { bytes: 3_000_000, description: 'one' });
  await objects.fetch('actors', fetched);
  t.ok(readFileSync(fetched).equals(readFileSync(first)));
});
