import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Test, test } from 'tap';
import { csv, EXAMPLE_MAPPING, rowOf } from '../bench/import-setting.js';
import type { Ended } from '../bench/tenor.js';
import { tenorHere } from '../bench/tenor-here.js';
import { tempFolder } from '../temp-folder.js';

/** A data folder with some borrowers, made by a service that was stopped normally. */
async function dataOf(t: Test, ...rows: readonly string[]): Promise<string> {
  const folder = tempFolder(t);
  await importInto(folder, ...rows);
  return join(folder, 'data');
}

async function importInto(folder: string, ...rows: readonly string[]): Promise<void> {
  const file = join(folder, `${rows[0]}.csv`);
  writeFileSync(file, csv(...rows.map((row) => rowOf(row))));
  const { code, error } = await tenorHere(
    {},
    'import',
    file,
    '--mapping',
    EXAMPLE_MAPPING,
    '--as-of',
    '2018-04-20',
    '--data',
    join(folder, 'data'),
  );
  if (code !== 0) throw new Error(error);
}

/** Opens the folder as a start of the service does. */
const start = (data: string): Promise<Ended> =>
  tenorHere({ TENOR_LOG: 'error' }, 'company', 'create', '--name', 'Next Lender', '--data', data);
const giveUp = (data: string, ...flags: readonly string[]): Promise<Ended> => tenorHere({}, 'keys', 'give-up', '--data', data, ...flags);
const verify = (data: string): Promise<Ended> => tenorHere({}, 'verify', '--data', data);

const copyOf = (t: Test, data: string): string => {
  const copy = join(tempFolder(t), 'data');
  cpSync(data, copy, { recursive: true });
  return copy;
};

const namesIn = (data: string): readonly string[] =>
  (readdirSync(data, { recursive: true }) as string[]).filter((name) => !/^snapshots|lock$/.test(name)).sort();

/** Writes the keys like an earlier release: without the journal's id. */
function unmark(data: string): void {
  const [idFile, keyFile] = [join(data, 'id.key'), join(data, 'keys/data-keys')];
  writeFileSync(idFile, `${readFileSync(idFile, 'utf8').slice(0, 64)}\n`);
  const bytes = readFileSync(keyFile);
  bytes.fill(0, 92, 508);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 508)), 508);
  writeFileSync(keyFile, bytes);
}

test('without its data keys a service does not start and makes no new ones, and verify says what to restore', async (t) => {
  const data = await dataOf(t, 'L-1');
  const keys = readFileSync(join(data, 'keys/data-keys'));
  rmSync(join(data, 'keys/data-keys'));
  const before = namesIn(data);
  for (const run of [start, verify]) {
    const { code, error } = await run(data);
    t.equal(code, 1);
    t.match(error, /keys\/data-keys is missing.*Put it back with: cp BACKUP\/keys\/data-keys/s);
    t.notMatch(error, /\n\s+at /, 'a sentence and no stack');
  }
  t.same(namesIn(data), before, 'nothing was made or taken away');
  writeFileSync(join(data, 'keys/data-keys'), keys);
  t.equal((await verify(data)).code, 0);
});

test('without its journal a service does not start and leaves no files in the way of a restored journal', async (t) => {
  const data = await dataOf(t, 'L-1');
  const journal = copyOf(t, data);
  rmSync(join(data, 'journal'), { recursive: true });
  mkdirSync(join(data, 'journal'));
  const { code, error } = await start(data);
  t.equal(code, 1);
  t.match(error, /journal is missing.*cp -r BACKUP\/journal/s);
  t.same(readdirSync(join(data, 'journal')), []);
  cpSync(join(journal, 'journal'), join(data, 'journal'), { recursive: true });
  t.equal((await start(data)).code, 0);
});

test('a start and verify detect an older copy of the data keys', async (t) => {
  const folder = tempFolder(t);
  const data = join(folder, 'data');
  await importInto(folder, 'L-1');
  const olderKeys = readFileSync(join(data, 'keys/data-keys'));
  await importInto(folder, 'L-2');
  writeFileSync(join(data, 'keys/data-keys'), olderKeys);
  const started = await start(data);
  t.equal(started.code, 1);
  t.match(started.error, /the data keys of persons are not complete: there are \d+, and there were \d+ when the last snapshot was taken/);
  const verified = await verify(data);
  t.equal(verified.code, 1);
  t.match(verified.out, /keys, BO-\S+: has no data key/);
});

