import { test } from 'tap';
import { recoveryCases } from '../../../persistence/index.js';
import { SEED } from '../../seed.js';
import { History, LIVES } from './history.js';

const HISTORIES = Number(process.env['TENOR_DISK_HISTORIES'] ?? 100);

/** A life ends by a power cut, by a kill that leaves the page cache behind, or by a write or flush that fails. */
test('a process that ends at any moment loses no acknowledged record and leaves nothing incomplete', async (t) => {
  t.comment(`seed ${SEED}`);
  const met = new Map<string, number>();
  for (let number = 0; number < HISTORIES; number++) {
    const seed = (SEED + number) & 0x7fff_ffff;
    const fault = await new History(seed, met).run();
    if (fault !== undefined) return t.fail(`seed ${seed}: ${fault}`);
  }
  t.pass(`${HISTORIES} histories of ${LIVES} lives`);
  for (const name of ['tornTail', 'unfinishedPreparation', 'usedPreparation'] as const) {
    t.ok(met.get(recoveryCases[name].name), `${name} was among what was met`);
  }
  t.ok(met.get('failed'), 'failing writes and flushes were among what was met');
  t.comment(`met: ${JSON.stringify(Object.fromEntries(met))}`);
  return undefined;
});
