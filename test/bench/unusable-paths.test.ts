import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { type Test, test } from 'tap';
import { atPath, PathUnusable } from '../../persistence/index.js';
import { tempFolder } from '../temp-folder.js';
import { csv, EXAMPLE_MAPPING, rowOf } from './import-setting.js';
import type { Ended } from './tenor.js';
import { tenorHere } from './tenor-here.js';

/** What the operating system says, which does not help an operator. */
const RAW = /\bE[A-Z]{3,}\b|no such file|illegal operation|permission denied|not a directory|errno|\n\s+at /;

/** One sentence on what is wrong and where, and one on what to do. */
function says(t: Test, { code, error }: Ended, what: RegExp, path: string, name: string): void {
  t.ok(code !== 0, `${name} fails`);
  t.match(error, what, name);
  t.ok(error.includes(path), `${name} names ${path}: ${error}`);
  t.notMatch(error, RAW, name);
  t.match(error, /\. [A-Z][^.]*\.?.*\n$/s, `${name} says what to do: ${error}`);
}

interface Paths {
  readonly folder: string;
  /** A data folder that works. */
  readonly data: string;
  readonly rows: string;
  readonly file: string;
  readonly missing: string;
  /** Another copy of the data, to be spoilt. */
  copy(): string;
}

async function pathsFor(t: Test): Promise<Paths> {
  const folder = tempFolder(t);
  const [rows, data, file] = ['rows.csv', 'data', 'file'].map((name) => join(folder, name)) as [string, string, string];
  writeFileSync(rows, csv(rowOf('L-1')));
  writeFileSync(file, 'text');
  const { code, error } = await tenorHere({}, 'import', rows, '--mapping', EXAMPLE_MAPPING, '--as-of', '2018-04-20', '--data', data);
  if (code !== 0) throw new Error(error);
  let copies = 0;
  return {
    folder,
    data,
    rows,
    file,
    missing: join(folder, 'missing'),
    copy() {
      const copy = join(folder, `copy-${(copies += 1)}`);
      cpSync(data, copy, { recursive: true });
      return copy;
    },
  };
}

/** A start: it opens all that serving does. */
const START = ['company', 'create', '--name', 'Next Lender'];
const HERE = { TENOR_LOG: 'error' };

test('a data folder that is a file, or is missing, is named by each command with what to do', async (t) => {
  const { file, missing, rows } = await pathsFor(t);
  const below = join(file, 'below');
  for (const parameters of [START, ['import', rows, '--mapping', EXAMPLE_MAPPING]]) {
    for (const path of [file, below])
      says(t, await tenorHere(HERE, ...parameters, '--data', path), /data folder/, path === below ? file : path, parameters.join(' '));
  }
  for (const parameters of [
    ['verify'],
    ['export', join(missing, 'export')],
    ['loan', 'show', 'ext-L-1'],
    ['replay', '--all'],
    ['replay', '--all', '--dry-run'],
    ['erase', 'BO-AAAA-AAAA', '--company', 'CP-AAAA-AAAA'],
    ['keys', 'rotate'],
  ]) {
    for (const path of [file, missing]) {
      const ended = await tenorHere(HERE, ...parameters, '--data', path);
      says(t, ended, /data/, path, parameters.join(' '));
      t.equal(ended.code, 2, `${parameters.join(' ')} of ${path} is wrong usage`);
      t.notOk(existsSync(missing), `${parameters.join(' ')} makes no folder`);
    }
  }
  says(t, await tenorHere(HERE, 'verify', '--data', below), /data/, below, 'below a file');
});

test('parts of a data folder that are folders in place of files, or files in place of folders, are named', async (t) => {
  const { copy } = await pathsFor(t);
  for (const [part, what] of [
    ['journal', /journal/],
    ['snapshots', /snapshots/],
    ['keys', /data keys/],
  ] as const) {
    const data = copy();
    rmSync(join(data, part), { recursive: true });
    writeFileSync(join(data, part), 'text');
    for (const parameters of [START, ['verify'], ['loan', 'show', 'ext-L-1']])
      says(
        t,
        await tenorHere(HERE, ...parameters, '--data', data),
        what,
        join(data, part),
        `${parameters.join(' ')} with a file for ${part}`,
      );
  }
  for (const [part, what] of [
    ['master.key', /master key/],
    ['id.key', /key of ids/],
    ['keys/data-keys', /data keys/],
    ['lock', /data folder/],
  ] as const) {
    const data = copy();
    rmSync(join(data, part));
    mkdirSync(join(data, part));
    for (const parameters of [START, ['verify'], ['export', join(data, '../export')]])
      says(
        t,
        await tenorHere(HERE, ...parameters, '--data', data),
        what,
        join(data, part),
        `${parameters.join(' ')} with a folder for ${part}`,
      );
  }
  const data = copy();
  rmSync(join(data, 'journal'), { recursive: true });
  symlinkSync('journal', join(data, 'journal'));
  says(t, await tenorHere(HERE, ...START, '--data', data), /journal/, join(data, 'journal'), 'a link to itself');
});

