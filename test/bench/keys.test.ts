import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'tap';
import { csv, EXAMPLE_MAPPING, rowOf } from './import-setting.js';
import type { Ended } from './tenor.js';
import { tenorHere } from './tenor-here.js';

const tenor = (...parameters: readonly string[]): Promise<Ended> => tenorHere({}, ...parameters);

test('the master key is replaced, and the old one opens nothing any more', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenor-keys-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const data = join(folder, 'data');
  const keyFile = join(data, 'master.key');
  await writeFile(join(folder, 'loans.csv'), csv(rowOf('L-1')));
  t.equal((await tenor('import', join(folder, 'loans.csv'), '--mapping', EXAMPLE_MAPPING, '--data', data)).code, 0);
  const before = await readFile(keyFile, 'utf8');
  t.equal((await tenor('keys', 'rotate', '--data', data)).code, 0);
  t.not(await readFile(keyFile, 'utf8'), before);
  t.equal((await tenor('verify', '--data', data)).code, 0, 'the new key opens the data');
  await writeFile(`${keyFile}.next`, before);
  t.match(await tenor('keys', 'rotate', '--data', data), { code: 2, error: /interrupted/ });
  await writeFile(keyFile, before);
  t.not((await tenor('verify', '--data', data)).code, 0, 'the old one does not');
});
