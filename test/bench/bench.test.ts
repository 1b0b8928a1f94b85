import { test } from 'tap';
import type { Ended } from './tenor.js';
import { tenorHere } from './tenor-here.js';

const tenor = (...parameters: readonly string[]): Promise<Ended> => tenorHere({}, ...parameters);

test('bench lists what it measures and refuses what it does not know', async (t) => {
  const listed = await tenor('bench', 'list', '--json');
  t.same(JSON.parse(listed.out), [
    'replay',
    'metro2',
    'shard',
    'age',
    'import',
    'memory',
    'history',
    'recovery',
    'book',
    'mass',
    'statements',
    'campaigns',
    'cluster',
    'takeover',
    'postgres',
    'rest',
    'streams',
    'hostile',
    'soak',
  ]);
  const unknown = await tenor('bench', 'nothing');
  t.equal(unknown.code, 2);
  t.match(unknown.error, /There is no benchmark nothing/);
  t.equal((await tenor('bench', 'shard', '--size', 'many')).code, 2);
  t.equal((await tenor('bench', 'mass', '--workers', 'two')).code, 2);
  t.equal((await tenor('bench', 'book', '--months', '61')).code, 2);
  t.equal((await tenor('bench', 'mass', '--days', '0')).code, 2);
});

test('every subcommand explains itself', async (t) => {
  for (const name of ['serve', 'import', 'demo', 'bench', 'verify', 'check-config']) {
    t.match(await tenor(name, '--help'), { code: 0, out: /Usage: tenor/ }, name);
  }
});