test('files of exports, imports, settings and keys are named', async (t) => {
  const { folder, data, rows, file, missing } = await pathsFor(t);
  const inFile = join(file, 'below');
  const named: readonly (readonly [readonly string[], RegExp, string, Readonly<Record<string, string>>?])[] = [
    [['export', file, '--data', data], /export/, file],
    [['export', inFile, '--data', data], /export/, file],
    [['export', join(folder, 'export'), '--keys', file, '--data', data], /data keys/, file],
    [['restore', missing, '--data', join(folder, 'new')], /./, missing, { TENOR_MASTER_KEY: 'a'.repeat(64) }],
    [['restore', file, '--data', join(folder, 'new')], /./, file, { TENOR_MASTER_KEY: 'a'.repeat(64) }],
    [['import', folder, '--mapping', EXAMPLE_MAPPING, '--data', data], /file to import/, folder],
    [['import', missing, '--mapping', EXAMPLE_MAPPING, '--data', data], /file to import/, missing],
    [['import', rows, '--mapping', folder, '--data', data], /mapping/, folder],
    [['import', rows, '--mapping', missing, '--data', data], /mapping/, missing],
    [['import', rows, '--mapping', EXAMPLE_MAPPING, '--errors', folder, '--data', data], /list of refused rows/, folder],
    [['import', rows, '--mapping', EXAMPLE_MAPPING, '--errors', inFile, '--data', data], /list of refused rows/, inFile],
    [['replay', '--all', '--dry-run', '--diff', folder, '--data', data], /report/, folder],
    [[...START, '--data', data], /master key/, folder, { TENOR_MASTER_KEY_FILE: folder }],
    [[...START, '--data', data], /settings/, folder, { TENOR_CONFIG: folder }],
    [['serve', '--port', '0', '--data', data], /index values/, folder, { TENOR_INDEX_RATES: folder }],
    [['serve', '--port', '0', '--data', data], /mail domains/, missing, { TENOR_NAME_RECORDS: missing }],
  ];
  for (const [parameters, what, path, environment = {}] of named)
    says(t, await tenorHere({ ...HERE, ...environment }, ...parameters), what, path, parameters.join(' '));
  t.equal((await tenorHere({}, 'verify', '--data', data)).code, 0, 'nothing of it has harmed the data');
});

const isRoot = process.getuid?.() === 0;

test('a path that the user may not open is named', {
  skip: isRoot ? false : 'only root can run a command as somebody else',
}, async (t) => {
  const nobody = 65_534;
  const { folder, copy, rows } = await pathsFor(t);
  chmodSync(folder, 0o755);
  const run = (...parameters: readonly string[]): Promise<Ended> =>
    new Promise((done) => {
      const options = { env: { PATH: process.env['PATH'], TENOR_LOG: 'error' }, uid: nobody, gid: nobody };
      execFile(process.execPath, [resolve(import.meta.dirname, '../../tenor.js'), ...parameters], options, (error, out, stderr) =>
        done({ code: error === null ? 0 : Number(error.code), out, error: stderr }),
      );
    });
  const own = (data: string): void => {
    for (const path of ['', ...(readdirSync(data, { recursive: true }) as string[])]) chownSync(join(data, path), nobody, nobody);
  };
  for (const [part, what] of [
    ['', /data/],
    ['journal', /journal/],
    ['snapshots', /snapshots/],
    ['keys/data-keys', /data keys/],
    ['id.key', /key of ids/],
    ['master.key', /master key/],
  ] as const) {
    const data = copy();
    own(data);
    chownSync(join(data, part), 0, 0);
    chmodSync(join(data, part), 0o700);
    says(t, await run(...START, '--data', data), what, join(data, part), `${part} of root`);
  }
  const data = copy();
  own(data);
  chmodSync(rows, 0o600);
  says(t, await run('import', rows, '--mapping', EXAMPLE_MAPPING, '--data', data), /file to import/, rows, 'rows of root');
});

test('each error code of the system becomes a sentence, and other errors pass unchanged', async (t) => {
  const failing =
    (code: string): (() => never) =>
    () => {
      throw Object.assign(new Error(`${code}: raw`), { code, errno: -1, syscall: 'open', path: '/data/journal' });
    };
  for (const code of ['ENOENT', 'EISDIR', 'ENOTDIR', 'EACCES', 'EROFS', 'ENOSPC', 'EMFILE', 'EIO', 'ELOOP']) {
    const thrown = t.throws(() => atPath('the journal', '/data', failing(code))) as unknown as PathUnusable;
    t.ok(thrown instanceof PathUnusable);
    t.match(thrown.message, /^the journal cannot be opened: \/data\/journal [a-z][^.]*\. [A-Z][^.]*\.$/);
    t.notMatch(thrown.message, RAW);
  }
  t.match((t.throws(() => atPath('it', '/x', failing('EODD'))) as unknown as PathUnusable).message, /cannot be used \(EODD\)/);
  const own = new Error('something else');
  await t.rejects(
    atPath('it', '/x', () => Promise.reject(own)),
    own,
  );
});

test('a full disk, an address that nobody listens at and a port that is taken are named in words', async (t) => {
  const { data, folder } = await pathsFor(t);
  const full = await tenorHere(HERE, 'replay', '--all', '--dry-run', '--diff', '/dev/full', '--data', data);
  says(t, full, /lies on a disk that is full\. Free some of the disk\./, '', 'replay into a full disk');
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = String(typeof address === 'object' ? address?.port : '');
  const bank = await tenorHere({ ...HERE, BANK_PASSWORD: 'secret' }, 'bank', '--folder', folder, '--sftp', port);
  t.match(bank, { code: 2, error: `Port ${port} of 127.0.0.1 cannot be used: another program uses it. Name another port.` });
  taken.close();
  await once(taken, 'close');
  const url = `http://127.0.0.1:${port}`;
  const nobody = await tenorHere({ ...HERE, TENOR_KEY: 'k', TENOR_URL: url }, 'operations');
  t.match(nobody, { code: 1, error: `${url} does not answer: nothing listens at this address` });
  t.notMatch(nobody.error, RAW);
});
