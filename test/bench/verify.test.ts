import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'tap';
import { csv, EXAMPLE_MAPPING, rowOf } from './import-setting.js';
import { tenorHere } from './tenor-here.js';

interface Ended {
  readonly code: number;
  readonly json: {
    readonly findings: readonly { readonly part: string; readonly where: string }[];
    readonly loans: number;
    readonly replayed: number;
  };
}

async function tenor(...parameters: readonly string[]): Promise<Ended> {
  const { code, out } = await tenorHere({}, ...parameters, '--json');
  return { code, json: JSON.parse(out === '' ? '{}' : out) as Ended['json'] };
}

test('verify finds a sound folder sound, and a flipped byte', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenor-verify-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'loans.csv');
  const data = join(folder, 'data');
  await writeFile(file, csv(...Array.from({ length: 20 }, (_, index) => rowOf(`L-${index}`))));
  t.equal((await tenor('import', file, '--mapping', EXAMPLE_MAPPING, '--activate', '--as-of', '2018-04-20', '--data', data)).code, 0);
  const sound = await tenor('verify', '--data', data);
  t.match(sound, { code: 0, json: { findings: [], loans: 20, replayed: 20 } });
  const [segment = ''] = (await readdir(join(data, 'journal'))).filter((name) => name.startsWith('journal-'));
  const path = join(data, 'journal', segment);
  const bytes = await readFile(path);
  bytes[60_000] = (bytes[60_000] ?? 0) ^ 1;
  await writeFile(path, bytes);
  const damaged = await tenor('verify', '--data', data);
  t.equal(damaged.code, 1);
  t.ok(
    damaged.json.findings.some(({ part, where }) => part === 'journal' && where.includes(segment)),
    'with the place',
  );
});