test('an older copy of the data keys is detected without snapshots', async (t) => {
  const folder = tempFolder(t);
  const data = join(folder, 'data');
  await importInto(folder, 'L-1');
  const olderKeys = readFileSync(join(data, 'keys/data-keys'));
  await importInto(folder, 'L-2');
  writeFileSync(join(data, 'keys/data-keys'), olderKeys);
  rmSync(join(data, 'snapshots'), { recursive: true });
  const { code, error } = await start(data);
  t.equal(code, 1);
  t.match(error, /the data keys of persons are not complete: there is none of BO-/);
});

test('data keys that are lost are named, and a service continues without them once they are given up', async (t) => {
  const folder = tempFolder(t);
  const data = join(folder, 'data');
  const keyFile = join(data, 'keys/data-keys');
  await importInto(folder, 'L-1');
  const olderKeys = readFileSync(keyFile);
  await importInto(folder, 'L-2');
  const loanIds = [await idOf('ext-L-1'), await idOf('ext-L-2')];
  t.match(await giveUp(data), { code: 0, out: /No data key is lost/ });
  writeFileSync(keyFile, olderKeys);
  const named = await giveUp(data);
  t.match(named, { code: 1, out: /Lost: the data keys of 1 borrowers, and of 0 objects.*\n {2}BO-\S+\n.*--yes/s });
  t.equal((await start(data)).code, 1, 'nothing was written');
  t.match(await giveUp(data, '--yes'), { code: 0, out: /Given up: the data keys of 1 borrowers/ });
  await goesOn();
  t.equal(await idOf('ext-L-1'), loanIds[0], 'whose key is there keeps the external id');
  t.match(await show('ext-L-2'), { code: 1, error: /L-2/ }, 'an external id goes with the key');

  rmSync(keyFile);
  t.equal((await start(data)).code, 1);
  t.match(await giveUp(data), { code: 1, out: /Lost: the data keys of 2 borrowers/ });
  t.match((await start(data)).error, /keys\/data-keys is missing/, 'nothing was written');
  t.equal((await giveUp(data, '--yes')).code, 0);
  await goesOn();
  t.match(await giveUp(data), { code: 0, out: /No data key is lost/ });

  async function goesOn(): Promise<void> {
    t.equal((await start(data)).code, 0, 'it starts');
    t.equal((await verify(data)).code, 0, 'and is sound');
    for (const id of loanIds) t.equal(await idOf(id), id, 'loans go on under their own ids');
  }

  function show(loan: string): Promise<Ended> {
    return tenorHere({}, 'loan', 'show', loan, '--data', data);
  }

  async function idOf(loan: string): Promise<string> {
    const { out, error } = await show(loan);
    return /^LN-\S+/.exec(out)?.[0] ?? error;
  }
});

test('keys are not given up where a journal or a master key is missing', async (t) => {
  const data = await dataOf(t, 'L-1');
  const without = (part: string): string => {
    const copy = copyOf(t, data);
    rmSync(join(copy, part), { recursive: true });
    return copy;
  };
  t.match(await giveUp(without('journal'), '--yes'), { code: 2, error: /There is no data in/ });
  const empty = without('journal');
  mkdirSync(join(empty, 'journal'));
  t.match(await giveUp(empty, '--yes'), { code: 2, error: /There is no journal in.*Put it back first/ });
  t.same(readdirSync(join(empty, 'journal')), []);
  t.match(await giveUp(without('master.key'), '--yes'), { code: 1, error: /there is no master key in/ });
});

test('keys of an earlier release are adopted once, when they fit', async (t) => {
  const data = await dataOf(t, 'L-1', 'L-2');
  const foreign = copyOf(t, data);
  unmark(data);
  t.equal((await start(data)).code, 0);
  t.match(readFileSync(join(data, 'id.key'), 'utf8'), /^[0-9a-f]{64}\njournal [0-9a-f]{32}\nsha256 [0-9a-f]{64}\n$/);
  t.equal((await start(data)).code, 0);
  t.match(await verify(data), { code: 0 });

  const other = await dataOf(t, 'L-8', 'L-9');
  unmark(other);
  unmark(foreign);
  cpSync(join(other, 'id.key'), join(foreign, 'id.key'));
  const { code, error } = await start(foreign);
  t.equal(code, 1, 'a key of ids of another folder');
  t.match(error, /not made with the key in id\.key/);
  t.equal(readFileSync(join(foreign, 'id.key'), 'utf8').length, 65, 'nothing was marked');
});
